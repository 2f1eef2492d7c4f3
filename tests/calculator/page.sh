#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An edition with the calculator: whole, and its page answers:  page.sh PROGRAM CALCULATOR.js EDITION
set -euo pipefail

program=$1
engine=$2
edition=$3
rm -rf "$edition"
"$program" build --catalog catalog --calculator "$engine" --out "$edition" 2>/dev/null
"$program" verify "$edition"
compressed=$(cat "$edition"/calculator* | gzip -9 | wc -c)
echo "the calculator has $compressed bytes, compressed"
if [ "$compressed" -gt 1500000 ]; then
  echo "expected at most 1500000"
  exit 1
fi
node tests/calculator/rows.mjs "$edition" "$engine"
node tests/calculator/page.mjs "$edition" "$program" catalog
