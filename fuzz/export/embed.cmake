# Writes OUTPUT, the definition of go_test_support(), from the file INPUT.
include(${CMAKE_CURRENT_LIST_DIR}/../bytes.cmake)
c_bytes(${INPUT} bytes)
file(SIZE ${INPUT} size)
file(WRITE ${OUTPUT} "// Made from fuzz/export/go_test.go.txt by fuzz/export/embed.cmake.
#include \"fuzz/export/go_test.h\"

namespace ordeal::fuzz {

std::string_view go_test_support() {
  static constexpr char text[] =
    \"${bytes}\";
  return {text, ${size}};
}

}  // namespace ordeal::fuzz
")
