# Writes OUTPUT, the definition of corpus_manifests(), from the manifests in DIRECTORY.
include(${CMAKE_CURRENT_LIST_DIR}/../bytes.cmake)
file(GLOB files ${DIRECTORY}/*.yaml ${DIRECTORY}/*.yml ${DIRECTORY}/*.json)
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  c_bytes(${file} bytes)
  file(SIZE ${file} size)
  string(APPEND rows "    {\"corpus/manifests/${name}\",\n     std::string_view(\n    \"${bytes}\", ${size})},\n")
endforeach()
list(LENGTH files count)
file(WRITE ${OUTPUT} "// Made from corpus/manifests by fuzz/engine/embed.cmake.
#include \"fuzz/engine/corpus_manifests.h\"

namespace ordeal::fuzz {

std::span<const EmbeddedFile> corpus_manifests() {
  static constexpr EmbeddedFile files[${count} + 1] = {
${rows}    {},
  };
  return {files, ${count}};
}

}  // namespace ordeal::fuzz
")
