// ordeal export: a stored finding in the form in which those who have to mend it work.
#include "fuzz/export/export.h"

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/stored.h"
#include "fuzz/export/go_test.h"

namespace ordeal::fuzz {

namespace {

using Written = std::expected<std::string, std::string>;
using Exporter = Written (*)(const Shown& shown, const Report& report, Dock& dock, const std::string& release);

std::expected<Exporter, std::string> parse_exporter(const std::string& as) {
  if (as == "prose")
    return [](const Shown& shown, const Report& report, Dock& dock, const std::string&) -> Written {
      return export_prose(shown, report, dock);
    };
  if (as == "gtest")
    return [](const Shown& shown, const Report& report, Dock&, const std::string&) -> Written {
      return export_gtest(shown, report);
    };
  if (as == "kubectl")
    return [](const Shown& shown, const Report& report, Dock& dock, const std::string&) -> Written {
      return export_kubectl(shown, report, dock);
    };
  if (as == "go-test")
    return [](const Shown& shown, const Report& report, Dock& dock, const std::string& release) -> Written {
      return export_go_test(shown, report, dock, release);
    };
  return std::unexpected("--as: must be kubectl, prose, gtest or go-test (found: " + as + ")");
}

}  // namespace

int export_command(const ExportArguments& arguments) {
  const auto exporter = parse_exporter(arguments.as);
  if (!exporter) return refuse(exporter.error());
  if (!arguments.release.empty() && arguments.as != "go-test")
    return refuse("--for: only a Go test is compiled in a release (found: --as " + arguments.as + ")");
  if (!arguments.invariant.empty())
    if (const auto known = parse_invariant(arguments.invariant); !known) return refuse(known.error());
  auto stored = read_stored(arguments.file);
  if (!stored) return refuse(stored.error());
  const auto tried = choose_tried(*stored, arguments.controller, arguments.level);
  if (!tried) return refuse(tried.error());
  Report report = try_stored(*stored, *tried);
  if (report.result.verdict == properties::Verdict::inconclusive) {
    complain("nothing to export: inconclusive, " + report.result.inconclusive.front().reason);
    return exit_inconclusive;
  }
  const Finding* finding = choose_finding(report, *stored, arguments.invariant);
  if (finding == nullptr)
    return refuse(arguments.file + ": nothing to export: " + what_held(report, *stored, arguments.invariant));
  Finding exported = *finding;
  exported.cause = properties::cause_of(exported.scenario);
  Dock dock(*tried->controller);
  const auto text =
      (*exporter)(shown_of(std::move(exported), arguments.file, dock, tried->level), report, dock, arguments.release);
  if (!text) return refuse(text.error());
  return put(*text, arguments.out.empty() ? "-" : arguments.out) ? exit_held : exit_inconclusive;
}

}  // namespace ordeal::fuzz
