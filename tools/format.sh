#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts the C++ sources into the project's format; with --check only says which are not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Each release of clang-format has a taste of its own; the project's is that of Debian 12.
version=$(clang-format --version | sed -nE 's/.*version ([0-9]+).*/\1/p')
if [ "$version" != 14 ]; then
  echo "format: clang-format 14 decides, this is $version: nothing was looked at"
  exit 0
fi

mode=(-i)
if [ "${1:-}" = --check ]; then
  mode=(--dry-run -Werror)
fi
find generator tests -name node_modules -prune -o \( -name '*.h' -o -name '*.cc' -o -name '*.c' \) -print0 |
  sort -z | xargs -0 -r -n 8 -P "$(nproc)" clang-format "${mode[@]}"
