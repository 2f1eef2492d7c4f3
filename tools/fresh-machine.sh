#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves that the commands work on a bare Debian 12 or 13: makes one in DIR (minbase, git, make, ca-certificates) and
# clones this repository's last commit into it. Needs root and debootstrap; packages come from the mirror this machine
# itself uses.
#   tools/fresh-machine.sh [--suite bookworm|trixie] DIR [test|sheet|calculator|deb|arm]
# test: runs `make sheet`, twice, and `make test` there; sheet: without the tests. calculator: runs `make calculator` and
# asks its engine and the program the same. deb: runs `make deb`, and installs
# the package in a second machine, DIR-installed, which has nothing else. arm: compiles for 64-bit ARM with Debian's
# cross compiler, and has an emulator size one run and build one edition.
# DIR must not exist and is left behind for a look; remove it by hand. On another suite than bookworm `make sheet`
# may write other bytes than output/ holds: tests/build/committed.sh says which files, and why.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  echo "fresh-machine: $*" >&2
  exit 1
}

usage="usage: tools/fresh-machine.sh [--suite bookworm|trixie] DIR [test|sheet|calculator|deb|arm]"
suite=bookworm
if [ "${1:-}" = --suite ]; then
  suite=${2:-}
  shift 2 || fail "$usage"
fi
[ $# -ge 1 ] || fail "$usage"
[[ $suite =~ ^(bookworm|trixie)$ ]] || fail "--suite: expected bookworm or trixie, got \"$suite\""
[ "$(id -u)" -eq 0 ] || fail "must run as root"
command -v debootstrap >/dev/null || fail "debootstrap is missing"
root=$(realpath -m "$1")
proof=${2:-test}
[[ $proof =~ ^(test|sheet|calculator|deb|arm)$ ]] || fail "$usage"
[ ! -e "$root" ] || fail "$root exists"

# The Debian sources of this machine as lines of a sources.list, for the suite that is asked for.
debian_sources() {
  local own
  own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' | sed "s/ $own/ $suite/" | sort -u
}

release_all() {
  for place in dev/pts dev/shm proc; do
    if mountpoint -q "$root/$place"; then
      umount "$root/$place"
    fi
  done
}

# A machine in $root with these packages.
make_machine() {
  local mirror
  mirror=$(debian_sources | awk -v suite="$suite" '$3 == suite { print $2; exit }')
  [ -n "$mirror" ] || fail "no source of Debian in this machine's apt configuration"
  debootstrap --variant=minbase --include="$1" "$suite" "$root" "$mirror" \
    >"$root.debootstrap.log" || fail "debootstrap failed, see $root.debootstrap.log"
  rm "$root.debootstrap.log"
  debian_sources >"$root/etc/apt/sources.list"
  apt-config dump | grep -E '^Acquire::(http|https|Check|Retries)' >"$root/etc/apt/apt.conf.d/90host" || true
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  # A proxy's own certificate, where this machine trusts one.
  if compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
    cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/"
    chroot "$root" update-ca-certificates >/dev/null 2>&1
  fi
  mount -t proc proc "$root/proc"
  mkdir -p "$root/dev/shm" "$root/srv/sizesheet"
  mount -t tmpfs tmpfs "$root/dev/shm"
  mount --bind /dev/pts "$root/dev/pts"
}

# Runs a command in the clone, in an environment of its own.
inside() {
  env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin CI="${CI:-}" \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
    chroot "$root" bash -euo pipefail -c "cd /srv/sizesheet; $1"
}

# Runs make and says how long it took; the log is shown only when it fails.
run_make() {
  local target=$1 log="$root/srv/make-$1.log" start=$SECONDS
  if ! inside "make $target" >"$log" 2>&1; then
    tail -n 60 "$log"
    fail "make $target failed after $((SECONDS - start)) s (whole log: $log)"
  fi
  grep -E '^Installing|tests passed' "$log" || true
  echo "make $target: $((SECONDS - start)) s"
}

prove_sheet() {
  local changes
  run_make sheet
  changes=$(inside "git status --porcelain")
  if [ "$suite" = bookworm ] && [ -n "$changes" ]; then
    fail "make sheet changed the working tree: $changes"
  fi
  run_make sheet
  if grep -q '^Installing' "$root/srv/make-sheet.log"; then
    fail "the second make sheet installed something"
  fi
}

prove_calculator() {
  run_make calculator
  run_make program
  inside "node tests/calculator/equal.mjs build/release/sizesheet build/calculator/calculator.js catalog 1000"
}

prove_deb() {
  local package
  run_make deb
  package=$(realpath "$root"/srv/sizesheet/build/release/*.deb)
  release_all
  root=$root-installed
  make_machine ca-certificates
  cp "$package" "$root/srv/"
  inside "apt-get update -qq; apt-get install -qq --yes --no-install-recommends /srv/*.deb >/dev/null
    cd /; dpkg-query --show sizesheet; sizesheet ask llama-3.1-8b --method qlora
    sizesheet init /srv/ours.json; sizesheet build --sheet /srv/ours.json --out /srv/pages"
  [ -s "$root/srv/pages/sheet.pdf" ] || fail "the installed program wrote no page"
}

prove_arm() {
  local libraries start=$SECONDS
  local packages=(g++-aarch64-linux-gnu qemu-user-static cmake ninja-build pkg-config g++)
  # Headers alone are the same for every architecture.
  libraries=$(sed -n '/^build_packages=/,/^)/p' tools/install.sh | grep -oE '[a-z0-9-]+-dev' |
    sed -E '/nlohmann|cli11|mustache/!s/$/:arm64/')
  inside "dpkg --add-architecture arm64; apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends ${packages[*]} ${libraries//$'\n'/ } \
      fonts-roboto-unhinted libboost$([ "$suite" = bookworm ] && echo 1.81)-dev:arm64 >/dev/null
    cmake -G Ninja -B build/arm -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
      -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DPKG_CONFIG_EXECUTABLE=/usr/bin/aarch64-linux-gnu-pkg-config \
      -DCMAKE_LIBRARY_ARCHITECTURE=aarch64-linux-gnu >/dev/null
    cmake --build build/arm --target sizesheet" >"$root/srv/arm.log" 2>&1 ||
    fail "it did not compile: $root/srv/arm.log"
  echo "compiled for $(readelf -h "$root/srv/sizesheet/build/arm/sizesheet" | sed -n 's/^ *Machine: *//p'):" \
    "$((SECONDS - start)) s"
  inside "qemu-aarch64-static build/arm/sizesheet explain --model llama-3.1-8b --method lora-r16 --gpu h100-sxm | head -n 3
    qemu-aarch64-static build/arm/sizesheet build --catalog catalog --out /srv/pages"
  [ -s "$root/srv/pages/sheet.pdf" ] || fail "the program wrote no page"
}

trap release_all EXIT
make_machine git,make,ca-certificates
git clone --quiet --no-hardlinks "file://$PWD" "$root/srv/sizesheet"
case $proof in
  sheet) prove_sheet ;;
  calculator) prove_calculator ;;
  deb) prove_deb ;;
  arm) prove_arm ;;
  test)
    prove_sheet
    inside "git checkout --quiet output"
    run_make test
    ;;
esac
echo "fresh machine: passed"
