# SPDX-License-Identifier: Apache-2.0
"""Reads the sheets of a workbook as LibreOffice saw them, and changes single cells of a workbook."""

import csv
import re
import zipfile

HEADING_ROWS = 5  # title, subtitle, group, heading, unit


class Table:
    """A table of a sheet: rows as dicts by "group|heading|unit". `above`: rows between subtitle and table; `count`: its
    rows, all that follow without it."""

    def __init__(self, path, above=0, count=None):
        with open(path, newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))
        self.first = HEADING_ROWS + above
        groups, headings, units = lines[self.first - 3:self.first]
        group = ""
        self.names = []
        for column, heading in enumerate(headings):
            group = groups[column] or group
            self.names.append(f"{group}|{heading}|{units[column]}")
        last = None if count is None else self.first + count
        self.rows = [dict(zip(self.names, line)) for line in lines[self.first:last]]
        self.above = lines[:self.first - 3]

    def value(self, row, ending):
        """The cell of the one column whose name ends so."""
        return self.rows[row][self.name(ending)]

    def name(self, ending):
        found = [name for name in self.names if name.endswith(ending)]
        if len(found) != 1:
            raise SystemExit(f"no single column {ending!r}, but {found}")
        return found[0]

    def cell(self, row, ending):
        """ "J7": where that stands in the sheet."""
        return column_letters(self.names.index(self.name(ending))) + str(self.first + row + 1)


def column_letters(index):
    letters = ""
    while index >= 0:
        letters = chr(ord("A") + index % 26) + letters
        index = index // 26 - 1
    return letters


def number(text):
    """None for an empty cell; percentages come as such."""
    if text == "":
        return None
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def sheet_parts(archive):
    """Sheet name -> path of its part."""
    book = archive.read("xl/workbook.xml").decode()
    links = archive.read("xl/_rels/workbook.xml.rels").decode()
    targets = dict(re.findall(r'Id="(\w+)"[^>]*?Target="([^"]+)"', links))
    return {
        name: "xl/" + targets[link]
        for name, link in re.findall(r'<sheet name="([^"]+)"[^>]*?r:id="(\w+)"', book)
    }


def named_cells(workbook):
    """Name in formulas -> (sheet, cell), of names of single cells."""
    with zipfile.ZipFile(workbook) as archive:
        book = archive.read("xl/workbook.xml").decode()
    names = re.findall(r'<definedName name="(\w+)">([^<!]*)!\$([A-Z]+)\$(\d+)(?::\$\3\$\4)?</definedName>', book)
    return {name: (sheet.strip("'"), column + row) for name, sheet, column, row in names}


def change(source, target, changes):
    """Copies a workbook with other numbers in some cells, empty ones included: {(sheet, cell): number}. Formulas and
    what they showed before stay as they are."""
    with zipfile.ZipFile(source) as archive:
        parts = sheet_parts(archive)
        contents = {info.filename: archive.read(info) for info in archive.infolist()}
    for (sheet, cell), value in changes.items():
        text = contents[parts[sheet]].decode()
        pattern = rf'(<c r="{cell}"[^>/]*)(?:/>|><v>[^<]*</v></c>)'
        text, count = re.subn(pattern, rf"\g<1>><v>{value!r}</v></c>", text)
        if count != 1:
            raise SystemExit(f"{sheet}!{cell} is neither empty nor a number")
        contents[parts[sheet]] = text.encode()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
