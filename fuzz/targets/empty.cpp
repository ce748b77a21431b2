// libFuzzer target that asks nothing: what libFuzzer itself costs, for ci/speed-targets.
#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t*, std::size_t) { return 0; }
