#!/usr/bin/env bash
# Builds the fuzz targets the way OSS-Fuzz and ClusterFuzzLite ask for: by their CC, CXX, CFLAGS, CXXFLAGS and
# LIB_FUZZING_ENGINE, from SRC in WORK into OUT. No sanitizer flag is added here: theirs are all there is.
# yaml-cpp is built along, from SRC/yaml-cpp, since its package is built with another C++ library than these targets.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
: "${SRC:?}" "${WORK:?}" "${OUT:?}" "${CC:?}" "${CXX:?}" "${LIB_FUZZING_ENGINE:?}"
export CFLAGS=${CFLAGS-} CXXFLAGS=${CXXFLAGS-}

configure() { cmake -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" "$@" > /dev/null; }

configure -S "$SRC/yaml-cpp" -B "$WORK/yaml-cpp" -DCMAKE_INSTALL_PREFIX="$WORK/installed" -DYAML_CPP_BUILD_TESTS=OFF \
  -DYAML_CPP_BUILD_TOOLS=OFF -DYAML_BUILD_SHARED_LIBS=OFF -DCMAKE_POLICY_VERSION_MINIMUM=3.5
cmake --build "$WORK/yaml-cpp" --target install > /dev/null
configure -S "$root" -B "$WORK/ordeal" -DCMAKE_PREFIX_PATH="$WORK/installed" -DORDEAL_TESTS=OFF -DORDEAL_COMMAND=OFF \
  -DORDEAL_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$WORK/ordeal"

seeds() {  # TARGET DIRECTORY...: the seed corpus of a target, as files of one zip
  local target=$1
  shift
  rm -rf "$WORK/seeds" && mkdir "$WORK/seeds"
  find "$@" -type f -name '*.*' ! -name README.md -exec cp -t "$WORK/seeds" {} +
  (cd "$WORK/seeds" && rm -f "$OUT/${target}_seed_corpus.zip" && python3 -m zipfile -c "$OUT/${target}_seed_corpus.zip" ./*)
}
for built in "$WORK"/ordeal/fuzz/fuzz_*; do
  [[ -f $built && -x $built ]] || continue
  target=$(basename "$built")
  cp "$built" "$OUT/"
  case $target in
    fuzz_manifest) seeds "$target" "$root/corpus/manifests" ;;
    fuzz_call) seeds "$target" "$root/corpus/calls" ;;
    *) seeds "$target" "$root/corpus/scenarios" "$root/corpus/regressions" ;;
  esac
  printf '[libfuzzer]\nmax_len = 65536\nlen_control = 0\n' > "$OUT/$target.options"
done
