#include "properties/world/program.h"

#include "core/controller/reference.h"
#include "core/controller/releases.h"

namespace ordeal::properties {

Controller& OtherReleases::process(std::string_view release, std::size_t which, const Gates& gates) {
  for (const Made& made : made_)
    if (made.release == release && made.which == which && made.gates == gates) return *made.controller;
  return *made_.emplace_back(Made{release, which, gates, make_reference(find_release(release)->rules, gates)})
              .controller;
}

}  // namespace ordeal::properties
