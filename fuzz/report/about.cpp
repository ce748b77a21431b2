#include "fuzz/report/about.h"

#include "fuzz/report/columns.h"
#include "fuzz/report/known.h"
#include "fuzz/report/report.h"
#include "properties/mutants/mutants.h"
#include "properties/sources/sources.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;

std::string item(std::string_view name, const std::string& words) { return wrapped("  " + padded(name, 12), words); }

std::string judged(const Invariant& invariant) {
  return std::string(invariant.when == When::settled ? "once everything has come to rest" : "after every step") +
         (invariant.judges == Judges::truth ? ", by what the API server holds" : ", by what the controller was shown");
}

std::string sentences_text(const Invariant& invariant) {
  std::string text;
  each_sentence_of(invariant, [&](const properties::Document& document, const Sentence& sentence) {
    text += item(text.empty() ? "says" : "",
                 std::string(document.name) + ", " + std::string(sentence.section) + ": " + std::string(sentence.says));
  });
  return text;
}

std::string known_text(const Invariant& invariant) {
  std::string text;
  for (const Known& known : known_violations())
    if (known.invariant == invariant.id)
      text += item(text.empty() ? "known" : "", std::string(known.controller) + ": " + std::string(known.about) + " (" +
                                                    std::string(known.thread) + ")");
  return text;
}

std::string mutants_text(const Invariant& invariant) {
  std::string text;
  for (const Mutant& mutant : mutants())
    if (mutant.invariant == invariant.id)
      text +=
          item(text.empty() ? "catches" : "", "mutant:" + std::string(mutant.id) + ": " + std::string(mutant.about));
  return text;
}

}  // namespace

std::string about_text(const Invariant& invariant) {
  return std::string(invariant.id) + "\n" + item("promise", std::string(invariant.promise)) +
         item("source", std::string(invariant.source)) + item("level", std::string(name_of(invariant.level))) +
         item("judged", judged(invariant)) + sentences_text(invariant) + known_text(invariant) +
         mutants_text(invariant);
}

}  // namespace ordeal::fuzz
