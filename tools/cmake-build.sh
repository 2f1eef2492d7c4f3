#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures a preset where that was not done yet, then builds targets:  cmake-build.sh PRESET TARGET…
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=$1
shift
if [ ! -f "build/$preset/build.ninja" ]; then
  cmake --preset "$preset"
fi
cmake --build --preset "$preset" --target "$@"
