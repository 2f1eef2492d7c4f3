#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures a preset where that was not done yet, then builds targets:  cmake-build.sh PRESET TARGET…
# For the program alone no package of the tests is asked for.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=$1
shift
build=build/$preset
tests=ON
if [[ $* =~ ^(sizesheet|accompanying)$ ]]; then
  tests=OFF
fi
if [ ! -f "$build/build.ninja" ] ||
  { [ "$tests" = ON ] && ! grep -q '^SIZESHEET_TESTS:BOOL=ON$' "$build/CMakeCache.txt"; }; then
  cmake --preset "$preset" -DSIZESHEET_TESTS="$tests"
fi
cmake --build --preset "$preset" --target "$@"
