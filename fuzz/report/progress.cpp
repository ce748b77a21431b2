#include "fuzz/report/progress.h"

#include "fuzz/report/columns.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

using properties::grouped;

std::string progress_line(const Progress& progress, std::size_t situations_total) {
  const double rate = progress.seconds > 0 ? static_cast<double>(progress.syncs) / progress.seconds : 0;
  const std::string seconds = right(std::to_string(static_cast<std::uint64_t>(progress.seconds)), 5);
  return seconds + "s  " + grouped(progress.trials) + " trials  " + grouped(static_cast<std::uint64_t>(rate)) +
         " syncs/s  " + std::to_string(progress.situations) + "/" + std::to_string(situations_total) + " situations  " +
         std::to_string(progress.violations) + " broken";
}

void ProgressOutput::show(const Progress& progress) {
  const std::string line = progress_line(progress, situations_total_);
  std::fprintf(out_, live_ ? "\r\033[K%s" : "%s\n", line.c_str());
  std::fflush(out_);
  shown_ = live_;
}

void ProgressOutput::say(const std::string& line) {
  clear();
  std::fprintf(out_, "%s\n", line.c_str());
  std::fflush(out_);
}

void ProgressOutput::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", out_);
  std::fflush(out_);
  shown_ = false;
}

}  // namespace ordeal::fuzz
