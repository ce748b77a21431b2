// A main for fuzz targets in builds without libFuzzer: gives them each file named, and each file below each directory
// named, in the order of names. Without a name: the empty input. So targets are built and run everywhere.
#include <cstdint>
#include <cstdio>
#include <string>

#include "fuzz/engine/files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  constexpr std::size_t largest = std::size_t{64} << 20;
  std::size_t inputs = 0;
  if (argc < 2) LLVMFuzzerTestOneInput(nullptr, 0);
  for (int i = 1; i < argc; ++i) {
    for (const std::string& file : ordeal::fuzz::files_below(argv[i])) {
      const auto bytes = ordeal::fuzz::read_file(file, largest);
      if (!bytes) {
        std::fprintf(stderr, "%s\n", bytes.error().c_str());
        return 2;
      }
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes->data()), bytes->size());
      ++inputs;
    }
  }
  std::printf("%zu inputs\n", inputs);
  return 0;
}
