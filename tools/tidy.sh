#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy over the program's sources (or the files given); every finding is an error. All sources are
# looked at as they are compiled, several of a folder as one. What passed is not looked at again until
# it, a header, or the check list changes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/clang-14.sh clang-tidy || exit 0

build=build/tidy
if [ ! -f "$build/build.ninja" ]; then
  cmake --preset tidy >/dev/null
else
  cmake "$build" >/dev/null  # new files
fi
mkdir -p "$build/passed"
headers=$(find generator -name '*.h' -print0 | sort -z | xargs -0 cat .clang-tidy | sha256sum)
export build headers

tidy_one() {
  local mark
  mark="$build/passed/$( (echo "$headers $1"; sed -nE 's/^#include "(.*\.cc)"/\1/p' "$1" | xargs -r cat "$1") |
    sha256sum | cut -c 1-40)"
  if [ -f "$mark" ]; then
    return
  fi
  # The compile commands are those of g++, whose warning options clang does not all know.
  clang-tidy -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option "$1" \
    2> >(grep -vE '(warnings?|errors?) generated' >&2)
  touch "$mark"
}
export -f tidy_one

if [ $# -eq 0 ]; then
  mapfile -t together < <(sed -nE 's|^ *"file": "(.*/sizesheet_lib.dir/Unity/.*)"$|\1|p' "$build/compile_commands.json")
  set -- "${together[@]}" generator/main.cc
fi
printf '%s\0' "$@" | xargs -0 -r -n 1 -P "$(nproc)" bash -euo pipefail -c 'tidy_one "$1"' tidy
