// Every invariant of every family, in one array: the only list of promises there is.
//
// You may rely on: ids are unique and of the form "family.promise", every check is there and is asked about something
// (all asserted at compile time); the order is that of the families below and never depends on anything else.
// `ordeal list`, the README table, reports and situations read this. Covered by catalogue_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>

#include "properties/invariants/convergence.h"
#include "properties/invariants/deletion.h"
#include "properties/invariants/economy.h"
#include "properties/invariants/equivalence.h"
#include "properties/invariants/errors.h"
#include "properties/invariants/events.h"
#include "properties/invariants/identity.h"
#include "properties/invariants/lifecycle.h"
#include "properties/invariants/ordering.h"
#include "properties/invariants/ownership.h"
#include "properties/invariants/revisions.h"
#include "properties/invariants/scaling.h"
#include "properties/invariants/status.h"
#include "properties/invariants/storage.h"
#include "properties/invariants/update.h"
#include "properties/invariants/waking.h"

namespace ordeal::properties {

template <std::size_t... sizes>
constexpr auto join(const std::array<Invariant, sizes>&... families) {
  std::array<Invariant, (sizes + ...)> all{};
  auto next = all.begin();
  ((next = std::copy(families.begin(), families.end(), next)), ...);
  return all;
}

inline constexpr auto catalogue =
    join(identity::invariants, ordering::invariants, scaling::invariants, deletion::invariants, update::invariants,
         revisions::invariants, status::invariants, storage::invariants, ownership::invariants, lifecycle::invariants,
         errors::invariants, events::invariants, economy::invariants, waking::invariants, convergence::invariants,
         equivalence::invariants);

/// The invariant of this id, a pointer into `catalogue`; null when there is none.
const Invariant* find_invariant(std::string_view id);

inline std::size_t place_of(const Invariant& invariant) {
  return static_cast<std::size_t>(&invariant - catalogue.data());
}

/// Some of the promises, by their places in the catalogue.
using Promises = std::bitset<catalogue.size()>;
/// Those that are asked at a level, but for some that somebody does not want asked.
Promises promises_at(Level level, const Promises& except = {});
/// In the order of the catalogue.
std::vector<std::string_view> ids_of(const Promises& promises);

/// Sorted first: a comparison of every two would take more steps than a compiler allows itself for a constant.
constexpr bool ids_are_unique() {
  std::array<std::string_view, catalogue.size()> ids{};
  std::ranges::transform(catalogue, ids.begin(), &Invariant::id);
  std::ranges::sort(ids);
  return std::ranges::adjacent_find(ids) == ids.end();
}
constexpr bool is_whole(const Invariant& i) {
  const std::size_t dot = i.id.find('.');
  return dot != std::string_view::npos && dot > 0 && dot + 1 < i.id.size() && !i.promise.empty() && !i.source.empty() &&
         !i.property.empty() && i.on != 0 && i.check != nullptr;
}
/// What is only known at the end is asked at the end, and nothing else is.
constexpr bool asked_in_time(const Invariant& i) {
  const bool at_the_end = (i.on & ~static_cast<std::uint32_t>(on_settled | on_rest | on_twins)) == 0;
  return at_the_end == (i.when == When::settled);
}
/// What is given is known of turns alone.
constexpr bool given_where_known(const Invariant& i) {
  return i.given == 0 || (i.on & ~static_cast<std::uint32_t>(on_any_call | on_sync | on_acted | on_rest)) == 0;
}
static_assert(ids_are_unique());
static_assert(std::ranges::all_of(catalogue, is_whole));
static_assert(std::ranges::all_of(catalogue, asked_in_time));
static_assert(std::ranges::all_of(catalogue, given_where_known));

}  // namespace ordeal::properties
