#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves that the two commands work on a bare Debian 12 or 13: makes one in DIR (minbase, git, make,
# ca-certificates), clones this repository's last commit into it, and runs `make sheet` and `make test`
# there. Needs root and debootstrap; packages come from the mirror this machine itself uses.
#   tools/fresh-machine.sh [--suite bookworm|trixie] DIR [sheet|test]
# DIR must not exist and is left behind for a look; remove it by hand. On another suite than bookworm `make sheet`
# may write other bytes than output/ holds: tests/build/committed.sh says which files, and why.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  echo "fresh-machine: $*" >&2
  exit 1
}

usage="usage: tools/fresh-machine.sh [--suite bookworm|trixie] DIR [sheet|test]"
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
last=${2:-test}
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

make_machine() {
  local mirror
  mirror=$(debian_sources | awk -v suite="$suite" '$3 == suite { print $2; exit }')
  [ -n "$mirror" ] || fail "no source of Debian in this machine's apt configuration"
  debootstrap --variant=minbase --include=git,make,ca-certificates "$suite" "$root" "$mirror" \
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

make_machine
trap release_all EXIT
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/shm"
mount -t tmpfs tmpfs "$root/dev/shm"
mount --bind /dev/pts "$root/dev/pts"
git clone --quiet --no-hardlinks "file://$PWD" "$root/srv/sizesheet"

run_make sheet
changes=$(inside "git status --porcelain")
if [ "$suite" = bookworm ] && [ -n "$changes" ]; then
  fail "make sheet changed the working tree: $changes"
fi
run_make sheet
if grep -q '^Installing' "$root/srv/make-sheet.log"; then
  fail "the second make sheet installed something"
fi
if [ "$last" = test ]; then
  inside "git checkout --quiet output"
  run_make test
fi
echo "fresh machine: passed"
