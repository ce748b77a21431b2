// ordeal bench: how fast it is, with Google Benchmark.
#include <benchmark/benchmark.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "fuzz/command/benchmarks.h"
#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/report/json_text.h"

namespace ordeal::fuzz {

namespace {

/// A reporter that also keeps the median of each benchmark, in seconds, for the ratios.
template <class Base>
class Collecting final : public Base {
 public:
  using Base::Base;
  void ReportRuns(const std::vector<benchmark::BenchmarkReporter::Run>& runs) override {
    for (const auto& run : runs) {
      if (run.error_occurred) failed_ = true;
      const bool is_only_one = run.run_type == benchmark::BenchmarkReporter::Run::RT_Iteration && run.repetitions == 1;
      if (run.aggregate_name != "median" && !is_only_one) continue;
      const std::string& arguments = run.run_name.args;
      const bool manual = run.run_name.time_type == "manual_time";
      const double unit = benchmark::GetTimeUnitMultiplier(run.time_unit);
      Measured& m = measured_[run.run_name.function_name + (arguments.empty() ? "" : "/" + arguments)];
      m.seconds = (manual ? run.GetAdjustedRealTime() : run.GetAdjustedCPUTime()) / unit;
      for (const auto& [counter, value] : run.counters) m.counters[counter] = value;
    }
    Base::ReportRuns(runs);
  }
  const MeasuredByName& measured() const { return measured_; }
  bool failed() const { return failed_; }

 private:
  MeasuredByName measured_;
  bool failed_ = false;
};

void run_benchmarks(const BenchArguments& arguments, benchmark::BenchmarkReporter& reporter) {
  std::vector<std::string> words{"ordeal", "--benchmark_min_time=" + arguments.min_time,
                                 "--benchmark_repetitions=" + std::to_string(arguments.repetitions),
                                 "--benchmark_report_aggregates_only=true"};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  register_benchmarks();
  benchmark::RunSpecifiedBenchmarks(&reporter, arguments.filter);
}

int bench_text(const BenchArguments& arguments) {
  Collecting<benchmark::ConsoleReporter> reporter(benchmark::ConsoleReporter::OO_None);
  run_benchmarks(arguments, reporter);
  if (reporter.measured().empty() && !reporter.failed())
    return refuse("--filter: no benchmark is called so (found: " + arguments.filter + ")");
  std::string text = "\nratios\n";
  for (const Ratio& ratio : ratios_of(reporter.measured())) {
    char line[256];
    std::snprintf(line, sizeof line, "  %-28s %10.2f  %s\n", ratio.name.c_str(), ratio.value, ratio.about.c_str());
    text += line;
  }
  return print(text) && !reporter.failed() ? exit_held : exit_inconclusive;
}

int bench_json(const BenchArguments& arguments) {
  std::ostringstream out, errors;
  Collecting<benchmark::JSONReporter> reporter;
  reporter.SetOutputStream(&out);
  reporter.SetErrorStream(&errors);
  run_benchmarks(arguments, reporter);
  auto json = nlohmann::ordered_json::parse(out.str(), nullptr, false);
  if (json.is_discarded()) {
    complain("no benchmark ran: " + errors.str());
    return exit_bad_input;
  }
  json["ratios"] = nlohmann::ordered_json::object();
  for (const Ratio& ratio : ratios_of(reporter.measured())) json["ratios"][ratio.name] = ratio.value;
  return print(json_text(json)) && !reporter.failed() ? exit_held : exit_inconclusive;
}

}  // namespace

int bench_command(const BenchArguments& arguments) {
  return arguments.json ? bench_json(arguments) : bench_text(arguments);
}

}  // namespace ordeal::fuzz
