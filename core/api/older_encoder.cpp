#include "core/api/older_encoder.h"

namespace ordeal {

namespace {

/// Where the map of texts to texts that begins at `from` ends.
std::size_t end_of_texts(std::string_view json, std::size_t from) {
  bool in_text = false;
  for (std::size_t i = from; i < json.size(); ++i) {
    if (json[i] == '\\') ++i;
    else if (json[i] == '"') in_text = !in_text;
    else if (json[i] == '}' && !in_text) return i + 1;
  }
  return json.size();
}

}  // namespace

// In texts quotes are escaped, so that the words stand for the member wherever they stand. Of all members of metadata
// only annotations sort before the creation time.
std::string with_null_times(std::string_view data) {
  constexpr std::string_view begin = "\"metadata\":{", annotations = "\"annotations\":{",
                             null = "\"creationTimestamp\":null";
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = data.find(begin); at != data.npos; at = data.find(begin, done)) {
    std::size_t place = at + begin.size();
    const bool after = data.substr(place).starts_with(annotations);
    if (after) place = end_of_texts(data, place + annotations.size());
    out.append(data.substr(done, place - done)).append(after ? "," : "").append(null);
    if (!after && place < data.size() && data[place] != '}') out += ',';
    done = place;
  }
  return out.append(data.substr(done));
}

}  // namespace ordeal
