#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lines and files of each room of generator/, in a commit (or as the tree stands): lines.sh [COMMIT]
set -euo pipefail
cd "$(dirname "$0")/.."
git grep -c '' "$@" -- 'generator/*.cc' 'generator/*.h' |
  awk -F: '{ split($(NF - 1), part, "/"); room = part[3] == "" ? "main.cc" : part[2]
             lines[room] += $NF; files[room]++; all += $NF; count++ }
           END { for (room in lines) print room, lines[room], files[room] | "sort"; close("sort")
                 print "together", all, count }' |
  awk '{ printf "| %s | %d | %d |\n", $1, $2, $3 }'
