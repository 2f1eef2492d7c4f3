#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Recalculates the workbook of a finished edition in LibreOffice, as it is and after changes of its
# inputs, and holds every cost cell against the program:  check_xlsx.sh PROGRAM EDITION [SIGN]
# With the sign of another currency as it is alone: the program builds no changed catalog in it to compare with.
set -euo pipefail

unset SOURCE_DATE_EPOCH
export PYTHONDONTWRITEBYTECODE=1
program=$1
edition=$2
sign=${3:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A profile of its own that calculates every formula on loading. Without it LibreOffice would show
# what the file says the formulas came to.
mkdir -p "$scratch/always/user" "$scratch/never/user"
settings() {
  cat <<XML
<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode"
 oor:op="fuse"><value>$1</value></prop></item>
</oor:items>
XML
}
settings 0 >"$scratch/always/user/registrymodifications.xcu"
settings 1 >"$scratch/never/user/registrymodifications.xcu"

# cells MODE WORKBOOK FOLDER: every sheet of the workbook as a CSV file of unrounded figures.
cells() {
  cp "$2" "$scratch/sheet.xlsx"
  soffice "-env:UserInstallation=file://$scratch/$1" --headless --convert-to \
    'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1' \
    --outdir "$3" "$scratch/sheet.xlsx" >"$scratch/soffice.log" 2>&1 ||
    { cat "$scratch/soffice.log"; exit 1; }
  [ -z "$sign" ] || sed -i "s/$sign/\$/g" "$3"/*.csv
}

run() { python3 tests/xlsx/check_xlsx.py "$@"; }
same() { run same "$@" "$edition/sheet.json"; }

cells never "$edition/sheet.xlsx" "$scratch/as-written"
cells always "$edition/sheet.xlsx" "$scratch/base"
run parts "$edition/sheet.xlsx"
same "as written" "$scratch/as-written" "$edition/sheet.json"
same "recalculated" "$scratch/base" "$edition/sheet.json"

[ -z "$sign" ] || exit 0

for case in price rates rules rents; do
  cp -r catalog "$scratch/catalog-$case"
  run change "$case" "$edition/sheet.xlsx" "$scratch/base" "$edition/sheet.json" \
    "$scratch/$case.xlsx" "$scratch/catalog-$case"
  "$program" build --catalog "$scratch/catalog-$case" --out "$scratch/edition-$case"
  cells always "$scratch/$case.xlsx" "$scratch/$case"
  run moved "$scratch/base" "$scratch/$case"
  same "$case changed" "$scratch/$case" "$scratch/edition-$case/sheet.json"
done
run untrusted "$scratch/edition-price/sheet.xlsx"
