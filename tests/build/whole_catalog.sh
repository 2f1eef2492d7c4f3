#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds a sheet of every model of the catalog and looks at what is large in it: the matrix stays
# under 6 kB a model and works, the handout shows the models chosen for it, every file is whole.
#   whole_catalog.sh PROGRAM OUTDIR
set -euo pipefail

unset SOURCE_DATE_EPOCH
program=$1
edition=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

node tests/build/whole_catalog.mjs catalog > "$scratch/whole.json"
rm -rf "$edition"
"$program" build --catalog catalog --sheet "$scratch/whole.json" --out "$edition" 2>/dev/null
bash tests/pdf/check_pdf.sh "$edition"
python3 -m zipfile -t "$edition/sheet.xlsx" > /dev/null
node tests/browser/whole_catalog.mjs "$edition" catalog

# Without a choice for the handout, the message says how to make one.
node -e 'const sheet = require(process.argv[1]); delete sheet.handout; console.log(JSON.stringify(sheet));' \
  "$scratch/whole.json" > "$scratch/crowded.json"
if "$program" build --catalog catalog --sheet "$scratch/crowded.json" --out "$scratch/out" 2> "$scratch/said"; then
  echo "a page of all models was not refused"
  exit 1
fi
grep -q 'table: .* rows fit; name the models of the page in handout/models of the sheet' "$scratch/said"
