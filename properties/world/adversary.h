// The adversary's sorts of trouble, by name, each with what a controller may rely on all the same: within that limit a
// correct one survives any amount of it. Each is switched on or off for a whole trial (scenario/generate_steps.cpp).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/scenario/scenario.h"

namespace ordeal::properties {

struct Trouble {
  std::string_view name, about;
  std::string_view limit;
  bool (*is_in)(const Scenario&);
};

std::span<const Trouble> adversary();

/// Those that a scenario has, in the table's order.
std::vector<const Trouble*> troubles_in(const Scenario& scenario);
/// Those of its environment, whatever its steps are.
std::vector<const Trouble*> troubles_around(const Scenario& scenario);

/// The limit; of random schedules also how likely their longest is to hit an order that needs three constraints.
std::string limit_in(const Trouble& trouble, const Scenario& scenario);

}  // namespace ordeal::properties
