#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# output/ is what the program writes from catalog/ today:  committed.sh FRESH_EDITION
# It is committed as Debian 12's packages write it. Those of another release may give other bytes to three files,
# which then have to say the same:
#   sheet.pdf      zlib compresses the page, and HarfBuzz cuts the fonts, into other bytes: same text, same picture
#   sheet.xlsx     zlib compresses the parts, and libxlsxwriter writes them, otherwise: same cells
#   manifest.json  holds the hashes of these two: the other hashes are the same
set -euo pipefail

fresh=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "output/ is not what the program writes now${1:+: $1}. Run 'make sheet' and commit output/."
  exit 1
}

release=$(sed -n 's/^VERSION_ID="\?\([0-9]*\).*/\1/p' /etc/os-release)
if [ "$release" = 12 ]; then
  diff --recursive --brief output "$fresh" || fail
  echo "output/ equals a fresh build"
  exit 0
fi

diff --recursive --brief --exclude=sheet.pdf --exclude=sheet.xlsx --exclude=manifest.json output "$fresh" || fail

# The formulas and figures of every sheet, and the words they point to.
cells='
import re, sys, zipfile
book = zipfile.ZipFile(sys.argv[1])
for name in sorted(book.namelist()):
    if re.fullmatch(r"xl/(worksheets/sheet\d+|sharedStrings)\.xml", name):
        print(name, re.search(r"<(sheetData|sst)\b.*</\1>", book.read(name).decode(), re.DOTALL).group())
'

# same_by COMMAND…: says the same of both editions; @ stands for either.
same_by() {
  local side words
  for side in output "$fresh"; do
    words=("${@//@/$side}")
    "${words[@]}" >"$scratch/$(basename "$side").said"
  done
  cmp "$scratch/output.said" "$scratch/$(basename "$fresh").said" || fail "$*"
}
same_by pdftotext -layout @/sheet.pdf -
same_by pdftoppm -r 60 -gray @/sheet.pdf
same_by grep -vE '"sheet\.(pdf|xlsx)"' @/manifest.json
same_by python3 -c "$cells" @/sheet.xlsx
echo "output/ says what a fresh build says; on Debian $release sheet.pdf and sheet.xlsx have other bytes"
