#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the linker says of the program: loaded anywhere, nothing writable that is run, no table of addresses
# left open, checks of stack and of buffers compiled in:  hardening.sh PROGRAM
set -euo pipefail

program=$1
headers=$(readelf --wide --file-header --program-headers --dynamic "$program")
symbols=$(readelf --wide --dyn-syms "$program")
checks=0

expect() {
  local what=$1 pattern=$2 text=$3
  if ! grep -qE "$pattern" <<<"$text"; then
    echo "hardening: $what is missing: no $pattern"
    exit 1
  fi
  checks=$((checks + 1))
}

expect 'position independence' 'Type: +DYN' "$headers"
expect 'a stack that is not run' 'GNU_STACK .* RW ' "$headers"
expect 'relocations made read-only' 'GNU_RELRO' "$headers"
expect 'binding before the start' 'FLAGS.*(BIND_NOW|NOW)' "$headers"
expect 'a stack protector' '__stack_chk_fail' "$symbols"
expect 'checked buffers' '__[a-z]+_chk' "$symbols"
expect 'checked indexes' '__glibcxx_assert_fail' "$symbols"
echo "{\"hardening checks\": $checks, \"failed\": 0}"
