#include "properties/world/adversary.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "properties/world/race.h"

namespace ordeal::properties {

namespace {

template <StepKind... kinds>
bool has(const Scenario& scenario) {
  return std::ranges::any_of(scenario.steps, [](const Step& step) { return ((step.kind == kinds) || ...); });
}

using enum StepKind;
constexpr std::array rows = {
    Trouble{"lagging-caches", "lagging caches, missed states, relists, restarts from older points",
            "a cache never goes back without a restart; nothing that was listed changes under its hands",
            has<deliver, relist, restart>},
    Trouble{"failed-calls", "failed, lost and half-done calls, crashes at any call",
            "an error of a call was not committed, but for a timeout after the commit", has<fault>},
    Trouble{"outages", "outages: all calls of a sort fail", "they end before the epilogue", has<outage>},
    Trouble{
        "between-calls", "the world moves between two calls", "optimistic concurrency and preconditions are honoured",
        [](const Scenario& s) {
          return std::ranges::any_of(s.steps, [](const Step& step) { return step.at_call > 0 && step.kind != fault; });
        }},
    Trouble{"second-process", "a second process: hand-over, a leader that comes back, two that sync at once",
            "optimistic concurrency and preconditions are honoured, and one of them leads in the end",
            has<hand_over, rival_sync>},
    Trouble{"turned-gates", "feature gates turned, the program restarted with them", "gates of the API server stay",
            has<turn_gate>},
    Trouble{"other-releases", "another release in the program's place, before it or in between",
            "it is not judged, and the program acts again in the end", has<run_release>},
    Trouble{"skewed-clocks", "clocks that disagree",
            "they agree again before the epilogue; who sees pods ready in the future is not blamed for waiting",
            has<skew_clock>},
    Trouble{"shuffled-lists", "lists in no order", "nothing: no list promises an order",
            [](const Scenario& s) { return s.environment.list_order != 0; }},
    Trouble{"webhooks", "webhooks add a label, a volume and a container to each new pod and set what it asks for",
            "they do so as the pod is made, and never again", [](const Scenario& s) { return s.environment.injects; }},
    Trouble{
        "namesakes", "another namespace, where a set, pods, claims and a revision bear the same names",
        "no cache shows what comes of a turn for it; only a program is shown it, served before a turn or, by another worker, in the midst of one",
        [](const Scenario& s) { return s.environment.namesakes; }},
    Trouble{"late-binding", "claims are Pending until a pod that mounts them starts", "no pod waits for the volume",
            [](const Scenario& s) { return s.environment.binds_late; }},
    Trouble{"large-versions", "resourceVersions that pass what a 32-bit word holds", "they are whole numbers that grow",
            [](const Scenario& s) { return s.environment.versions_from != 0; }},
    Trouble{"fractions", "a clock that shows fractions of seconds, and timers that are a little late",
            "the API's times have none, and are rounded down",
            [](const Scenario& s) { return s.environment.between_seconds; }},
    Trouble{"empty-news", "new versions of the set that ask for nothing new", "the generation stays",
            has<edit_metadata, add_condition>},
    Trouble{"neighbours", "other sets of the namespace, which the same controller serves in between",
            "their names differ, however alike their selectors are, and in the end they are gone",
            has<apply_neighbour, delete_neighbour>},
    Trouble{"lost-and-held", "nodes lost, pods in phase Unknown, terminations and finalizers that linger",
            "in the end nodes are back and finalizers gone",
            [](const Scenario& s) {
              const auto holds_claim = [](const Step& step) {
                return step.kind == edit_claim && step.b == static_cast<std::int32_t>(ClaimEdit::hold);
              };
              return has<lose_node, become_unknown, hold_pod>(s) || std::ranges::any_of(s.steps, holds_claim);
            }},
    Trouble{"random-schedules", "schedules that are fair to nobody (probabilistic concurrency testing)",
            "nothing: whoever can move may be the next to move", has<race>},
};

}  // namespace

std::span<const Trouble> adversary() { return rows; }

std::vector<const Trouble*> troubles_in(const Scenario& scenario) {
  std::vector<const Trouble*> found;
  for (const Trouble& trouble : rows)
    if (trouble.is_in(scenario)) found.push_back(&trouble);
  return found;
}

std::vector<const Trouble*> troubles_around(const Scenario& scenario) {
  return troubles_in({scenario.set, scenario.environment, {}});
}

std::string limit_in(const Trouble& trouble, const Scenario& scenario) {
  std::string text(trouble.limit);
  if (trouble.is_in != &has<race>) return text;
  std::uint64_t moves = 1;
  for (const Step& step : scenario.steps)
    if (step.kind == race) moves = std::max(moves, static_cast<std::uint64_t>(Race::moves_of(step)));
  return text + "; of " + std::to_string(moves) + " moves of " + std::to_string(Race::contenders) +
         " contenders with " + std::to_string(Race::change_points) + " changes one in at most " +
         std::to_string(Race::contenders * moves * moves) + " meets an order that needs " +
         std::to_string(Race::change_points + 1) + " constraints";
}

}  // namespace ordeal::properties
