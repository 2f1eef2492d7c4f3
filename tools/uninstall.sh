#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Removes what `cmake --install` wrote:  uninstall.sh BUILD [DESTDIR]
# The build folder keeps the list of the last installation.
set -euo pipefail

list=$1/install_manifest.txt
below=${2:-}
if [ ! -f "$list" ]; then
  echo "uninstall: $list: nothing was installed from here; make install writes that list" >&2
  exit 2
fi
while IFS= read -r file || [ -n "$file" ]; do
  rm -f "$below$file"
done <"$list"
# Folders of sizesheet alone; those of others stay.
sed -nE 's,^(.*/(include|share|doc|cmake)/sizesheet)/.*,\1,p' "$list" | LC_ALL=C sort -u | while IFS= read -r folder; do
  if [ -d "$below$folder" ]; then
    find "$below$folder" -depth -type d -empty -delete
  fi
done
rm -f "$list"
