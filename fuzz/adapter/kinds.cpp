#include "fuzz/adapter/kinds.h"

#include <unistd.h>

#include <filesystem>
#include <list>
#include <mutex>

#include "fuzz/adapter/external.h"

namespace ordeal::fuzz {

namespace {

namespace fs = std::filesystem;
constexpr std::string_view exec_prefix = "exec:", kubernetes_prefix = "kubernetes@";

/// build/upstream, beside the directory that this program was built in.
fs::path find_built(const std::string& adapter) {
  std::error_code unreadable;
  const fs::path self = fs::read_symlink("/proc/self/exe", unreadable);
  for (fs::path at = self.parent_path(); at.has_relative_path(); at = at.parent_path())
    if (const fs::path built = at / "upstream" / adapter; ::access(built.c_str(), X_OK) == 0) return built;
  return {};
}

std::string quoted(const std::string& path) {
  std::string out = "'";
  for (const char c : path) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::expected<std::string, std::string> command_of(std::string_view name) {
  if (name.starts_with(exec_prefix)) {
    const std::string_view command = name.substr(exec_prefix.size());
    if (command.find_first_not_of(' ') != command.npos) return std::string(command);
    return std::unexpected("--controller: exec: takes a command (found: " + std::string(name) + ")");
  }
  const std::string release(name.substr(kubernetes_prefix.size()));
  const bool plain = !release.empty() && release.find_first_not_of("0123456789.") == release.npos;
  if (!plain)
    return std::unexpected("--controller: kubernetes@ takes a release such as 1.35.0 (found: " + std::string(name) + ")");
  const fs::path built = find_built("kubernetes-" + release);
  if (!built.empty()) return quoted(built.string());
  return std::unexpected("--controller: the adapter for Kubernetes " + release +
                         " is not built; `ci/upstream " + release + "` builds it (Go and its module proxy are needed)");
}

}  // namespace

bool is_external(std::string_view name) { return name.starts_with(exec_prefix) || name.starts_with(kubernetes_prefix); }

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

std::expected<const ControllerKind*, std::string> external_controller(std::string_view name) {
  static std::mutex mutex;
  static std::list<ControllerKind> made;  // a list, since kinds are pointed to
  const auto command = command_of(name);
  if (!command) return std::unexpected(command.error());
  const std::scoped_lock lock(mutex);
  for (const ControllerKind& kind : made)
    if (kind.name == name) return &kind;
  return &made.emplace_back(make_external_kind(std::string(name), *command));
}

}  // namespace ordeal::fuzz
