#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every relative link and picture of the documents leads to a file of this project, and every anchor
# to a heading.
set -euo pipefail

root=$PWD
checked=0
failed=0

fault() {
  echo "$*"
  failed=$((failed + 1))
}

# The anchors of a document: headings in lower case, blanks as hyphens, other signs dropped.
anchors() {
  sed -nE 's/^#+ +(.*)$/\1/p' "$1" | tr '[:upper:]' '[:lower:]' |
    sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

check_link() {
  local document=$1 link=$2 file anchor
  file=${link%%#*}
  anchor=""
  if [ "$link" != "$file" ]; then
    anchor=${link#*#}
  fi
  if [ -z "$file" ]; then
    file=$(basename "$document")
  fi
  file=$(realpath -m "$(dirname "$document")/$file")
  case "$file" in
    "$root"/*) ;;
    *) fault "$document: $link leaves the project" && return ;;
  esac
  if [ ! -e "$file" ]; then
    fault "$document: $link: no such file"
  elif [ -n "$anchor" ] && ! anchors "$file" | grep -qxF "$anchor"; then
    fault "$document: $link: no such heading"
  fi
}

for document in README.md CHANGELOG.md CONTRIBUTING.md docs/*.md; do
  for link in $(grep -oE '\]\([^) ]+\)' "$document" | sed -E 's/^\]\(//; s/\)$//'); do
    case "$link" in
      http://*) fault "$document: $link: not https" ;;
      https://* | mailto:*) ;;
      *) check_link "$document" "$link" ;;
    esac
    checked=$((checked + 1))
  done
done

echo "$checked links checked, $failed faults"
[ "$failed" -eq 0 ]
