#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Looks at a finished handout with other people's tools:  check_pdf.sh OUTDIR
# OUTDIR holds sheet.pdf, and sheet.json when the figures are to be compared.
set -uo pipefail

directory=${1:?usage: check_pdf.sh OUTDIR}
pdf=$directory/sheet.pdf
passed=0
failed=0

# check WORDS COMMAND…: passes when the command succeeds; shows what it said when it does not.
check() {
  local words=$1 said
  shift
  if said=$("$@" 2>&1); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $words"
    [ -z "$said" ] || printf '%s\n' "$said" | head -20
  fi
}

info_has() { pdfinfo "$pdf" 2>/dev/null | grep -E "$1"; }

# Every font embedded, cut to what is used, and its text can be read back; four faces.
fonts_are_whole() {
  local fonts
  fonts=$(pdffonts "$pdf" 2>/dev/null | tail -n +3)
  printf '%s\n' "$fonts"
  [ "$(printf '%s\n' "$fonts" | wc -l)" -eq 4 ] &&
    ! printf '%s\n' "$fonts" | grep -vE ' yes +yes +yes +[0-9]+ +[0-9]+$'
}

# No ink within 12 points of the paper's edge.
margins_are_white() {
  local scratch
  scratch=$(mktemp -d)
  pdftoppm -r 72 -gray "$pdf" "$scratch/page" 2>/dev/null
  node - "$scratch"/page*.pgm <<'SCRIPT'
const bytes = require('node:fs').readFileSync(process.argv[2]);
const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 40).toString('latin1'));
const [width, height, start] = [Number(head[1]), Number(head[2]), head[0].length];
let dark = 0;
let margin = 0;
for (let y = 0; y < height; ++y) {
  for (let x = 0; x < width; ++x) {
    if (bytes[start + y * width + x] > 200) continue;
    ++dark;
    if (x < 12 || y < 12 || x >= width - 12 || y >= height - 12) ++margin;
  }
}
console.log(`${dark} dark dots, ${margin} of them in the margins`);
process.exit(dark > 1000 && margin === 0 ? 0 : 1);
SCRIPT
  local result=$?
  rm -rf "$scratch"
  return $result
}

# Every number of the table stands in the page's text, row by row.
table_is_printed() {
  pdftotext -layout "$pdf" - 2>/dev/null | node tests/pdf/table_numbers.mjs "$directory/sheet.json"
}

# Nothing that makes poppler complain: libharu's own map to Unicode did.
poppler_is_silent() {
  local said
  said=$(pdftotext "$pdf" - 2>&1 >/dev/null)
  [ -z "$said" ] || { printf '%s\n' "$said"; return 1; }
}

# No state is saved that could stay open, and the whole page is under 60 KB.
content_is_plain() {
  local states size
  states=$(qpdf --qdf --object-streams=disable "$pdf" - | grep -a -c -x 'q')
  size=$(stat -c %s "$pdf")
  echo "$states saved states, $size bytes"
  [ "$states" -eq 0 ] && [ "$size" -lt 60000 ]
}

# Nothing that people cannot read on paper.
text_is_readable() {
  local least
  least=$(qpdf --qdf --object-streams=disable "$pdf" - | grep -a -oE '[0-9.]+ Tf$' | sort -n | head -1)
  echo "the smallest text has ${least% Tf} points"
  awk -v size="${least% Tf}" 'BEGIN { exit !(size >= 8.5) }'
}

# What a reader looks for first, and nothing cut short.
decision_is_said() {
  local text word missing=0
  text=$(pdftotext -layout "$pdf" - 2>/dev/null)
  for word in Rent 'If that is sold out' 'Own' 'break-even'; do
    printf '%s' "$text" | grep -qF "$word" || { echo "not on the page: $word"; missing=1; }
  done
  ! printf '%s' "$text" | grep -F '…' && [ "$missing" -eq 0 ]
}

outline_has() { qpdf --qdf "$pdf" - | grep -a -c '/Outlines'; }

identity_is_printed() {
  pdftotext -layout "$pdf" - 2>/dev/null | node -e '
const {meta, options} = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
const text = require("node:fs").readFileSync(0, "utf8");
const wanted = [meta.edition, meta.price_as_of.slice(0, 4), meta.catalog_hash.slice(0, 12),
  options.company, options.contact, options.next_edition];
const missing = wanted.filter((part) => !text.includes(part));
if (missing.length > 0) console.log(`not on the page: ${missing.join(", ")}`);
process.exit(missing.length);
' "$directory/sheet.json"
}

check "sheet.pdf is there and not empty" test -s "$pdf"
check "qpdf finds no error" qpdf --check "$pdf"
check "one page" info_has '^Pages: +1$'
check "A4 or Letter, landscape" info_has '^Page size: +(841\.89 x 595\.28|792 x 612) pts'
check "the title names the sheet" info_has '^Title: +[^ ]'
check "four fonts, all embedded, all readable" fonts_are_whole
check "poppler has nothing to say" poppler_is_silent
check "no saved states, under 60 KB" content_is_plain
check "no text under 8.5 points" text_is_readable
check "an outline" outline_has
check "ink on the page, none in the margins" margins_are_white
if [ -f "$directory/sheet.json" ]; then
  check "every number of the table" table_is_printed
  check "rent, own and break-even, nothing cut" decision_is_said
  check "edition, year of prices and hash" identity_is_printed
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
