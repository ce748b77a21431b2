#include "fuzz/adapter/kinds.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <list>
#include <mutex>

#include "fuzz/adapter/external.h"
#include "fuzz/engine/files.h"
#include "fuzz/engine/shell.h"

namespace ordeal::fuzz {

namespace {

namespace fs = std::filesystem;
constexpr std::string_view exec_prefix = "exec:";

/// Controllers that ci/upstream builds: "kubernetes@1.35.0" is the program kubernetes-1.35.0.
struct Family {
  std::string_view prefix, program, people, example, built_as;
};
constexpr std::array families{
    Family{"kubernetes@", "kubernetes-", "Kubernetes", "1.35.0", ""},
    Family{"kruise@", "kruise-", "OpenKruise", "1.8.0", "kruise@"},
};

const Family* family_of(std::string_view name) {
  const auto of = std::ranges::find_if(families, [&](const Family& family) { return name.starts_with(family.prefix); });
  return of == families.end() ? nullptr : &*of;
}

/// Where build/upstream may be: beside the directory that this program was built in, or further up.
std::vector<fs::path> upstream_directories() {
  std::error_code unreadable;
  const fs::path self = fs::read_symlink("/proc/self/exe", unreadable);
  std::vector<fs::path> directories;
  for (fs::path at = self.parent_path(); at.has_relative_path(); at = at.parent_path())
    directories.push_back(at / "upstream");
  return directories;
}

fs::path find_built(const std::string& adapter) {
  for (const fs::path& directory : upstream_directories())
    if (const fs::path built = directory / adapter; ::access(built.c_str(), X_OK) == 0) return built;
  return {};
}

/// "1.35.0", or "1.38.0-beta.0" of one that is still to come.
bool is_release(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::string_view number = text.substr(0, dash);
  if (number.empty() || number.find_first_not_of("0123456789.") != text.npos) return false;
  if (dash == text.npos) return true;
  const std::string_view before = text.substr(dash + 1);
  const std::string_view step = before.substr(0, before.find('.'));
  const bool is_named = step == "alpha" || step == "beta" || step == "rc";
  return is_named && before.substr(step.size()).find_first_not_of("0123456789.") == before.npos;
}

/// What was built of a clone has a name behind its release: "1.35.0+mine". Nothing that leads out of a directory.
bool is_of_a_clone(std::string_view text) {
  const std::size_t plus = text.find('+');
  return plus != text.npos && plus + 1 < text.size() && is_release(text.substr(0, plus)) && text.find('/') == text.npos;
}

/// "1.9.10" is older than "1.35.0", and "1.38.0-beta.0" than "1.38.0".
bool is_newer(std::string_view a, std::string_view b) {
  const auto numbers = [](std::string_view text) {
    std::vector<std::size_t> out{0};
    for (const char c : text.substr(0, text.find('-')))
      if (c == '.') out.push_back(0);
      else out.back() = out.back() * 10 + static_cast<std::size_t>(c - '0');
    return out;
  };
  const auto stage = [](std::string_view text) {  // alpha, beta, rc, and then the release itself
    const std::size_t dash = text.find('-');
    return dash == text.npos ? std::string_view("~") : text.substr(dash + 1);
  };
  const auto left = numbers(a), right = numbers(b);
  return left != right ? left > right : stage(a) > stage(b);
}

/// What builds it: "ci/upstream --race --from CLONE 1.35.0+mine" for "1.35.0+mine+race".
std::string builder_of(const Family& family, std::string release) {
  constexpr std::string_view raced = "+race";
  std::string command = "ci/upstream ";
  if (release.ends_with(raced)) {
    command += "--race ";
    release.resize(release.size() - raced.size());
  }
  if (!is_release(release)) command += "--from CLONE ";
  return command + std::string(family.built_as) + release;
}

std::expected<std::string, std::string> command_of(std::string_view name, const std::string& option) {
  if (runs_a_command(name)) {
    const std::string_view command = name.substr(exec_prefix.size());
    if (command.find_first_not_of(' ') != command.npos) return std::string(command);
    return std::unexpected(option + ": exec: takes a command (found: " + std::string(name) + ")");
  }
  const Family& family = *family_of(name);
  const std::string release(name.substr(family.prefix.size()));
  if (!is_release(release) && !is_of_a_clone(release))
    return std::unexpected(option + ": " + std::string(family.prefix) + " takes a release such as " +
                           std::string(family.example) + ", or RELEASE+NAME of a clone (found: " + std::string(name) +
                           ")");
  const fs::path built = find_built(std::string(family.program) + release);
  if (!built.empty()) return shell_quoted(built.string());
  return std::unexpected(option + ": the adapter for " + std::string(family.people) + " " + release +
                         " is not built; `" + builder_of(family, release) +
                         "` builds it (Go and its module proxy are needed)");
}

/// The releases of a family that are built, newest first.
std::vector<std::string> built_releases(const Family& family) {
  std::vector<std::string> releases;
  for (const fs::path& directory : upstream_directories()) {
    for (const fs::path path : files_in(directory.string()).value_or(std::vector<std::string>{})) {
      const std::string name = path.filename();
      if (!name.starts_with(family.program) || ::access(path.c_str(), X_OK) != 0) continue;
      if (const std::string release = name.substr(family.program.size());
          is_release(release) && std::ranges::find(releases, release) == releases.end())
        releases.push_back(release);
    }
  }
  std::ranges::sort(releases, is_newer);
  return releases;
}

}  // namespace

bool is_external(std::string_view name) { return runs_a_command(name) || family_of(name) != nullptr; }

std::vector<std::string> built_controllers() {
  std::vector<std::string> names;
  for (const Family& family : families)
    for (const std::string& release : built_releases(family)) names.push_back(std::string(family.prefix) + release);
  return names;
}

ControllerKind make_external_kind(std::string name, std::string command, Patience patience) {
  ControllerKind kind;
  kind.name = name;
  kind.about = "a program behind the adapter protocol: " + command;
  kind.external = true;
  kind.open = [name, command, patience] {
    auto adapter = std::make_shared<Adapter>(command, patience);
    return [adapter, name](const Gates& gates) { return std::make_unique<External>(adapter, gates, name); };
  };
  return kind;
}

bool runs_a_command(std::string_view name) { return name.starts_with(exec_prefix); }

std::expected<const ControllerKind*, std::string> external_controller(std::string_view name, std::string_view option) {
  static std::mutex mutex;
  static std::list<ControllerKind> made;  // a list, since kinds are pointed to
  const auto command = command_of(name, std::string(option));
  if (!command) return std::unexpected(command.error());
  const std::scoped_lock lock(mutex);
  for (const ControllerKind& kind : made)
    if (kind.name == name) return &kind;
  return &made.emplace_back(make_external_kind(std::string(name), *command));
}

}  // namespace ordeal::fuzz
