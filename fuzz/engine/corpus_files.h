// The files of the corpus, put into the program when it is built (embed.cmake), so that a run needs none of them.
#pragma once

#include <span>
#include <string_view>

namespace ordeal::fuzz {

struct EmbeddedFile {
  std::string_view name, bytes;
};
/// Of corpus/manifests, by name.
std::span<const EmbeddedFile> corpus_manifests();
/// Stored scenarios that some controller broke a promise in: killers, those of real controllers first, then releases
/// and regressions; by name in each folder.
std::span<const EmbeddedFile> corpus_stories();

}  // namespace ordeal::fuzz
