// The files of corpus/manifests, put into the program when it is built (embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace ordeal::fuzz {

struct EmbeddedFile {
  std::string_view name, bytes;
};
/// By name.
std::span<const EmbeddedFile> corpus_manifests();

}  // namespace ordeal::fuzz
