#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where the instructions of the quarterly build go, and those of the memory bill of a pipeline stage: each
# function with all it calls.  profile.sh PROGRAM CATALOG   (needs valgrind, takes two minutes)
set -euo pipefail

program=$(realpath "$1")
catalog=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

valgrind --tool=callgrind --callgrind-out-file="$scratch/calls" "$program" build --catalog "$catalog" \
  --out "$scratch/edition" --jobs 1 > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 2; }
callgrind_annotate --inclusive=yes --threshold=100 "$scratch/calls" > "$scratch/shares"
callgrind_annotate --inclusive=yes --tree=caller --threshold=100 "$scratch/calls" > "$scratch/tree"

echo "instructions: $(awk '/PROGRAM TOTALS/ { print $1 }' "$scratch/shares")"
for name in load_catalog check_facts build_sheet sweep add_worksheets add_advice validate edition_files \
  HtmlWriter::write XlsxWriter::write PdfWriter::write JsonWriter::write publish_edition \
  read_question answer plan binding_words LayoutSearch::best least_count; do
  awk -v name=":sizesheet::$name" 'index($0, name "(") || index($0, name "[") {
    match($0, /[0-9.]+%/); printf "%7s  %s\n", substr($0, RSTART, RLENGTH), substr(name, 13); exit }' "$scratch/shares"
done
for name in malloc free; do
  awk -v name=":$name " 'index($0, name) { match($0, /[0-9.]+%/)
    printf "%7s  %s\n", substr($0, RSTART, RLENGTH), substr(name, 2); exit }' "$scratch/shares"
done

echo "a call of each part of a memory bill: instructions, and how many calls"
for name in '::step_pieces_of(' '::memory_pieces<double>(' '::allocated_bytes(' '::memory_bill('; do
  awk -v name="$name" '/  <  *[^ ]/ { if (match($0, /\([0-9,]+x\)/)) {
      count = substr($0, RSTART + 1, RLENGTH - 3); gsub(",", "", count); calls += count } next }
    /  \*  / { if (index($0, name) && calls) { all = $1; gsub(",", "", all)
      printf "%7d  %s  %d\n", all / calls, substr(name, 3), calls; exit } }
    /^$/ { calls = 0 }' "$scratch/tree"
done
