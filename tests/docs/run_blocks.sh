#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every ```sh block of README.md and docs/*.md, so that the documents cannot drift:
#   run_blocks.sh PROGRAM
# Each document gets its own copy of the catalog, and its blocks run there in order, with the program
# where a reader has it, build/release/sizesheet. A block that ends with another status than 0 fails.
# An ```output block right after a ```sh block is what that block must print, exactly.
# Blocks in ```bash need a scheduler: tests/build/array_jobs.sh runs them.
# Blocks for the reader only (`make sheet`, `make test`) are ```console: their targets must exist.
set -euo pipefail

program=$(realpath "$1")
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0

# Splits a document into NNN.sh and NNN.output; the first line of each .sh names its place.
split_blocks() {
  awk -v into="$2" -v document="$1" '
    /^```sh$/     { count++; kind = "sh"; file = sprintf("%s/%03d.sh", into, count)
                    printf "# %s:%d\n", document, NR > file; next }
    /^```output$/ { kind = "output"; file = sprintf("%s/%03d.output", into, count)
                    printf "" > file; next }
    /^```/        { if (kind != "") close(file); kind = ""; next }
    kind != ""    { print > file }' "$1"
}

run_block() {
  local block=$1 place status=0
  place=$(head -n 1 "$block" | cut -c 3-)
  bash -euo pipefail "$block" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null || status=$?
  if [ "$status" -ne 0 ]; then
    echo "$place: ended with status $status"
  elif [ -f "${block%.sh}.output" ] && ! diff "${block%.sh}.output" "$scratch/stdout"; then
    echo "$place: prints something else than the document says"
  else
    passed=$((passed + 1))
    return
  fi
  failed=$((failed + 1))
  tail -n +2 "$block" | sed 's/^/    /'
  head -c 2000 "$scratch/stdout" "$scratch/stderr"
}

run_document() {
  local document=$1 place
  place="$scratch/$(basename "$document" .md)"
  mkdir -p "$place/blocks" "$place/tree/build/release"
  cp -r "$root/catalog" "$root/templates" "$root/output" "$place/tree/"
  mkdir "$place/tree/docs"
  cp "$root/docs/alignment.json" "$place/tree/docs/"
  ln -s "$program" "$place/tree/build/release/sizesheet"
  split_blocks "$document" "$place/blocks"
  cd "$place/tree"
  for block in "$place"/blocks/*.sh; do
    if [ -f "$block" ]; then
      run_block "$block"
    fi
  done
  cd "$root"
}

check_make_targets() {
  local target
  for target in $(grep -ohE '(^|`)make [a-z]+' README.md CONTRIBUTING.md docs/*.md | grep -oE '[a-z]+$' | sort -u); do
    if grep -qE "^$target:" Makefile; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "the documents name 'make $target', the Makefile does not"
    fi
  done
}

# A reader runs the documents one after the other in one clone: a folder of pages is no folder of facts, and `init` overwrites
# nothing.
check_names() {
  local word=$1 names
  names=$(grep -ohE -- "$2" README.md docs/*.md | sed 's/.* //' | sort | uniq -d)
  if [ -z "$names" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "the documents use one name twice for $word:" $names
  fi
}

names_of() {
  grep -ohE -- "$1 [a-z][a-z.-]*" README.md docs/*.md | sed 's/.* //' | sort -u
}

check_both_names() {
  local both
  both=$(comm -12 <(names_of --out) <(names_of --catalog))
  if [ -z "$both" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "the documents use one name for an edition and for a catalog:" $both
  fi
}

for document in README.md docs/*.md; do
  run_document "$document"
done
check_make_targets
check_names "sheets that init writes" 'sizesheet init [a-z/.-]+'
check_both_names

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
