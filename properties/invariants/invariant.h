// A promise made checkable: one small value per promise, a pure function over one moment of a trial.
//
// How to add one: README.md of this room. Invariants read API values, views and calls; they never call the controller's
// code, or both would share a blind spot. What they need worked out of a view is in properties/evidence, written
// independently.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/evidence/moment.h"

namespace ordeal::properties {

enum class Level : std::uint8_t { promised, strict };    // a document says so / a user would expect it
enum class When : std::uint8_t { every_step, settled };  // safety / after faults stopped and time passed
enum class Judges : std::uint8_t { view, truth };  // relative to what the controller was shown / to what is stored

/// What an invariant is asked about; a mask. For calls, Moment::call is set; for changes, the matching change.
enum On : std::uint32_t {
  on_create_pod = 1u << 0,
  on_update_pod = 1u << 1,
  on_delete_pod = 1u << 2,
  on_patch_pod = 1u << 3,
  on_create_claim = 1u << 4,
  on_update_claim = 1u << 5,
  on_delete_claim = 1u << 6,
  on_create_revision = 1u << 7,
  on_update_revision = 1u << 8,
  on_delete_revision = 1u << 9,
  on_patch_revision = 1u << 10,
  on_write_status = 1u << 11,
  on_get = 1u << 12,
  on_other_call = 1u << 13,
  on_any_call = (1u << 14) - 1,
  on_change_set = 1u << 14,
  on_change_pod = 1u << 15,
  on_change_claim = 1u << 16,
  on_change_revision = 1u << 17,
  on_sync = 1u << 18,     // a sync ended, with or without calls
  on_acted = 1u << 19,    // a sync ended that made at least one write
  on_settled = 1u << 20,  // the end: faults stopped, the environment was fair
  on_rest = 1u << 21,     // the syncs after that, which should do nothing
  on_twins = 1u << 22,    // two variants of the scenario were played to the end: of this one's relation, nobody else's
  on_beside = 1u << 23,   // a sync for a neighbour of the set ended; of its calls nobody is asked
};

struct Violation {
  std::string claim;                  // one sentence: what is wrong, with names
  std::vector<std::string> evidence;  // facts it follows from
};

/// The answer of a check. One word, handed over in a register: a trial asks thousands of times, and hardly ever is one
/// broken.
class [[clang::trivial_abi]] Judgement {
 public:
  static Judgement not_applicable() { return Judgement(nullptr); }
  static Judgement held() { return Judgement(&nothing_wrong); }
  [[gnu::cold, gnu::noinline]] static Judgement broken(std::string claim, std::vector<std::string> evidence = {}) {
    return Judgement(new Violation{std::move(claim), std::move(evidence)});
  }
  /// held() when `fine`; otherwise broken with what `say` returns (a claim), which is only called then.
  template <class Say>
  static Judgement of(bool fine, Say say) {
    return fine ? held() : broken_by(say);
  }

  Judgement(Judgement&& other) noexcept : answer_(std::exchange(other.answer_, nullptr)) {}
  Judgement& operator=(Judgement&& other) noexcept {
    std::swap(answer_, other.answer_);
    return *this;
  }
  ~Judgement() {
    if (violation() != nullptr) forget();
  }

  bool applied() const { return answer_ != nullptr; }
  const Violation* violation() const { return answer_ != &nothing_wrong ? answer_ : nullptr; }

 private:
  static inline const Violation nothing_wrong;
  // What is said goes elsewhere, away from what is asked all the time: checks are then small enough to stay in the
  // cache.
  template <class Say>
  [[gnu::cold, gnu::noinline]] static Judgement broken_by(const Say& say) {
    return broken(say());
  }
  [[gnu::cold, gnu::noinline]] void forget() { delete answer_; }
  explicit Judgement(const Violation* answer) : answer_(answer) {}
  const Violation* answer_;
};

struct Invariant {
  std::string_view id;       // "family.promise", public and stable
  std::string_view promise;  // in a user's words
  std::string_view source;   // document and section, or issue thread
  Level level = Level::promised;
  When when = When::every_step;
  Judges judges = Judges::view;
  std::string_view property;  // ids of semantics.md section 10, "ORD-2, ORD-3"
  std::uint32_t on = 0;       // mask of On
  std::uint32_t given = 0;    // mask of Given: unless all is so, it is not applicable
  Judgement (*check)(const Moment&) = nullptr;
  bool by_answers = false;  // it speaks of what a turn made of what it was told: that it was told news is no excuse

  constexpr std::string_view family() const { return id.substr(0, id.find('.')); }
};

}  // namespace ordeal::properties
