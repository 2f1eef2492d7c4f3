#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, says what, and does nothing twice:  install.sh build|calculator|package|test
# or prints the packages of all of them, those for building and for tests apart:  install.sh list
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build_packages=(
  g++ cmake ninja-build pkg-config
  nlohmann-json3-dev libsimdjson-dev libyaml-cpp-dev libcsv-dev libhpdf-dev libpng-dev libharfbuzz-dev libcli11-dev libfmt-dev libkainjow-mustache-dev
  libqrcodegencpp-dev libxlsxwriter-dev libssl-dev libicu-dev coinor-libcbc-dev coinor-libclp-dev
  fonts-roboto-unhinted
)
# Boost.Describe, on Debian 12 and on later ones: the libboost-dev of Debian 12 has none yet.
boost_packages=(
  libboost1.81-dev libboost-dev
)
release=$(. /etc/os-release && echo "${VERSION_ID:-}")
build_packages+=("${boost_packages[$((release == 12 ? 0 : 1))]}")
calculator_packages=(
  emscripten
)
package_packages=(
  dpkg-dev file
)
test_packages=(
  libgtest-dev libbenchmark-dev libvalijson-dev
  chromium nodejs npm poppler-utils qpdf libreoffice-calc-nogui python3 python3-yaml clang-format
  clang libclang-rt-dev clang-tidy locales mandoc munge slurm-wlm parallel
)

fail() {
  echo "sizesheet: $*" >&2
  exit 1
}

# Names of all installed packages and of what they provide.
installed_names() {
  dpkg-query -W -f '${db:Status-Status}\t${Package}, ${Provides}\n' |
    awk -F '\t' '$1 == "installed" { print $2 }' |
    sed -E 's/ *\([^)]*\)//g' | tr -d ' ' | tr ',' '\n' | sort -u
}

# The given packages that are not installed, one a line.
missing_of() {
  comm -13 <(installed_names) <(printf '%s\n' "$@" | sort -u)
}

install_packages() {
  local missing
  missing=$(missing_of "$@" | tr '\n' ' ')
  missing=${missing% }
  if [ -z "$missing" ]; then
    return
  fi
  local become=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "not root and no sudo. Install these packages first: $missing"
    become=(sudo)
  fi
  echo "Installing Debian packages: $missing"
  "${become[@]}" apt-get update -qq
  # shellcheck disable=SC2086  # a list of words
  "${become[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq --yes --no-install-recommends $missing >/dev/null
}

# The browser tests' packages, again only when their lock file has changed.
install_npm_packages() {
  local lock=tests/browser/package-lock.json
  local done_lock=tests/browser/node_modules/installed-lock.json
  if [ ! -f "$lock" ] || cmp -s "$lock" "$done_lock"; then
    return
  fi
  echo "Installing npm packages of tests/browser"
  (cd tests/browser && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  cp "$lock" "$done_lock"
}

if [ "${1:-}" = list ]; then
  printf 'build %s\n' "${build_packages[@]}" "${calculator_packages[@]}" "${package_packages[@]}"
  printf 'test %s\n' "${test_packages[@]}"
  exit
fi

command -v dpkg-query >/dev/null || fail "this is no Debian system (dpkg-query is missing).
Install the counterparts of these by hand: ${build_packages[*]} ${test_packages[*]}"

case "${1:-}" in
  build)
    install_packages "${build_packages[@]}"
    ;;
  calculator)
    install_packages "${build_packages[@]}" "${calculator_packages[@]}"
    ;;
  package)
    install_packages "${build_packages[@]}" "${package_packages[@]}"
    ;;
  test)
    install_packages "${build_packages[@]}" "${test_packages[@]}"
    install_npm_packages
    ;;
  *)
    fail "usage: tools/install.sh build|calculator|package|test|list"
    ;;
esac
