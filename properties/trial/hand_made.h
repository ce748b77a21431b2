// Hand-made traces, for tests: a small set, a few steps, and a controller that does exactly what the test says.
//
// Scripted does what is written for each sync and nothing else. Tampered is the strict reference whose requests a test
// may change, swallow or add to; so "all is well but for one thing" is one line.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/controller/forwarding.h"
#include "core/controller/reference.h"
#include "properties/scenario/scenario.h"
#include "properties/trial/trial.h"

namespace ordeal::properties {

class Scripted final : public Controller {
 public:
  using Turn = std::function<SyncResult(const View&, Api&, Time)>;
  /// The n-th turn is the n-th sync; later syncs do nothing and succeed.
  explicit Scripted(std::vector<Turn> turns) : turns_(std::move(turns)) {}
  SyncResult sync(const Key&, const View& seen, Api& api, Time now) override {
    const std::size_t n = next_++;
    return n < turns_.size() && turns_[n] ? turns_[n](seen, api, now) : SyncResult{};
  }
  std::string_view name() const override { return "scripted"; }

 private:
  std::vector<Turn> turns_;
  std::size_t next_ = 0;
};

class Tampered final : public Forwarding {
 public:
  /// What becomes of a request: `forward` it (changed or not) any number of times; return the reply the reference sees.
  using Edit = std::function<Reply(Request request, const View& seen, Api& forward)>;
  explicit Tampered(Edit edit, const Gates& gates = {})
      : Forwarding(make_reference(strict_rules(), gates)), edit_(std::move(edit)) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    struct Between final : Api {
      const Edit& edit;
      const View& seen;
      Api& real;
      Between(const Edit& e, const View& v, Api& r) : edit(e), seen(v), real(r) {}
      Reply call(Request request) override { return edit(std::move(request), seen, real); }
    } between{edit_, seen, api};
    return inner_.sync(key, seen, between, now);
  }
  std::string_view name() const override { return "tampered"; }

 private:
  Edit edit_;
};

/// A scenario from a set in YAML: the fields below `spec` that matter to the test; name "web", label app=web, one
/// container and service "web" are filled in. Throws std::invalid_argument when the set is not valid.
Scenario hand_made(std::string_view spec_yaml, std::vector<Step> steps = {});

/// Tries it at strict level; asks by id what came out. Throws std::out_of_range on an unknown id.
struct Tried {
  TrialResult result;
  bool broke(std::string_view invariant_id) const;
  bool applied(std::string_view invariant_id) const;     // judged at least once
  std::string why(std::string_view invariant_id) const;  // the claim, or ""
};
Tried try_by_hand(const Scenario& scenario, Controller& controller);

}  // namespace ordeal::properties
