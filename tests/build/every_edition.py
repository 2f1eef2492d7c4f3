# SPDX-License-Identifier: Apache-2.0
"""Builds small editions with every method, stack, currency, language and size of a run of the catalog: each is built, is
whole by `verify`, is the same again with one thread, and `diff` finds nothing between it and itself.
    python3 every_edition.py PROGRAM CATALOG [--all]
Without --all every value of each axis is in some edition.
"""

import argparse
import filecmp
import itertools
import json
import pathlib
import random
import subprocess
import tempfile

CURRENCIES = [None, ('EUR', '€', 1.17), ('JPY', '¥', 0.0065), ('VND', '₫', 0.000038), ('KWD', 'KWD', 3.25), ('INR', '₹', 0.0113),
              ('PLN', 'zł', 0.275), ('CHF', 'CHF', 1.24), ('IDR', 'Rp', 0.00006), ('BRL', 'R$', 0.187)]
LABELS = [None, 'de.json']
TOKENS = [None, 1_000, 1_000_000, 2_000_000_000, 10 ** 11, 10 ** 12]
GPUS = [['h100-sxm'], ['b200', 'rtx-5090'], ['a100-80-sxm', 'mi300x', 'gb10']]


def spec_of(quarterly, method, stack, currency, labels, tokens, gpus):
    """The quarterly sheet with one small model, one method and one stack."""
    spec = dict(quarterly, id='one', methods=[method], gpus=gpus, handout={'next_edition': '2027-Q1'}, max_gpus=64,
                highlight_model='llama-3.2-3b')
    spec['models'] = [one for one in quarterly['models'] if one['id'] == 'llama-3.2-3b']
    spec['scenarios'] = [{**{key: value for key, value in quarterly['scenarios'][0].items() if key != 'methods'}, 'id': 'only', 'stack': stack}]
    spec['plan'] = {**quarterly['plan'], 'runs': [{'model': 'llama-3.2-3b', 'method': method, 'runs_per_month': {'low': 1, 'expected': 2, 'high': 5}}]}
    if tokens is not None:
        spec.update(tokens=tokens, adapter_tokens=tokens)
    if currency is not None:
        code, symbol, usd = currency
        spec['currency'] = {'code': code, 'symbol': symbol, 'usd_per_unit': usd, 'as_of': spec['as_of'], 'source': 'a bank'}
    if labels is not None:
        spec['labels'] = labels
    return spec


def covering(axes):
    """As many choices as the longest axis has values: every value of each axis, the same mixture each time."""
    longest = max(map(len, axes))
    columns = []
    for number, axis in enumerate(axes):
        column = [axis[place % len(axis)] for place in range(longest)]
        random.Random(number).shuffle(column)
        columns.append(column)
    return zip(*columns)


def run(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=300)
    return done.returncode, (done.stdout + done.stderr).strip().splitlines()


def fault_of(program, catalog, folder, spec):
    """What is wrong with an edition of the specification; None where it is refused as a request that cannot be."""
    (folder / 'one.json').write_text(json.dumps(spec))
    build = ['build', '--catalog', catalog, '--sheet', folder / 'one.json']
    code, said = run(program, *build, '--out', folder / 'edition')
    words = said[-1] if said else ''
    if code != 0:
        known = code == 2 and words.startswith(f'sizesheet: {folder}/one.json:/')
        return None if known else f'build ends with {code}: {words}'
    code, said = run(program, 'verify', folder / 'edition')
    if code != 0:
        return f'verify ends with {code}: {said[:2]}'
    run(program, *build, '--out', folder / 'again', '--jobs', '1')
    names = sorted(path.relative_to(folder / 'edition') for path in (folder / 'edition').rglob('*') if path.is_file())
    _, differ, missing = filecmp.cmpfiles(folder / 'edition', folder / 'again', names, shallow=False)
    if differ or missing:
        return f'built again it differs in {differ + missing}'
    code, said = run(program, 'diff', folder / 'edition', folder / 'again')
    return '' if code == 0 else f'diff with itself ends with {code}: {said[:2]}'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program', type=pathlib.Path)
    parser.add_argument('catalog', type=pathlib.Path)
    parser.add_argument('--all', action='store_true')
    options = parser.parse_args()
    program, catalog = options.program.resolve(), options.catalog.resolve()
    quarterly = json.loads((catalog / 'sheets/quarterly.json').read_text())
    methods = sorted(path.stem for path in (catalog / 'methods').glob('*.json'))
    stacks = sorted(path.stem for path in (catalog / 'stacks').glob('*.json'))
    axes = [methods, stacks, CURRENCIES, LABELS, TOKENS, GPUS]
    choices = itertools.product(*axes) if options.all else covering(axes)
    built, refused, failed = 0, 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / 'de.json').write_text((catalog / 'labels/de.json').read_text())
        for choice in choices:
            fault = fault_of(program, catalog, folder, spec_of(quarterly, *choice))
            built, refused, failed = built + (fault is not None), refused + (fault is None), failed + bool(fault)
            if fault:
                print(f'FAILED {choice}: {fault}')
    print(json.dumps({'editions built': built, 'refused by name': refused, 'failed': failed}))
    return 1 if failed or built < len(methods) // 2 else 0


if __name__ == '__main__':
    raise SystemExit(main())
