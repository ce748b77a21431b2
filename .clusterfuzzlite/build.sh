#!/bin/bash -eu
exec "$SRC/ordeal/ci/oss_fuzz/build.sh"
