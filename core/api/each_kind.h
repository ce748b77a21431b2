// What there is of every kind of object, and the way from a kind to the type that goes with it.
#pragma once

#include <type_traits>
#include <utility>

#include "core/api/objects.h"

namespace ordeal {

template <template <class> class Of>
struct EachKind {
  Of<StatefulSet> sets{};
  Of<Pod> pods{};
  Of<Claim> claims{};
  Of<Revision> revisions{};

  template <class T>
  Of<T>& of() {
    return const_cast<Of<T>&>(std::as_const(*this).template of<T>());
  }
  template <class T>
  const Of<T>& of() const {
    if constexpr (std::is_same_v<T, StatefulSet>) return sets;
    else if constexpr (std::is_same_v<T, Pod>) return pods;
    else if constexpr (std::is_same_v<T, Claim>) return claims;
    else return revisions;
  }
};

/// The kind that goes with the type.
template <class T>
inline constexpr Kind kind_v = std::is_same_v<T, StatefulSet> ? Kind::set
                               : std::is_same_v<T, Pod>       ? Kind::pod
                               : std::is_same_v<T, Claim>     ? Kind::claim
                                                              : Kind::revision;

/// Calls `act` with std::type_identity of the type that goes with the kind.
template <class Act>
auto with_type(Kind kind, Act act) {
  switch (kind) {
    case Kind::set: return act(std::type_identity<StatefulSet>{});
    case Kind::pod: return act(std::type_identity<Pod>{});
    case Kind::claim: return act(std::type_identity<Claim>{});
    case Kind::revision: break;
  }
  return act(std::type_identity<Revision>{});
}

/// Calls `act` with that of each of them, in the order of Kind.
template <class Act>
void for_each_type(Act act) {
  act(std::type_identity<StatefulSet>{});
  act(std::type_identity<Pod>{});
  act(std::type_identity<Claim>{});
  act(std::type_identity<Revision>{});
}

}  // namespace ordeal
