#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No file of the project names a path of somebody's machine, and no script or document leaves the
# project by a relative path.
set -euo pipefail

traces='(^|[^A-Za-z0-9._-])/(home|root|Users|work|mnt)/[A-Za-z0-9]'
found=0
while IFS= read -r -d '' file; do
  if grep -InE "$traces" "$file" | cut -c 1-200 | sed "s|^|$file:|" | grep .; then
    found=1
  fi
done < <(find . \( -name .git -o -name build -path ./build -o -name node_modules \) -prune \
  -o -type f -print0 | sort -z)
[ "$found" -eq 0 ]
echo "no paths of a machine"
