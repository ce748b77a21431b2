#include "fuzz/report/stories.h"

#include <algorithm>
#include <tuple>

namespace ordeal::fuzz {

namespace {

using namespace properties;

/// Drawn as one, and shrunk alike if at all.
bool are_one_scenario(const Shown& a, const Shown& b) {
  const Scenario &one = a.finding.scenario, &other = b.finding.scenario;
  return a.finding.trial == b.finding.trial && a.from == b.from && one.environment == other.environment &&
         one.steps == other.steps;
}

bool have_one_cause(const Finding& story, const Finding& other) {
  return story.cause && other.cause && (*story.cause == *other.cause || is_noisier(*other.cause, *story.cause));
}

bool tells(const Shown& story, const Shown& other) {
  if (&story == &other) return true;
  return std::ranges::find(story.breaks, other.finding.invariant) != story.breaks.end() &&
         (are_one_scenario(story, other) || have_one_cause(story.finding, other.finding));
}

ToldStory story_of(const Shown& told, std::span<const Shown* const> findings) {
  ToldStory story{&told, {}};
  for (const Shown* other : findings)
    if (other != &told && tells(told, *other)) story.also.push_back(other);
  return story;
}

/// It says what was done wrong, where others say what came of it in the end.
bool is_direct(const Finding& finding) { return finding.invariant->when == When::every_step; }

/// The first of these stories to be told.
ToldStory best_of(std::span<const Shown* const> findings) {
  std::vector<ToldStory> stories;
  for (const Shown* told : findings) stories.push_back(story_of(*told, findings));
  const auto rank = [](const ToldStory& story) {
    const Finding& finding = story.told->finding;
    return std::tuple(!is_direct(finding), -std::ssize(story.also), !finding.cause, finding.scenario.steps.size(),
                      finding.breach.step, finding.breach.sync);
  };
  return *std::ranges::min_element(stories, {}, rank);
}

}  // namespace

std::vector<ToldStory> stories_of(std::span<const Shown> findings) {
  std::vector<const Shown*> left;
  for (const Shown& shown : findings) left.push_back(&shown);
  std::vector<ToldStory> stories;
  while (!left.empty()) {
    const ToldStory& next = stories.emplace_back(best_of(left));
    std::erase_if(left, [&](const Shown* shown) {
      return shown == next.told || std::ranges::find(next.also, shown) != next.also.end();
    });
  }
  return stories;
}

}  // namespace ordeal::fuzz
