#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds an edition with a page of changes, against one of a made-up older catalog, and holds the two
# ways to name a baseline against each other:  changed_edition.sh PROGRAM OUTDIR
set -euo pipefail

unset SOURCE_DATE_EPOCH
program=$1
edition=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

node tests/browser/old_catalog.mjs catalog "$scratch/catalog"
"$program" build --catalog "$scratch/catalog" --out "$scratch/old" 2>/dev/null
rm -rf "$edition"
"$program" build --catalog catalog --out "$edition" --baseline "$scratch/old" 2>/dev/null
"$program" build --catalog catalog --out "$scratch/again" --baseline "$scratch/old/sheet.json" \
  --jobs 1 2>/dev/null
diff --recursive --brief "$edition" "$scratch/again"
grep -q '"changes.html"' "$edition/manifest.json"
