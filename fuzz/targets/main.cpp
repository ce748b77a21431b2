// A main for fuzz targets in builds without libFuzzer: gives them each file named, and each file below each directory
// named, in the order of names. Without a name: the empty input. So targets are built and run everywhere.
#include <cstdint>
#include <cstdio>
#include <expected>
#include <string>

#include "fuzz/engine/files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

/// How many inputs there were below a path; the error names what could not be read.
std::expected<std::size_t, std::string> give_all(const std::string& path) {
  constexpr std::size_t largest = std::size_t{64} << 20;
  const auto files = ordeal::fuzz::files_below(path);
  if (!files) return std::unexpected(files.error());
  for (const std::string& file : *files) {
    const auto bytes = ordeal::fuzz::read_file(file, largest);
    if (!bytes) return std::unexpected(bytes.error());
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size());
  }
  return files->size();
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t inputs = 0;
  if (argc < 2) LLVMFuzzerTestOneInput(nullptr, 0);
  for (int i = 1; i < argc; ++i) {
    const auto given = give_all(argv[i]);
    if (!given) {
      std::fprintf(stderr, "%s\n", given.error().c_str());
      return 2;
    }
    inputs += *given;
  }
  std::printf("%zu inputs\n", inputs);
  return 0;
}
