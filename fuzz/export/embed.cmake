# Writes OUTPUT, the definition of go_test_support(), from the file INPUT.
file(READ ${INPUT} hex HEX)
file(SIZE ${INPUT} size)
string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${hex}")
string(REGEX REPLACE "((\\\\x..)(\\\\x..)(\\\\x..)(\\\\x..)(\\\\x..)(\\\\x..)(\\\\x..)(\\\\x..))" "\\1\"\n    \"" bytes "${bytes}")
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
