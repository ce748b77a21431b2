// External controllers by name: exec:COMMAND, and kubernetes@RELEASE or kruise@RELEASE for an adapter that ci/upstream
// built.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/adapter/subprocess.h"
#include "fuzz/engine/controllers.h"

namespace ordeal::fuzz {

/// exec:COMMAND: whoever resolves such a name runs whatever it says.
bool runs_a_command(std::string_view name);
/// Whether a name is one of these, rather than one of the list.
bool is_external(std::string_view name);
/// The kind lives as long as the program. An error is a sentence for whoever typed the name.
std::expected<const ControllerKind*, std::string> external_controller(std::string_view name,
                                                                      std::string_view option = "--controller");
/// What ci/upstream built where this program finds it, as names: Kubernetes first, and the newest release of each
/// first.
std::vector<std::string> built_controllers();
ControllerKind make_external_kind(std::string name, std::string command, Patience patience = {});

}  // namespace ordeal::fuzz
