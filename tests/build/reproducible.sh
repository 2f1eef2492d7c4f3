#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Same inputs, same bytes: another run, time zone, locale, number of jobs, working directory, and
# another age and order of the files must not change the edition:  reproducible.sh PROGRAM FRESH_EDITION
set -euo pipefail

unset SOURCE_DATE_EPOCH
program=$1
edition=$2
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A German locale (decimal comma) for the test alone, where Debian's sources of locales are installed.
german=C.UTF-8
if [ -f /usr/share/i18n/locales/de_DE ] && command -v localedef >/dev/null; then
  mkdir "$scratch/locales"
  localedef -i de_DE -f UTF-8 "$scratch/locales/de_DE.UTF-8"
  german=de_DE.UTF-8
fi

same() {
  local name=$1
  if ! diff --recursive --brief "$edition" "$scratch/$name"; then
    echo "not reproducible: $name"
    exit 1
  fi
  echo "same bytes: $name"
}

"$program" build --catalog catalog --out "$scratch/again"
same again

TZ=JST-9 LC_ALL=$german LOCPATH="$scratch/locales" \
  "$program" build --catalog catalog --out "$scratch/locale" --jobs 1
same locale

mkdir "$scratch/elsewhere"
(cd "$scratch/elsewhere" &&
  "$program" build --catalog "$root/catalog" --out "$scratch/directory" --jobs 2)
same directory

# Files written in the opposite order, all with another age.
mkdir "$scratch/copy"
find catalog -type d -print0 | (cd "$scratch/copy" && xargs -0 mkdir -p)
find catalog -type f | sort -r | while read -r file; do
  cp "$file" "$scratch/copy/$file"
  touch -d 2001-02-03 "$scratch/copy/$file"
done
"$program" build --catalog "$scratch/copy/catalog" --out "$scratch/order"
same order
