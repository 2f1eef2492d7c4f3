# SPDX-License-Identifier: Apache-2.0
"""docs/dependencies.md lists exactly what the installer and the browser tests ask for, each with a licence.
    python3 check_dependencies.py
"""

import json
import pathlib
import re
import sys

PACKAGES = re.compile(r'_packages=\(\n(.*?)\n\)', re.DOTALL)
ROW = re.compile(r'^\| (`[^|]+) \| [^|]+ \| ([^|]+) \|$', re.MULTILINE)


def main():
    asked = set()
    for block in PACKAGES.findall(pathlib.Path('tools/install.sh').read_text()):
        asked.update(block.split())
    asked.update(json.loads(pathlib.Path('tests/browser/package.json').read_text())['dependencies'])
    listed = {}
    for names, licence in ROW.findall(pathlib.Path('docs/dependencies.md').read_text()):
        for name in re.findall(r'`([^`]+)`', names):
            listed[name] = licence.strip()
    faults = [f'{name} is asked for and not listed' for name in sorted(asked - set(listed))]
    faults += [f'{name} is listed and not asked for' for name in sorted(set(listed) - asked)]
    faults += [f'{name} has no licence' for name, licence in listed.items() if not licence]
    for fault in faults:
        print(f'docs/dependencies.md: {fault}')
    print(f'{len(listed)} dependencies, {len(faults)} faults')
    return 1 if faults or not asked else 0


if __name__ == '__main__':
    sys.exit(main())
