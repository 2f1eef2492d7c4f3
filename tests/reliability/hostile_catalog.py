# SPDX-License-Identifier: Apache-2.0
"""Puts hostile texts and numbers, one at a time, in every place of the catalog's files: each is refused with its file
and place, or the edition that comes out is as clean as any.
    python3 hostile_catalog.py PROGRAM CATALOG [--every N] [--from K] [--only numbers|texts] [--accepted]
"""

import argparse
import concurrent.futures
import copy
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

from clean_edition import faults_of_edition
from hostile_values import CONTROL, NUMBERS, REFUSED_TEXTS, TEXTS
from places import every_leaf, put
from small_catalog import build_command, make_small_catalog


NOT_READ = {'schema'}
NOT_BUILT = {'configs', 'writers'}  # no edition reads them: `check` does


def cases_of(catalog):
    """(file, place, what it is called, value) with one place for each kind of place."""
    seen = set()
    for path in sorted(catalog.rglob('*.json')):
        name = path.relative_to(catalog)
        if name.parts[0] in NOT_READ:
            continue
        for place, value in every_leaf(json.loads(path.read_text())):
            depth = 3 if name.parts[0] in NOT_BUILT else None  # below it are names of a framework and of a request
            kind = (name.parts[0], tuple('*' if isinstance(key, int) else key for key in place)[:depth])
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
        put(document, place, hostile)
        (catalog / name).write_text(json.dumps(document))
        try:
            return self.outcome(catalog, name)
        finally:
            (catalog / name).write_text(self.files[name])

    def checked(self, catalog, name):
        done = subprocess.run([self.program, 'check', '--catalog', catalog], capture_output=True, timeout=20)
        told = (done.stdout + done.stderr).decode('utf-8', 'strict')
        if done.returncode == 0:
            return 'built', ''
        clear = done.returncode in (1, 2) and 'internal error' not in told and name in told
        clear = clear and not CONTROL.search(told.replace('\n', ''))
        return 'refused', '' if clear else f'unclear message: {told[-300:]!r}'

    def outcome(self, catalog, name):
        if name.split('/')[0] in NOT_BUILT:
            return self.checked(catalog, name)
        home = catalog.parent
        before = sorted(path.name for path in home.iterdir() if path.name != 'output')
        try:
            done = subprocess.run(build_command(self.program, catalog, home / 'output'), capture_output=True, timeout=20)
        except subprocess.TimeoutExpired:
            return 'built', 'takes more than 20 s'
        told = done.stderr.decode('utf-8', 'strict')
        beside = sorted(path.name for path in home.iterdir() if path.name != 'output')
        if beside != before:
            return 'built', f'files beside the edition: {beside}'
        if done.returncode == 2:
            named = name in told or name.replace('conventions/', 'conventions/figures/') in told  # who judges them
            clear = 'internal error' not in told and named and not CONTROL.search(told.replace('\n', ''))
            return 'refused', '' if clear else f'unclear message: {told[-300:]!r}'
        if done.returncode != 0:
            return 'refused', f'exit {done.returncode}: {told[-300:]!r}'
        return 'built', '; '.join(faults_of_edition(home / 'output')[:3])


# What no fact may be, wherever it stands; and what may be nothing, or very much.
BEYOND = {'negative huge', 'huge', '2^53 + 1', '2^63', '2^64', '10^12', '10^18'}
NEVER = REFUSED_TEXTS | (BEYOND - {'10^12'}) | {'below zero', 'a text', 'a list'}
NOT_NOTHING = {'usd_per_instance_hour', 'memory_gb', 'torch_total_gib', 'driver_total_gib', 'bandwidth_gb_per_s', 'tdp_w', 'gpus',
               'bf16_dense_tflops', 'fp16_dense_tflops', 'fp8_dense_tflops', 'gpus_per_node', 'num_hidden_layers', 'hidden_size',
               'vocab_size', 'matmul_efficiency', 'attention_efficiency', 'tokens', 'max_gpus', 'rank', 'bytes', 'usd', 'kw'}
READ_AS_HOURS = {'startup_hours', 'startup_hours_per_node', 'deadline_hours'}  # "12" is a number of hours
MAY_BE_10_12 = {'tokens', 'value', 'live_parameters', 'printed', 'bytes'}


def sensible(case):
    """Whether the value may be taken at its place."""
    name, place, what, _ = case
    if name.split('/')[0] in NOT_BUILT and place[-1] not in ('order', 'date'):
        return what not in REFUSED_TEXTS | BEYOND  # a value of a framework may be any other
    if name.startswith('measured/') and 'request' in place:
        return True  # a run that the engine refuses is shown as refused
    keys = {key for key in place if isinstance(key, str)}
    if what == 'a text' and place[-1] in READ_AS_HOURS:
        return True
    if what == '10^12':
        return bool(keys & MAY_BE_10_12)
    if what in ('zero', 'minus zero', 'tiny', 'least'):
        return not keys & NOT_NOTHING or (name.startswith('gpus/') and place[-1] == 'max_gpus')
    return what not in NEVER


def told(case):
    return f"{case[0]}:/{'/'.join(map(str, case[1]))} with {case[2]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program', type=pathlib.Path)
    parser.add_argument('catalog', type=pathlib.Path)
    parser.add_argument('--every', type=int, default=1, help='only each Nth case')
    parser.add_argument('--from', type=int, default=0, dest='first', help='the first of them')
    parser.add_argument('--only', choices=('numbers', 'texts'))
    parser.add_argument('--accepted', action='store_true', help='list what was built')
    options = parser.parse_args()
    counts, failed = {'refused': 0, 'built': 0}, 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        catalog = make_small_catalog(options.catalog, scratch / 'catalog')
        ring = Ring(options.program.resolve(), catalog, scratch)
        cases = [case for case in cases_of(catalog)
                 if options.only is None or (options.only == 'texts') == (case[2] in TEXTS)]
        cases = cases[options.first::options.every]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for case, (how, wrong) in zip(cases, pool.map(ring.run, cases)):
                counts[how] += 1
                wrong = wrong or ('' if how == 'refused' or sensible(case) else 'is taken')
                if wrong:
                    failed += 1
                    print(f'FAILED {told(case)}: {wrong}')
                elif how == 'built' and options.accepted:
                    print(f'ACCEPTED {told(case)}')
    print(json.dumps({'hostile values': len(cases), **counts, 'failed': failed}))
    return 1 if failed or not cases else 0


if __name__ == '__main__':
    raise SystemExit(main())
