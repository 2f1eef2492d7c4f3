#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the edition that the other tests look at:  fresh_edition.sh PROGRAM OUTDIR
set -euo pipefail

unset SOURCE_DATE_EPOCH
program=$1
edition=$2
rm -rf "$edition"
"$program" build --catalog catalog --out "$edition"
for file in sheet.pdf sheet.xlsx sheet.json index.html manifest.json; do
  if [ ! -s "$edition/$file" ]; then
    echo "the edition has no $file"
    exit 1
  fi
done
