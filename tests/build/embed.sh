#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Templates of any content and length come out of the embedding as they went in:  embed.sh CMAKE CXX
set -euo pipefail

cmake=$1
compiler=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mkdir -p "$scratch/in" "$scratch/out" "$scratch/include/render/html/templates"
printf '' >"$scratch/in/empty"
printf 'a;b [x] ]] "quoted" \\ ${CMAKE} @x@ )" %%s $<1:x> ??/\n\tä – 日本\r\n' >"$scratch/in/hostile.mustache"
printf 'before\0after\377' >"$scratch/in/binary"
seq 1 60000 >"$scratch/in/long.css"

"$cmake" "-DDIRECTORY=$scratch/in" -DFUNCTION=embedded_templates -DHEADER=render/html/templates/templates.h \
  "-DOUTPUT=$scratch/templates.cc" -P cmake/embed_files.cmake

cat >"$scratch/include/render/html/templates/templates.h" <<'HEADER'
#pragma once
#include <map>
#include <string>
#include <string_view>
namespace sizesheet {
const std::map<std::string, std::string_view>& embedded_templates();
}
HEADER
cat >"$scratch/main.cc" <<'MAIN'
#include <fstream>
#include "render/html/templates/templates.h"
int main(int, char** argv) {
  for (const auto& [name, text] : sizesheet::embedded_templates())
    std::ofstream(argv[1] + ("/" + name), std::ios::binary) << text;
}
MAIN
"$compiler" -std=c++20 -Wall -Wextra -Werror -I "$scratch/include" \
  "$scratch/main.cc" "$scratch/templates.cc" -o "$scratch/write"
"$scratch/write" "$scratch/out"
diff --recursive "$scratch/in" "$scratch/out"
echo "4 files embedded and read back"
