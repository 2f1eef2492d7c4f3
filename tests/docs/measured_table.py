# SPDX-License-Identifier: Apache-2.0
"""A table that a script keeps in a document: between markers, written anew or compared; and the machine it is of."""

import pathlib


def machine():
    names = [line.split(':')[1].strip() for line in pathlib.Path('/proc/cpuinfo').read_text().splitlines() if line.startswith('model name')]
    return f'{len(names)} cores of {names[0]}'


class MeasuredTable:
    """Between the lines `<!-- NAME: begin -->` and `<!-- NAME: end -->` of `document`."""

    def __init__(self, document, name):
        self.document = document
        self.begin, self.end = f'<!-- {name}: begin -->\n', f'<!-- {name}: end -->\n'

    def parts(self):
        head, rest = self.document.read_text().split(self.begin)
        return head, *rest.split(self.end)

    def write(self, table):
        head, _, tail = self.parts()
        self.document.write_text(head + self.begin + table + self.end + tail)

    def check(self, table, script):
        """The exit code: 1, and what to do about it, unless `table` stands there."""
        if self.parts()[1] == table:
            return 0
        print(f'{self.document}: the table is not that of the results; run: python3 {script} write')
        return 1
