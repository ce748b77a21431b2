// ordeal validate: would the API server take these manifests?
#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/engine/first_sets.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

using properties::counted;

int validate_command(const std::vector<std::string>& files) {
  const ReadSets read = read_set_files(files);
  for (const std::string& note : read.notes) complain(note);
  std::string text;
  for (const std::string& error : read.errors) text += error + "\n";
  if (read.errors.empty()) text = "valid: " + counted(read.sets.size(), "StatefulSet") + "\n";
  if (!print(text)) return exit_inconclusive;
  return read.errors.empty() ? exit_held : exit_bad_input;
}

}  // namespace ordeal::fuzz
