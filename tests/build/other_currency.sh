#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An edition in euros against the dollar one: what machines read is the same to the byte, the forms hold the same figures
# times the rate, and no dollar is left but in what is quoted. Then the same in German:  other_currency.sh PROGRAM EDITION OUTDIR
set -euo pipefail

unset SOURCE_DATE_EPOCH
export PYTHONDONTWRITEBYTECODE=1
program=$1
edition=$2
euros=$3
rm -rf "$euros" "$euros-converted" "$euros-german"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python3 - "$scratch" <<'PYTHON'
import json, sys
sheet = json.load(open("catalog/sheets/quarterly.json"))
sheet["currency"] = {"code": "EUR", "symbol": "€", "usd_per_unit": 1.0842, "as_of": "2026-10-09", "source": "ECB"}
json.dump(sheet, open(sys.argv[1] + "/quarterly.json", "w"))
sheet["labels"] = "builtin/labels/de.json"
json.dump(sheet, open(sys.argv[1] + "/german.json", "w"))
PYTHON
"$program" build --sheet "$scratch/quarterly.json" --catalog catalog --out "$euros" 2>/dev/null
"$program" verify "$euros"
for file in sheet.csv prices.csv charges.csv; do cmp "$edition/$file" "$euros/$file"; done
python3 - "$euros/sheet.json" "$edition/sheet.json" <<'PYTHON'
import json, sys
euros, dollars = (json.load(open(file)) for file in sys.argv[1:])
del euros["meta"]["exchange"]
for sheet in (euros, dollars):
    sheet["inputs"]["sheet"].pop("currency", None)
sys.exit(euros != dollars and "sheet.json: expected the dollars of the edition, got other figures")
PYTHON

python3 tests/numbers/in_currency.py "$euros" "$euros-converted"
python3 tests/numbers/page_numbers.py "$euros-converted" templates
python3 tests/numbers/advice_word.py "$euros-converted"
bash tests/pdf/check_pdf.sh "$euros-converted"
pdftotext "$euros/sheet.pdf" - | grep -F '1 EUR = $1.0842 on 2026-10-09 (ECB)'
grep -qF '1 EUR = $1.0842 on 2026-10-09 (ECB)' "$euros/index.html"
bash tests/xlsx/check_xlsx.sh "$program" "$euros-converted" €

"$program" build --sheet "$scratch/german.json" --catalog catalog --out "$euros-german" 2>"$scratch/warnings"
! grep 'sheet.pdf' "$scratch/warnings"
"$program" verify "$euros-german"
cmp "$edition/sheet.csv" "$euros-german/sheet.csv"
python3 tests/numbers/same_figures.py "$euros" "$euros-german"
