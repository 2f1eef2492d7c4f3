# SPDX-License-Identifier: Apache-2.0
"""Two editions that differ in their words alone: every figure of every page, of the handout and of the workbook is the
same, in its place:
    python3 same_figures.py EDITION OTHER
"""

import pathlib
import re
import subprocess
import sys
import zipfile

from figures import numbers_in
from page_tree import blocks, read_page


def of_page(path):
    return [number for _, text in blocks(read_page(path.read_text())) for number, _, _ in numbers_in(text)]


def of_handout(path):
    """In any order: words of another length may change places of what is beside each other."""
    text = subprocess.run(['pdftotext', '-layout', path, '-'], capture_output=True, text=True, check=True).stdout
    thousands = '000'  # "€ 000" is a head, and "Tsd. €" the same
    return sorted(number for number, _, _ in numbers_in(text) if number != thousands)


def of_workbook(path):
    with zipfile.ZipFile(path) as book:
        sheets = sorted(name for name in book.namelist() if name.startswith('xl/worksheets/sheet'))
        return [cell for name in sheets
                for cell in re.findall(r'<c r="[A-Z]+[0-9]+"(?![^>]* t="s")[^>]*[^/>]>.*?</c>', book.read(name).decode())]


def main(one, other):
    one, other = pathlib.Path(one), pathlib.Path(other)
    walked, bad = 0, 0
    readers = {'.html': of_page, '.pdf': of_handout, '.xlsx': of_workbook}
    for path in sorted(one.rglob('*')):
        read = readers.get(path.suffix)
        if read is None:
            continue
        mine, theirs = read(path), read(other / path.relative_to(one))
        walked += len(mine)
        if mine != theirs:
            bad += 1
            at = next((i for i, pair in enumerate(zip(mine, theirs)) if pair[0] != pair[1]), 0)
            print(f'{path.name}: {mine[at:at + 5]} and {theirs[at:at + 5]}')
    print(f'{walked} figures, other ones in {bad} files')
    return 0 if walked and not bad else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
