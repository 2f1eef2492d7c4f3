# SPDX-License-Identifier: Apache-2.0
"""Puts hostile texts and numbers, one at a time, in the files that come from elsewhere: a model's config.json, a CSV of
prices, the sheet.json of an old edition. Each is refused, or what comes out is as clean as any.
    python3 hostile_files.py PROGRAM CATALOG [--every N]
"""

import argparse
import concurrent.futures
import copy
import csv
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

from clean_edition import faults_of_page, no_constant
from hostile_requests import CONFIG, wrong_figures
from hostile_values import CONTROL, NOT_A_NUMBER, NUMBERS, TEXTS
from places import every_place, put
from small_catalog import build_command, make_small_catalog

ROW = {'gpu': 'h100-sxm', 'region': 'unstated', 'instance': '8x', 'gpus': '8', 'tier': 'on_demand', 'offer': 'list',
       'usd_per_instance_hour': '30.40', 'as_of': '2026-11-20', 'source': 'price page of the provider', 'note': 'none'}
CELLS = {**TEXTS, 'a number below zero': '-1', 'zero': '0', 'no number': 'nan', 'infinity': 'inf', 'huge': '1e308', '2^64': str(2 ** 64),
         'many decimals': '1.0000001', 'hexadecimal': '0x10', 'a comma': '1,5', 'no day': '2026-02-30', 'a far day': '99999-01-01'}


class Bench:
    def __init__(self, program, catalog, scratch):
        self.program, self.scratch = str(program.resolve()), scratch
        self.catalog = make_small_catalog(catalog, scratch / 'catalog')
        subprocess.run(build_command(self.program, self.catalog, scratch / 'edition'), check=True, stderr=subprocess.DEVNULL)
        self.sheet = (scratch / 'edition/sheet.json').read_text()
        edition = str(scratch / 'edition')  # what a page that stands alone has by itself
        self.usual = faults_of_page(self.run('diff', edition, edition, '--format', 'html')[1])

    def run(self, *words):
        try:
            done = subprocess.run([self.program, *map(str, words)], capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return None, '', 'takes more than a minute'
        out, err = done.stdout.decode('utf-8', 'strict'), done.stderr.decode('utf-8', 'strict')
        told = (out + err).replace('\n', '')
        wrong = 'control characters' if CONTROL.search(told) else 'internal error' if 'internal error' in told else ''
        return done.returncode, out, wrong or ('' if done.returncode in (0, 1, 2) else f'exit {done.returncode}')


def config_cases(_):
    for place, _ in every_place(CONFIG):
        for what, hostile in {**TEXTS, **NUMBERS}.items():
            yield place, what, hostile


def try_config(bench, case, folder):
    config = copy.deepcopy(CONFIG)
    put(config, case[0], case[2])
    (folder / 'config.json').write_text(json.dumps(config))
    code, out, wrong = bench.run('import-model', folder / 'config.json', '--id', 'x', '--source', 'its config', '--date', '2026-01-01')
    if code == 0 and not wrong:
        wrong = '; '.join(wrong_figures(json.loads(out, parse_constant=no_constant)))
    return code, wrong


def price_cases(_):
    for key in ROW:
        for what, cell in CELLS.items():
            yield (key,), what, cell


def try_price(bench, case, folder):
    text = io.StringIO()
    writer = csv.DictWriter(text, list(ROW))
    writer.writeheader()
    writer.writerow({**ROW, case[0][0]: case[2]})
    (folder / 'vendor.csv').write_text(text.getvalue(), newline='')
    code, out, wrong = bench.run('import-prices', folder / 'vendor.csv', '--format', 'sizesheet', '--catalog', bench.catalog)
    if code != 0 or wrong:
        return code, wrong
    rows = json.loads(out, parse_constant=no_constant)['rows']
    if any(not 0 < row['usd_per_instance_hour'] < 1e6 for row in rows):
        return code, f'prices {rows}'
    own = folder / 'catalog'
    if not own.exists():
        shutil.copytree(bench.catalog, own)
    (own / 'prices/vendor.json').write_text(out)
    code, out, wrong = bench.run('check', '--catalog', own)
    return 0, wrong or (f'the catalog does not take it: {out[-200:]}' if code else '')


def edition_cases(bench):
    seen = set()
    for place, value in every_place(json.loads(bench.sheet)):
        kind = tuple('*' if isinstance(key, int) else key for key in place)
        if kind in seen:
            continue
        seen.add(kind)
        hostiles = TEXTS if isinstance(value, str) else {'empty': []} if isinstance(value, list) else {} if isinstance(value, dict) else NUMBERS
        for what, hostile in hostiles.items():
            yield place, what, hostile


def try_edition(bench, case, folder):
    sheet = json.loads(bench.sheet)
    put(sheet, case[0], case[2])
    own = folder / 'edition'
    if not own.exists():
        shutil.copytree(bench.scratch / 'edition', own)
    text = json.dumps(sheet)
    (own / 'sheet.json').write_text(text)
    # With its hash mended, or nothing would be drawn.
    manifest = json.loads((bench.scratch / 'edition/manifest.json').read_text())
    manifest['files']['sheet.json'] = hashlib.sha256(text.encode()).hexdigest()
    (own / 'manifest.json').write_text(json.dumps(manifest))
    formats = ('html', 'json', 'text', 'markdown')
    form = formats[(len(case[1]) + len('/'.join(map(str, case[0])))) % len(formats)]
    code, out, wrong = bench.run('diff', own, bench.scratch / 'edition', '--format', form, '--all')
    if code in (0, 1) and not wrong:
        if form == 'html':
            wrong = '; '.join(faults_of_page(out)[:5]) if faults_of_page(out) != bench.usual else ''
        elif form == 'json':
            json.loads(out, parse_constant=no_constant)
        elif NOT_A_NUMBER.search(out):
            wrong = 'no number'
    verified, _, badly = bench.run('verify', own)
    return code, wrong or badly or ('verify finds nothing' if verified == 0 and json.loads(bench.sheet) != sheet else '')


KINDS = {'config.json': (config_cases, try_config), 'prices': (price_cases, try_price), 'sheet.json': (edition_cases, try_edition)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program', type=pathlib.Path)
    parser.add_argument('catalog', type=pathlib.Path)
    parser.add_argument('--every', type=int, default=1, help='only each Nth case')
    parser.add_argument('--accepted', action='store_true', help='list what was taken')
    parser.add_argument('--only', choices=list(KINDS))
    options = parser.parse_args()
    tried, taken, failed = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.program, options.catalog, pathlib.Path(folder))

        def attempt(name, case):
            own = bench.scratch / f'{name}-{threading.get_ident()}'
            own.mkdir(exist_ok=True)
            return KINDS[name][1](bench, case, own)
        for name, (cases, _) in KINDS.items():
            if options.only not in (None, name):
                continue
            jobs = list(enumerate(list(cases(bench))[::options.every]))
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                for (_, case), (code, wrong) in zip(jobs, pool.map(lambda job: attempt(name, job[1]), jobs)):
                    tried, taken, failed = tried + 1, taken + (code in (0, 1)), failed + bool(wrong)
                    told = f"{name} /{'/'.join(map(str, case[0]))} with {case[1]}"
                    if wrong:
                        print(f'FAILED {told}: {wrong}')
                    elif options.accepted and code == 0:
                        print(f'ACCEPTED {told}')
    print(json.dumps({'hostile files': tried, 'not refused': taken, 'failed': failed}))
    return 1 if failed or not tried else 0


if __name__ == '__main__':
    raise SystemExit(main())
