#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rules of the house hold, and each of them fails on a case that is planted: house.py REPOSITORY"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LAYERS = """
| folder | layer | what it has |
|---|---|---|
| `room/low` | layer 1 of `room` | |
| `room/high` | layer 2 of `room` | |
"""
SOUND = {
    'docs/design.md': LAYERS,
    'generator/room/low/count.h': 'namespace n {\nint count(int of = f(1, 2));\nstruct Box {\n  int size() const;\n};\n}\n',
    'generator/room/low/count.cc': '#include "room/low/count.h"\nnamespace n {\nint count(int of) { return of; }\n'
                                   'int Box::size() const { return 1; }\n}\n',
    'generator/room/high/sum.h': '#include "room/low/count.h"\nnamespace n {\nint sum();\n}\n',
    'generator/room/high/sum.cc': '#include "room/high/sum.h"\nnamespace n {\nint sum() { return count(1); }\n}\n',
}
# What is planted, and the line that has to say so.
PLANTED = [
    ({'generator/room/low/other.cc': 'namespace n {\nint total() { return 1; }\n}\n',
      'generator/room/low/count.h': 'namespace n {\nint total();\n}\n'},
     'generator/room/low/count.h: total is defined in generator/room/low/other.cc'),
    ({'generator/room/low/other.cc': '#include "room/low/count.h"\nnamespace n {\nint Box::size() const { return 1; }\n}\n',
      'generator/room/low/count.cc': 'namespace n {\nint count(int of) { return of; }\n}\n'},
     'generator/room/low/count.h: Box::size is defined in generator/room/low/other.cc'),
    ({'generator/room/low/count.h': '#include "room/high/sum.h"\nnamespace n {\nint count(int of);\n}\n'},
     'generator/room/low/count.h includes room/high/sum.h, of a higher layer of its room'),
    ({'generator/room/low/count.h': '#include "room/high/sum.h"\nnamespace n {\nint count(int of);\n}\n'},
     'folders that need each other: room/high, room/low'),
    ({'generator/room/high/sum.cc': '#include "room/high/sum.h"\nnamespace n {\nint sum() { return all(); }\n}\n',
      'generator/room/low/all.h': 'namespace n {\nint all();\n}\n',
      'generator/room/low/all.cc': '#include "room/low/all.h"\nnamespace n {\nint all() { return 1; }\n}\n'},
     'generator/room/high/sum.cc calls all without room/low/all.h'),
    ({'generator/room/new/file.h': 'namespace n {\nint file();\n}\n'}, 'generator/room/new has no layer in docs/design.md'),
]


def checked(tool, root):
    done = subprocess.run([sys.executable, tool, root, '--check'], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def laid_out(files, folder):
    for name, text in files.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='utf-8')


def main():
    root = Path(sys.argv[1])
    tool = root / 'tools' / 'house.py'
    faults = []
    code, said = checked(tool, root)
    print(said, end='')
    if code != 0:
        faults.append('the rules do not hold')
    for planted, expected in [({}, ''), *PLANTED]:
        folder = tempfile.mkdtemp()
        try:
            laid_out({**SOUND, **planted}, folder)
            code, said = checked(tool, folder)
        finally:
            shutil.rmtree(folder)
        if code != (1 if planted else 0) or expected not in said.splitlines() and planted:
            faults.append(f'expected exit code {1 if planted else 0} and "{expected}", got {code} and:\n{said}')
    for fault in faults:
        print('house: ' + fault)
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
