#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each release of clang's tools finds and wants other things; the project goes by those of Debian 12. Fails, and
# says so, where the one named is of another release.
#   tools/clang-14.sh clang-format
set -euo pipefail
version=$("$1" --version | sed -nE 's/.*version ([0-9]+).*/\1/p')
if [ "$version" != 14 ]; then
  echo "$1 14 decides, this is $version: nothing was looked at"
  exit 1
fi
