#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An installation is whole and runs alone: installed below a folder of its own, its program answers from an empty one,
# and a program of another project finds the library.
#   installed.sh CMAKE BUILD
set -euo pipefail

cmake=$1
build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/empty"
DESTDIR="$scratch" "$cmake" --install "$build" --prefix /usr >"$scratch/log"
usr=$scratch/usr
program=$usr/bin/sizesheet

fail() {
  echo "installed: $*"
  exit 1
}

expected="bin/sizesheet
$(git ls-files 'generator/*.h' | sed 's|^generator/|include/sizesheet/|')
lib/cmake/sizesheet/sizesheet-config-version.cmake
lib/cmake/sizesheet/sizesheet-config.cmake
lib/cmake/sizesheet/sizesheet-targets-release.cmake
lib/cmake/sizesheet/sizesheet-targets.cmake
lib/cmake/sizesheet/third_party.cmake
lib/libsizesheet.a
share/bash-completion/completions/sizesheet
share/doc/sizesheet/CHANGELOG.md
share/doc/sizesheet/README.md
share/doc/sizesheet/copyright
$(git ls-files docs | grep -v '^docs/schema/' | sed 's|^|share/doc/sizesheet/|')
share/doc/sizesheet/packages.txt
share/fish/vendor_completions.d/sizesheet.fish
share/man/man1/sizesheet.1
$(git ls-files '*.schema.json' | grep -E '^(catalog|docs)/' | sed 's|.*/|share/sizesheet/schema/|')
share/sizesheet/sizesheet.spdx.json
share/zsh/vendor-completions/_sizesheet"
diff <(LC_ALL=C sort <<<"$expected") <(cd "$usr" && find . -type f | sed 's|^\./||' | LC_ALL=C sort) ||
  fail "these files are missing (<) or more than should be (>)"

(cd "$scratch/empty" && env -i PATH=/usr/bin:/bin "$program" ask llama-3.1-8b --method lora) >"$scratch/answer" ||
  fail "ask ended with $? in an empty folder"
grep -q 'LoRA' "$scratch/answer" || fail "ask says nothing of LoRA: $(cat "$scratch/answer")"

# The program of docs/design.md, built where nothing else is.
mkdir "$scratch/consumer"
for file in CMakeLists.txt main.cc; do
  awk -v name="$file" '/^```/ { inside = 0 } inside { print } $0 == "`" name "`:" { found = 1 }
                       /^```(cmake|cpp)$/ { inside = found; found = 0 }' docs/design.md >"$scratch/consumer/$file"
done
(cd "$scratch/consumer" && "$cmake" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=$usr" -B build -S . && "$cmake" --build build) \
  >"$scratch/log" 2>&1 || fail "no program can be built with the library: $(cat "$scratch/log")"
said=$(cd "$scratch/empty" && "$scratch/consumer/build/consumer")
[ "$said" = "8030261248 parameters, fits on 1" ] || fail "the program with the library says: $said"

mandoc -T lint -W warning "$usr/share/man/man1/sizesheet.1" || fail "the manual page has faults"
"$program" man | cmp - "$usr/share/man/man1/sizesheet.1"
"$program" completion bash | cmp - "$usr/share/bash-completion/completions/sizesheet"
bash -n "$usr/share/bash-completion/completions/sizesheet"
"$program" completion zsh | cmp - "$usr/share/zsh/vendor-completions/_sizesheet"
"$program" completion fish | cmp - "$usr/share/fish/vendor_completions.d/sizesheet.fish"
for command in $("$program" --help | sed -n '/^Subcommands/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
  grep -qE "^\.SS \"$(sed 's/-/\\\\-/g' <<<"$command") " "$usr/share/man/man1/sizesheet.1" ||
    fail "the manual page lacks $command"
done

# The linker's libraries by their loader, the packages by dpkg: each has to stand in the bill of materials.
python3 - "$usr/share/sizesheet/sizesheet.spdx.json" "$program" <<'PYTHON'
import json, os, re, subprocess, sys

bill = json.load(open(sys.argv[1]))
licences = {one["name"]: one["licenseDeclared"] for one in bill["packages"]}
needed = re.findall(r"NEEDED.*\[(.*)\]", subprocess.check_output(["readelf", "-d", sys.argv[2]], text=True))
paths = dict(re.findall(r"(\S+) => (\S+)", subprocess.check_output(["ldd", sys.argv[2]], text=True)))
faults = []
for name in needed:
    path = os.path.realpath(paths[name])  # dpkg may know it by its place before /lib became /usr/lib
    owner = subprocess.run(["dpkg-query", "-S", path, path.removeprefix("/usr")], capture_output=True, text=True)
    package = owner.stdout.split(":")[0]
    system = re.match(r"lib(c|m|stdc\+\+|gcc_s)\.so", name)
    if package not in licences or (not system and licences[package] == "NOASSERTION"):
        faults.append(f"{name} of {package}: not in the bill of materials, or without a licence")
related = {one[end] for one in bill["relationships"] for end in ("relatedSpdxElement", "spdxElementId")}
tools = {one["spdxElementId"][8:] for one in bill["relationships"] if one["relationshipType"] in ("BUILD_TOOL_OF", "TEST_TOOL_OF")}
listed = [line.split()[1] for line in subprocess.check_output(["tools/install.sh", "list"], text=True).splitlines()]
faults += [f"{name}: installed by make, not in the bill of materials" for name in listed if name in ("cmake", "ninja-build", "poppler-utils") and name not in tools]
faults += [f"{one['name']}: without a version" for one in bill["packages"] if not one["versionInfo"]]
faults += [f"{one['SPDXID']}: in no relationship" for one in bill["packages"] if one["SPDXID"] not in related]
print("\n".join(faults + [f"{len(needed)} libraries, {len(licences)} packages, {len(faults)} faults"]))
sys.exit(1 if faults or len(needed) < 5 else 0)
PYTHON

grep -q '^apt-get install .*fonts-roboto-unhinted' "$usr/share/doc/sizesheet/packages.txt" ||
  fail "packages.txt: $(cat "$usr/share/doc/sizesheet/packages.txt")"

# And goes again, but for folders that others use.
cp "$build/install_manifest.txt" "$scratch/list"
tools/uninstall.sh "$build" "$scratch"
cp "$scratch/list" "$build/install_manifest.txt"
left=$(cd "$usr" && find . -type f -o -type d -path '*sizesheet*')
[ -z "$left" ] || fail "uninstall leaves $left"
status=0
said=$(tools/uninstall.sh "$scratch/empty" 2>&1) || status=$?
[ "$status $said" = "2 uninstall: $scratch/empty/install_manifest.txt: nothing was installed from here; make install writes that list" ] ||
  fail "uninstall without a list: $status $said"
