#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# output/ is what the program writes from catalog/ today:  committed.sh FRESH_EDITION
set -euo pipefail

if ! diff --recursive --brief output "$1"; then
  echo "output/ is not what the program writes now. Run 'make sheet' and commit output/."
  exit 1
fi
echo "output/ equals a fresh build"
