# Writes OUTPUT, the definitions of corpus_files.h, from the files in CORPUS.
include(${CMAKE_CURRENT_LIST_DIR}/../bytes.cmake)

# embedded(FUNCTION FOLDER...): what FUNCTION of corpus_files.h returns: the files of these folders.
function(embedded function)
  set(rows "")
  set(count 0)
  foreach(folder IN LISTS ARGN)
    file(GLOB files ${CORPUS}/${folder}/*.yaml ${CORPUS}/${folder}/*.yml ${CORPUS}/${folder}/*.json)
    list(SORT files)
    foreach(file IN LISTS files)
      get_filename_component(name ${file} NAME)
      c_bytes(${file} bytes)
      file(SIZE ${file} size)
      string(APPEND rows "    {\"corpus/${folder}/${name}\",\n     std::string_view(\n    \"${bytes}\", ${size})},\n")
      math(EXPR count "${count} + 1")
    endforeach()
  endforeach()
  file(APPEND ${OUTPUT} "
std::span<const EmbeddedFile> ${function}() {
  static constexpr EmbeddedFile files[${count} + 1] = {
${rows}    {},
  };
  return {files, ${count}};
}
")
endfunction()

file(WRITE ${OUTPUT} "// Made from the corpus by fuzz/engine/embed.cmake.
#include \"fuzz/engine/corpus_files.h\"

namespace ordeal::fuzz {
")
embedded(corpus_manifests manifests)
embedded(corpus_stories killers/upstream killers killers/source releases regressions)
file(APPEND ${OUTPUT} "
}  // namespace ordeal::fuzz
")
