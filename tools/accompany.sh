#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes what is installed beside the program, made from the program itself:  accompany.sh PROGRAM DIRECTORY
# The manual page, completions, and a bill of materials in SPDX 2.3: the program's shared libraries, what
# docs/dependencies.md lists as being in it, and what `make` installs to build and to test it, with versions of this
# machine's Debian packages and the licences of that list. Its day is the manual page's, so the same packages give the same bytes. packages.txt names the packages that an
# archive needs. Without dpkg there is neither.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=$1
into=$2
mkdir -p "$into"
"$program" man >"$into/sizesheet.1"
"$program" completion bash >"$into/sizesheet"
"$program" completion zsh >"$into/_sizesheet"
"$program" completion fish >"$into/sizesheet.fish"

# "package|licence" of each row in the program's part of the list.
listed() {
  sed -n '/^## In the program/,/^## For building/p' docs/dependencies.md |
    awk -F '|' '/^\| `/ { names = $2; gsub(/[^a-z0-9.+-]+/, " ", names); sub(/^ +/, "", $4); sub(/ +$/, "", $4)
                          count = split(names, name, " ")
                          for (i = 1; i <= count; i++) if (name[i] ~ /-/) print name[i] "|" $4 }'
}

# Packages of the libraries that the linker wrote into the program.
linked() {
  readelf --dynamic --wide "$program" | sed -nE 's/.*NEEDED.*\[(.*)\]/*-linux-gnu*\/\1/p' | xargs dpkg-query --search |
    sed 's/[:,].*//'
}

# "source|package|version|architecture" of an installed package.
described() {
  dpkg-query --show --showformat '${db:Status-Status}|${source:Package}|${Package}|${Version}|${Architecture}\n' "$1" \
    2>/dev/null | sed -n 's/^installed|//p' || true
}

# "package|version|architecture|licence" of all: libraries, each with the licence of what is listed of its source, and
# what is listed and has no library.
materials() {
  local -A licences rest
  local name licence source package version architecture
  while IFS='|' read -r name licence; do
    IFS='|' read -r source package version architecture < <(described "$name") || continue
    licences[$source]=$licence
    rest[$source]="$package|$version|$architecture|$licence"
  done < <(listed)
  for name in $(linked | sort -u); do
    IFS='|' read -r source package version architecture < <(described "$name")
    echo "$package|$version|$architecture|${licences[$source]:-NOASSERTION}"
    unset "rest[$source]"
  done
  printf '%s\n' "${rest[@]}"
}

# "package|version|architecture|licence|relation" of what `make` installs and is here, but for what is in the program.
tools() {
  local kind name source package version architecture
  while read -r kind name; do
    IFS='|' read -r source package version architecture < <(described "$name") || continue
    grep -q "^$package|" <<<"$1" && continue
    echo "$package|$version|$architecture|NOASSERTION|$([ "$kind" = build ] && echo BUILD_TOOL_OF || echo TEST_TOOL_OF)"
  done < <(tools/install.sh list)
}

bill() {
  local version day all with_tools package architecture licence relation relations=""
  version=$("$program" --version | sed -nE '1s/^[^0-9]*([0-9.]+).*/\1/p')
  day=$(awk 'NR == 1 { print $4 }' "$into/sizesheet.1")
  all=$(materials | LC_ALL=C sort -u)
  with_tools=$(sed 's/$/|DEPENDS_ON/' <<<"$all" && tools "$all" | LC_ALL=C sort -u)
  cat <<HEAD
{
  "spdxVersion": "SPDX-2.3",
  "dataLicense": "CC0-1.0",
  "SPDXID": "SPDXRef-DOCUMENT",
  "name": "sizesheet-$version",
  "documentNamespace": "urn:sizesheet:$version:$(sha256sum <<<"$with_tools" | cut -c 1-64)",
  "creationInfo": {"created": "${day}T00:00:00Z", "creators": ["Tool: sizesheet-$version"]},
  "packages": [
    {"SPDXID": "SPDXRef-sizesheet", "name": "sizesheet", "versionInfo": "$version", "downloadLocation": "NOASSERTION",
     "filesAnalyzed": false, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0"}
HEAD
  while IFS='|' read -r package version architecture licence relation; do
    cat <<PACKAGE
    ,
    {"SPDXID": "SPDXRef-$package", "name": "$package", "versionInfo": "$version", "downloadLocation": "NOASSERTION",
     "filesAnalyzed": false, "licenseConcluded": "NOASSERTION", "licenseDeclared": "$licence",
     "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                       "referenceLocator": "pkg:deb/debian/$package@$(sed 's/+/%2B/g; s/:/%3A/g' <<<"$version")?arch=$architecture"}]}
PACKAGE
    local of=SPDXRef-sizesheet to=SPDXRef-$package
    [ "$relation" = DEPENDS_ON ] || { of=SPDXRef-$package to=SPDXRef-sizesheet; }
    relations+=$',\n    {"spdxElementId": '"\"$of\", \"relationshipType\": \"$relation\", \"relatedSpdxElement\": \"$to\"}"
  done <<<"$with_tools"
  cat <<TAIL
  ],
  "relationships": [
    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-sizesheet"}$relations
  ]
}
TAIL
}

# What whoever unpacks an archive has to install.
packages() {
  echo "The program needs these packages of $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release):"
  echo "apt-get install --no-install-recommends $(linked | sort -u | tr '\n' ' ')fonts-roboto-unhinted"
}

if command -v dpkg-query >/dev/null; then
  bill >"$into/sizesheet.spdx.json"
  packages >"$into/packages.txt"
fi
