#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Same inputs, same bytes: another run, time zone, locale, number of jobs, working directory, and
# another age and order of the files must not change the edition:  reproducible.sh PROGRAM FRESH_EDITION
set -euo pipefail

unset SOURCE_DATE_EPOCH
program=$(realpath "$1")
edition=$(realpath "$2")
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Locales of a decimal comma and of another lower case, for this test alone, where Debian's sources of
# locales are installed.
export LOCPATH="$scratch/locales"
mkdir "$LOCPATH"
locales=(C.UTF-8)
for name in de_DE tr_TR; do
  if [ -f "/usr/share/i18n/locales/$name" ] && command -v localedef >/dev/null; then
    localedef -i "$name" -f UTF-8 "$LOCPATH/$name.UTF-8"
    locales+=("$name.UTF-8")
  fi
done

same=0
same() {
  local name=$1
  if ! diff --recursive --brief "$edition" "$scratch/$name"; then
    echo "not reproducible: $name"
    exit 1
  fi
  echo "same bytes: $name"
  rm -r "${scratch:?}/$name"
  same=$((same + 1))
}

"$program" build --catalog catalog --out "$scratch/again" 2>"$scratch/told"
same again

zones=(UTC JST-9 NST3:30NDT)
jobs=(1 2 8)
for i in "${!zones[@]}"; do
  locale=${locales[i]:-C}
  name="${zones[i]%%:*}-$locale-${jobs[i]}-jobs"
  TZ=${zones[i]} LC_ALL=$locale LANG=$locale \
    "$program" build --catalog catalog --out "$scratch/$name" --jobs "${jobs[i]}" 2>"$scratch/told"
  same "$name"
done

mkdir "$scratch/elsewhere"
(cd "$scratch/elsewhere" &&
  "$program" build --catalog "$root/catalog" --out "$scratch/directory" 2>"$scratch/told")
same directory

# Files written in the opposite order, all with another age.
mkdir "$scratch/copy"
find catalog -type d -print0 | (cd "$scratch/copy" && xargs -0 mkdir -p)
find catalog -type f | sort -r | while read -r file; do
  cp "$file" "$scratch/copy/$file"
  touch -d 2001-02-03 "$scratch/copy/$file"
done
"$program" build --catalog "$scratch/copy/catalog" --out "$scratch/order" 2>"$scratch/told"
same order

echo "{\"editions built again\": $same, \"locales\": ${#locales[@]}, \"time zones\": ${#zones[@]}, \"failed\": 0}"
