#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts the C++ sources into the project's format; with --check only says which are not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/clang-14.sh clang-format || exit 0

mode=(-i)
if [ "${1:-}" = --check ]; then
  mode=(--dry-run -Werror)
fi
find generator tests -name node_modules -prune -o \( -name '*.h' -o -name '*.cc' -o -name '*.c' \) -print0 |
  sort -z | xargs -0 -r -n 8 -P "$(nproc)" clang-format "${mode[@]}"
