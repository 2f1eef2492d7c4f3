# SPDX-License-Identifier: Apache-2.0
"""What must not be found in the files of an edition, whatever the catalog says: scripts and addresses of others, control
characters, figures that are none, cells that a spreadsheet would work out."""

import csv
import html.parser
import json
import re
import zipfile

from hostile_values import CONTROL, NOT_A_NUMBER

OWN_SCRIPTS = ('table.js', 'early.js', 'filters.js', 'answer.js')
TOO_LARGE = re.compile(r'(?<![0-9a-fA-F])(?:\d{1,3}(?:,\d{3}){7}|\d{22,}|\d[eE]\+?[2-9]\d)(?![0-9a-fA-F])')  # on a page; the largest true figure has 19 digits


class Page(html.parser.HTMLParser):
    """What a page runs or reaches for."""

    def __init__(self, text):
        super().__init__()
        self.faults, self.words, self.silent = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.silent = tag in ('script', 'style')
        if tag == 'script' and dict(attributes).get('src', '').split('/')[-1] not in OWN_SCRIPTS:
            self.faults.append('a script')
        if tag in ('iframe', 'object', 'embed', 'base', 'style'):
            self.faults.append(f'a <{tag}>')
        for name, value in attributes:
            if name.startswith('on') or name == 'style':
                self.faults.append(f'attribute {name}')
            target = (value or '').strip().lower()
            if name in ('href', 'src', 'action') and re.match(r'[a-z][a-z0-9+.-]*:', target) and not (
                    target.startswith('https:') or target == 'data:,'):  # the icon that is not asked for
                self.faults.append(f'{name}="{target[:40]}"')

    def handle_endtag(self, tag):
        self.silent = False

    def handle_data(self, data):
        if not self.silent:
            self.words.append(data)


def faults_of_page(text):
    page = Page(text)
    words = ' '.join(page.words)
    large = TOO_LARGE.search(words)
    return page.faults + (['control characters'] if CONTROL.search(text) else []) + (
        ['no number'] if NOT_A_NUMBER.search(words) else []) + ([f'a figure {large[0]}'] if large else [])


def faults_of_csv(text):
    faults = []
    for row in csv.reader(text.splitlines()):
        for cell in row:
            number = re.fullmatch(r'-?\d+(\.\d+)?(e-?\d+)?', cell)
            if cell[:1] in tuple('=+-@＝＋－＠\t\r') and not number:
                faults.append(f'a formula: {cell[:40]}')
            if NOT_A_NUMBER.fullmatch(cell):
                faults.append(f'no number: {cell}')
            if number and abs(float(cell)) > 1e19:
                faults.append(f'a figure {cell}')
    return faults


def faults_of_workbook(path):
    faults = []
    with zipfile.ZipFile(path) as book:
        for name in book.namelist():
            text = book.read(name).decode('utf-8')
            if CONTROL.search(text):
                faults.append(f'{name}: control characters')
            if re.search('(?<!_x005F)_x(?!005F_)[0-9A-Fa-f]{4}_', text):
                faults.append(f'{name}: a character spelt out')
            for formula in re.findall(r'<f[^>]*>([^<]*)</f>', text):
                if 'HYPERLINK' in formula or 'cmd|' in formula:
                    faults.append(f'{name}: a formula {formula[:40]}')
            for value in re.findall(r'<v>([^<]*)</v>', text):
                if NOT_A_NUMBER.fullmatch(value):
                    faults.append(f'{name}: no number {value}')
            if re.search(r'Target="(?!https:)[a-z]+:', text):
                faults.append(f'{name}: an address that is not https')
    return faults


def no_constant(name):
    raise ValueError(f'{name} in JSON')


def faults_of_edition(out):
    faults = []
    for path in sorted(out.rglob('*')):
        try:
            if path.suffix == '.html':
                faults += [f'{path.name}: {fault}' for fault in faults_of_page(path.read_text())]
            elif path.suffix == '.csv':
                faults += [f'{path.name}: {fault}' for fault in faults_of_csv(path.read_text())]
            elif path.suffix == '.json':
                json.loads(path.read_text(), parse_constant=no_constant)
            elif path.suffix == '.xlsx':
                faults += [f'{path.name}: {fault}' for fault in faults_of_workbook(path)]
        except ValueError as error:
            faults.append(f'{path.name}: {error}')
    return faults
