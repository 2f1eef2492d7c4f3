#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/install.sh with the system's commands replaced: what it asks for, what it says, how it refuses.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/bin" "$scratch/tree/tools"
cp tools/install.sh "$scratch/tree/tools/"
passed=0

# fake NAME: a command of that name whose body is read from stdin.
fake() {
  { echo '#!/bin/bash'; cat; } >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}

# run_install ARGUMENT: fills $status and $said; $scratch/calls lists the commands it ran.
run_install() {
  : >"$scratch/calls"
  status=0
  said=$(PATH="$scratch/bin" CALLS="$scratch/calls" INSTALLED="$scratch/installed" \
    /bin/bash "$scratch/tree/tools/install.sh" "$@" 2>&1) || status=$?
}

expect() {
  if [ "$2" != "$3" ]; then
    printf '%s\nexpected: %s\ngot:      %s\n' "$1" "$2" "$3"
    exit 1
  fi
  passed=$((passed + 1))
}

for tool in awk sed tr sort comm cat cmp cp dirname env; do
  ln -s "$(command -v $tool)" "$scratch/bin/$tool"
done
fake dpkg-query <<<'cat "$INSTALLED"'
fake id <<<'echo 0'
fake apt-get <<<'echo "apt-get $*" >>"$CALLS"'
boost=$(. /etc/os-release && [ "${VERSION_ID:-}" = 12 ] && echo libboost1.81-dev || echo libboost-dev)
build_list="cmake coinor-libcbc-dev coinor-libclp-dev fonts-roboto-unhinted g++ $boost libcli11-dev libcsv-dev libfmt-dev \
libharfbuzz-dev libhpdf-dev libicu-dev libkainjow-mustache-dev libpng-dev libqrcodegencpp-dev libsimdjson-dev libssl-dev libxlsxwriter-dev libyaml-cpp-dev \
ninja-build nlohmann-json3-dev pkg-config"
test_list="chromium clang clang-format clang-tidy libbenchmark-dev libclang-rt-dev libgtest-dev libreoffice-calc-nogui libvalijson-dev locales mandoc munge nodejs npm parallel poppler-utils \
python3 python3-yaml qpdf slurm-wlm"

# Nothing is there: one update, one install, and it says what.
: >"$scratch/installed"
run_install build
expect "bare: status" 0 "$status"
expect "bare: says" "Installing Debian packages: $build_list" "$said"
expect "bare: runs" "apt-get update -qq
apt-get install -qq --yes --no-install-recommends $build_list" "$(cat "$scratch/calls")"

# All of the build is there, one by what another provides, one only with its settings left: silence.
{
  for name in $build_list; do
    [ "$name" = pkg-config ] || printf 'installed\t%s, \n' "$name"
  done
  printf 'installed\tpkgconf, pkg-config (= 1.8.1), other\n'
  printf 'config-files\tchromium, \n'
} >"$scratch/installed"
run_install build
expect "complete: status" 0 "$status"
expect "complete: says" "" "$said"
expect "complete: runs" "" "$(cat "$scratch/calls")"

# A Debian package needs two more.
run_install package
expect "package: says" "Installing Debian packages: dpkg-dev file" "$said"

# So does the calculator's page: one.
run_install calculator
expect "calculator: says" "Installing Debian packages: emscripten" "$said"

# The tests need more, and only what is missing is asked for.
run_install test
expect "tests: says" "Installing Debian packages: $test_list" "$said"

# Not root, no sudo: refused, with the list.
fake id <<<'echo 1000'
run_install test
expect "no sudo: status" 1 "$status"
expect "no sudo: says" \
  "sizesheet: not root and no sudo. Install these packages first: $test_list" "$said"
expect "no sudo: runs" "" "$(cat "$scratch/calls")"

# Not root, with sudo.
fake sudo <<<'echo "sudo $*" >>"$CALLS"'
run_install test
expect "sudo: status" 0 "$status"
expect "sudo: runs" "sudo apt-get update -qq
sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends $test_list" \
  "$(cat "$scratch/calls")"

# npm: once for each lock file.
for name in $test_list; do printf 'installed\t%s, \n' "$name"; done >>"$scratch/installed"
mkdir -p "$scratch/tree/tests/browser/node_modules"
echo one >"$scratch/tree/tests/browser/package-lock.json"
fake npm <<<'echo "npm $1 $2" >>"$CALLS"'
run_install test
expect "npm: says" "Installing npm packages of tests/browser" "$said"
expect "npm: runs" "npm ci --ignore-scripts" "$(cat "$scratch/calls")"
run_install test
expect "npm again: runs" "" "$(cat "$scratch/calls")"
echo two >"$scratch/tree/tests/browser/package-lock.json"
run_install test
expect "npm, new lock: runs" "npm ci --ignore-scripts" "$(cat "$scratch/calls")"

run_install
expect "usage: status" 1 "$status"
expect "usage: says" "sizesheet: usage: tools/install.sh build|calculator|package|test|list" "$said"

echo "$passed passed"
