// Controllers by name: what stands in the dock. One list, so that the command, its help and its errors agree. Mutants
// (properties/mutants) are called mutant:ID.
//
// A controller is made for the gates of a scenario's environment; Dock keeps the ones it made, since scenarios differ
// in gates and making a controller is not free. Covered by controllers_test.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/controller/door.h"
#include "core/controller/releases.h"
#include "core/controller/rules.h"
#include "properties/invariants/invariant.h"
#include "properties/mutants/mutants.h"
#include "properties/trial/trial.h"
#include "properties/world/program.h"

namespace ordeal::fuzz {

using MakeController = std::function<std::unique_ptr<Controller>(const Gates&)>;

struct ControllerKind {
  std::string name;                                       // "kubernetes-1.37"
  std::string about;                                      // a sentence
  properties::Level level = properties::Level::promised;  // what it is tried at unless the user says otherwise
  MakeController make;
  std::function<MakeController()> open{};  // instead of `make`, once per process: what its controllers share
  bool external = false;                   // a program of somebody else's, which may break down
};

/// A mutant as one who can be put on trial.
ControllerKind kind_of(const properties::Mutant& mutant);
/// All of them, in the order in which they are listed to users.
std::span<const ControllerKind> controllers();
/// Null when there is none of this name.
const ControllerKind* find_controller(std::string_view name);
/// "strict, kubernetes-1.37, ..., mutant:ID, decoy:ID", for messages; with a name of such a family, all members of
/// that.
std::string controller_names(std::string_view like = {});

/// The program of a kind: one controller per process and set of gates, made when first asked for. Not shared between
/// threads.
class Dock final : public properties::Program {
 public:
  explicit Dock(const ControllerKind& kind) : kind_(&kind) {}
  Controller* process(std::size_t which, const Gates& gates) override;
  /// One with nothing made yet.
  Dock another() const { return Dock(*kind_); }
  const ControllerKind& kind() const { return *kind_; }
  /// What its sets may ask for: what its release knows; of a program whose hello says that it has no
  /// StatefulSetRecreateStrategy, not Recreate. Starts it when first asked.
  const KnownFields& known_fields();

 private:
  struct Made {
    std::size_t process;
    Gates gates;
    std::unique_ptr<Controller> controller;
  };
  const ControllerKind* kind_;
  std::vector<MakeController> makers_;  // by process
  std::vector<Made> made_;
  std::optional<KnownFields> known_;
};

/// A trial of the dock's controller. When an external one gave no verdict it is tried once more, in case it only broke
/// down by chance.
properties::TrialResult try_in(Dock& dock, properties::Court& court, const properties::Scenario& scenario,
                               properties::TrialOptions options);

}  // namespace ordeal::fuzz
