# SPDX-License-Identifier: Apache-2.0
"""Puts hostile texts and numbers, one at a time, in every place of the catalog's files: each is refused with its file
and place, or the edition that comes out is as clean as any.
    python3 hostile_catalog.py PROGRAM CATALOG [--every N]
"""

import argparse
import concurrent.futures
import copy
import csv
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading

from small_catalog import build_command, make_small_catalog

TEXTS = {
    'markup': '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&amp;',
    'a template': '{{>head}}{{{sheet_title}}}',
    'a script address': 'javascript:alert(1)',
    'a plain address': 'http://example.org/',
    'a path upwards': '../../../../tmp/outside',
    'an absolute path': '/tmp/outside',
    'a device': '/dev/stdin',
    'a zero byte': 'a\0b',
    'control characters': 'a\x07\x1b[31m\r\nb',
    'bidi overrides': 'a\u202egnp.exe\u2066b',
    'ten thousand characters': 'x' * 10000,
    'a formula': '=HYPERLINK("https://example.org","x")',
    'a formula with @': '@SUM(1+1)*cmd|"/C calc"!A0',
    'nothing': '',
    'spaces': '   ',
    'another script': '模型 модель 🙂 e\u0301',
}
NUMBERS = {
    'below zero': -1, 'zero': 0, 'a fraction': 0.5, 'huge': 1e308, 'tiny': 1e-308, '2^53 + 1': 2 ** 53 + 1,
    '2^63': 2 ** 63, '2^64': 2 ** 64, '10^12': 10 ** 12, '10^18': 10 ** 18, 'negative huge': -1e308,
    'a text': '12', 'a truth': True, 'a list': [], 'nothing': None,
}
CONTROL = re.compile('[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]')
NOT_A_NUMBER = re.compile(r'(?<![\w.])[-+]?(?:nan|inf|infinity)(?![\w.])', re.IGNORECASE)


class Page(html.parser.HTMLParser):
    """What a page runs or reaches for."""

    def __init__(self, text):
        super().__init__()
        self.faults, self.words = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == 'script' and not dict(attributes).get('src', '').endswith('table.js'):
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

    def handle_data(self, data):
        self.words.append(data)


def faults_of_page(text):
    page = Page(text)
    words = ' '.join(page.words)
    return page.faults + (['control characters'] if CONTROL.search(text) else []) + (
        ['no number'] if NOT_A_NUMBER.search(words) else [])


def faults_of_csv(text):
    faults = []
    for row in csv.reader(text.splitlines()):
        for cell in row:
            if cell[:1] in '=+-@' and cell and not re.fullmatch(r'-?\d+(\.\d+)?(e-?\d+)?', cell):
                faults.append(f'a formula: {cell[:40]}')
            if NOT_A_NUMBER.fullmatch(cell):
                faults.append(f'no number: {cell}')
    return faults


def no_constant(name):
    raise ValueError(f'{name} in JSON')


def faults_of_edition(out):
    faults = []
    for path in out.rglob('*'):
        try:
            if path.suffix == '.html':
                faults += [f'{path.name}: {fault}' for fault in faults_of_page(path.read_text())]
            elif path.suffix == '.csv':
                faults += [f'{path.name}: {fault}' for fault in faults_of_csv(path.read_text())]
            elif path.suffix == '.json':
                json.loads(path.read_text(), parse_constant=no_constant)
        except ValueError as error:
            faults.append(f'{path.name}: {error}')
    return faults


def places(value, at=()):
    """Every leaf of a document as a tuple of keys."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*at, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from places(part, (*at, index))
    else:
        yield at, value


def cases_of(catalog):
    """(file, place, what it is called, value) with one place for each kind of place."""
    seen = set()
    for path in sorted(catalog.rglob('*.json')):
        name = path.relative_to(catalog)
        if name.parts[0] == 'schema':
            continue
        for place, value in places(json.loads(path.read_text())):
            kind = (name.parts[0], tuple('*' if isinstance(key, int) else key for key in place))
            if kind in seen:
                continue
            seen.add(kind)
            for what, hostile in (TEXTS if isinstance(value, str) else NUMBERS).items():
                yield str(name), place, what, hostile


class Ring:
    """A catalog for each thread, with one file changed at a time."""

    def __init__(self, program, catalog, scratch):
        self.program, self.scratch, self.local, self.source = program, scratch, threading.local(), catalog
        self.files = {str(path.relative_to(catalog)): path.read_text() for path in catalog.rglob('*.json')}
        self.lock, self.rings = threading.Lock(), 0

    def place(self):
        if not hasattr(self.local, 'catalog'):
            with self.lock:
                self.rings += 1
                home = self.scratch / f'ring-{self.rings}'
            home.mkdir()
            self.local.catalog = pathlib.Path(shutil.copytree(self.source, home / 'catalog'))
        return self.local.catalog

    def run(self, case):
        """('refused' or 'built', what is wrong or '')."""
        name, place, what, hostile = case
        catalog = self.place()
        document = copy.deepcopy(json.loads(self.files[name]))
        part = document
        for key in place[:-1]:
            part = part[key]
        part[place[-1]] = hostile
        (catalog / name).write_text(json.dumps(document))
        try:
            return self.outcome(catalog, name)
        finally:
            (catalog / name).write_text(self.files[name])

    def outcome(self, catalog, name):
        home = catalog.parent
        before = sorted(path.name for path in home.iterdir() if path.name != 'output')
        done = subprocess.run(build_command(self.program, catalog, home / 'output'), capture_output=True, timeout=20)
        told = done.stderr.decode('utf-8', 'strict')
        beside = sorted(path.name for path in home.iterdir() if path.name != 'output')
        if beside != before:
            return 'built', f'files beside the edition: {beside}'
        if done.returncode == 2:
            clear = 'internal error' not in told and f'{name}' in told and not CONTROL.search(told.replace('\n', ''))
            return 'refused', '' if clear else f'unclear message: {told[-300:]!r}'
        if done.returncode != 0:
            return 'refused', f'exit {done.returncode}: {told[-300:]!r}'
        return 'built', '; '.join(faults_of_edition(home / 'output')[:3])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program', type=pathlib.Path)
    parser.add_argument('catalog', type=pathlib.Path)
    parser.add_argument('--every', type=int, default=1, help='only each Nth case')
    options = parser.parse_args()
    counts, failed = {'refused': 0, 'built': 0}, 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        catalog = make_small_catalog(options.catalog, scratch / 'catalog')
        ring = Ring(options.program.resolve(), catalog, scratch)
        cases = list(cases_of(catalog))[::options.every]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for case, (how, wrong) in zip(cases, pool.map(ring.run, cases)):
                counts[how] += 1
                if wrong:
                    failed += 1
                    print(f"FAILED {case[0]}:/{'/'.join(map(str, case[1]))} with {case[2]}: {wrong}")
    print(json.dumps({'hostile values': len(cases), **counts, 'failed': failed}))
    return 1 if failed or not cases else 0


if __name__ == '__main__':
    raise SystemExit(main())
