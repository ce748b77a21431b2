#include "fuzz/report/timeline_text.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "fuzz/report/columns.h"
#include "fuzz/report/decisions.h"

namespace ordeal::fuzz {

namespace {

constexpr std::size_t rows_at_most = 100, rows_kept_in_front = 30;
constexpr std::size_t longest_period = 8, worth_folding = 2;  // rows that come round again; how often at least

using Cells = std::vector<std::string>;
constexpr std::size_t fixed_columns = 5;  // step, time, event, shown, decision; pods follow

Cells header(const Timeline& timeline) {
  Cells cells{"step", "time", "event", "shown", "decision"};
  cells.insert(cells.end(), timeline.pods.begin(), timeline.pods.end());
  return cells;
}

/// A row is as many lines as it has calls; what was shown stands on the first, the pods on the last.
void append_row(const TimelineRow& row, std::vector<Cells>& table) {
  for (std::size_t i = 0; i < row.lines.size(); ++i) {
    const TimelineLine& line = row.lines[i];
    const bool first = i == 0, last = i + 1 == row.lines.size();
    Cells cells{line.step ? std::to_string(line.step) : "", first ? seconds_text(row.at) : "", line.event,
                first ? row.shown : "", line.decision};
    if (last && row.offending) cells[4] += cells[4].empty() ? "<<<" : " <<<";
    if (last) cells.insert(cells.end(), row.pods.begin(), row.pods.end());
    table.push_back(std::move(cells));
  }
}

/// The rows that end at one place, `period` of them, come again `times` times right after it.
struct Loop {
  std::size_t period = 0, times = 0;
};

/// The same happens: time and versions go on.
bool same_row(const TimelineRow& a, const TimelineRow& b) {
  const auto same_line = [](const TimelineLine& x, const TimelineLine& y) {
    return x.step == 0 && y.step == 0 && x.event == y.event && x.decision == y.decision;
  };
  return !b.offending && a.pods == b.pods && std::ranges::equal(a.lines, b.lines, same_line);
}

Loop loop_ending_at(const std::vector<const TimelineRow*>& rows, std::size_t last) {
  for (std::size_t period = 1; period <= std::min(longest_period, last + 1); ++period) {
    std::size_t next = last + 1;
    while (next < rows.size() && same_row(*rows[next - period], *rows[next])) ++next;
    const std::size_t times = (next - last - 1) / period;
    if (times >= worth_folding) return {period, times};
  }
  return {};
}

std::vector<Cells> table_of(const Timeline& timeline) {
  std::vector<const TimelineRow*> rows;
  for (const TimelineRow& row : timeline.rows)
    if (!row.quiet || row.offending) rows.push_back(&row);
  std::vector<Cells> table{header(timeline)};
  const auto note = [&](const std::string& text) { table.push_back({"", "", text, "", ""}); };
  const bool cut = rows.size() > rows_at_most;
  const std::size_t resume = cut ? rows.size() - (rows_at_most - rows_kept_in_front) : rows_kept_in_front;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (cut && i >= rows_kept_in_front && i < resume) {
      note("... " + std::to_string(resume - i) + " more ...");
      i = resume;
    }
    append_row(*rows[i], table);
    if (const Loop loop = loop_ending_at(rows, i); loop.times > 0) {
      note("... and so again, " + std::to_string(loop.times) + " times ...");
      i += loop.period * loop.times;
    }
  }
  return table;
}

std::string line_of(const Cells& cells, const std::vector<std::size_t>& widths) {
  std::string line = "  ";
  for (std::size_t i = 0; i < cells.size(); ++i)
    line += (i < 2 ? right(cells[i], widths[i]) : padded(cells[i], widths[i])) + "  ";
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::vector<std::size_t> widths_of(const std::vector<Cells>& table) {
  constexpr std::array<std::size_t, fixed_columns> least{4, 6, 26, 12, 30};
  std::vector<std::size_t> widths(least.begin(), least.end());
  for (const Cells& cells : table) {
    if (widths.size() < cells.size()) widths.resize(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  }
  return widths;
}

std::string wide_text(const std::vector<Cells>& table, const std::vector<std::size_t>& widths) {
  std::string text;
  for (const Cells& cells : table) text += line_of(cells, widths);
  return text;
}

constexpr const char* no_pods = "no pods";

/// "web-0 r1 ready, web-1 r1 pending": those that are there.
std::string pods_text(const Cells& header, const Cells& cells) {
  std::string text;
  for (std::size_t i = fixed_columns; i < cells.size(); ++i)
    if (cells[i] != "-") text += (text.empty() ? "" : ", ") + header[i] + " " + cells[i];
  return text.empty() ? no_pods : text;
}

/// Events and decisions share their columns, and pods stand below, where something became of them.
std::string narrow_text(const std::vector<Cells>& table, const std::vector<std::size_t>& widths, std::size_t columns) {
  const Cells& header = table.front();
  std::string text = "  " + right(header[0], widths[0]) + "  " + right(header[1], widths[1]) + "  what happens\n",
              pods = no_pods;
  for (std::size_t row = 1; row < table.size(); ++row) {
    const Cells& cells = table[row];
    const std::string lead = "  " + right(cells[0], widths[0]) + "  " + right(cells[1], widths[1]) + "  ";
    const std::string below(lead.size(), ' ');
    const std::string shown = padded(cells[3], widths[3]) + "  ";
    if (!cells[2].empty()) text += wrapped(lead, cells[2], columns);
    if (!cells[4].empty()) text += wrapped((cells[2].empty() ? lead : below) + shown, cells[4], columns);
    if (cells.size() <= fixed_columns) continue;  // more of the row follows
    if (const std::string before = std::exchange(pods, pods_text(header, cells)); pods != before)
      text += wrapped(below + std::string(shown.size(), ' '), pods, columns);
  }
  return text;
}

}  // namespace

std::string timeline_text(const Timeline& timeline, std::size_t columns) {
  constexpr std::size_t between = 2;
  const std::vector<Cells> table = table_of(timeline);
  const std::vector<std::size_t> widths = widths_of(table);
  const std::size_t width = std::reduce(widths.begin(), widths.end()) + between * widths.size();
  std::string text = columns == 0 || width <= columns ? wide_text(table, widths) : narrow_text(table, widths, columns);
  if (!timeline.ended.empty()) text += "  the trial ended here: " + timeline.ended + "\n";
  if (timeline.pods_not_shown) text += "  (" + std::to_string(timeline.pods_not_shown) + " more pods are not shown)\n";
  return text;
}

}  // namespace ordeal::fuzz
