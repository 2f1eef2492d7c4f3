# SPDX-License-Identifier: Apache-2.0
"""Tries every limit of docs/reliability.md: what just keeps it is taken, one more is refused with the limit's own words.
    python3 limits.py PROGRAM CATALOG
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from small_catalog import build_command, make_small_catalog

MIB = 1 << 20
REQUEST = {'model': 'llama-3.2-1b', 'gpu': 'h100-sxm', 'stack': 'hf-trl', 'method': 'lora-r16'}
PRICES = 'gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source\nh100-sxm,eu,x8,8,on_demand,list,20,2026-11-20,mail\n'


class Bench:
    def __init__(self, program, catalog, scratch):
        self.program, self.scratch = str(pathlib.Path(program).resolve()), scratch
        self.sound = make_small_catalog(catalog, scratch / 'sound')
        self.catalog, self.out = scratch / 'catalog', scratch / 'output'
        self.tried = self.failed = 0

    def fresh(self):
        shutil.rmtree(self.catalog, ignore_errors=True)
        shutil.copytree(self.sound, self.catalog)

    def run(self, *words, text=None):
        done = subprocess.run([self.program, *map(str, words)], input=text, capture_output=True, text=True, timeout=600)
        return done.returncode, done.stderr + done.stdout

    def expect(self, what, limit, beyond, words, command, code=0):
        """`beyond(amount)` prepares a case; at the limit the command ends with `code`, one beyond it tells `words`."""
        for amount in (limit, limit + 1):
            self.tried += 1
            self.fresh()
            got, told = command(beyond(amount))
            within = amount == limit
            if (got == code and words not in told) if within else (got in (1, 2) and words in told):
                continue
            self.failed += 1
            print(f'FAILED {what} of {amount:,}: exit {got}: {told[-300:]!r}')

    def check(self, _=None):
        return self.run('check', '--catalog', self.catalog)

    def padded(self, name, size):
        """Blanks behind a document change nothing in it."""
        path = self.catalog / name
        path.write_bytes(path.read_bytes().ljust(size))


def catalogs(bench):
    model = 'models/llama-3.2-1b.json'
    bench.expect('a file of a catalog', 16 * MIB, lambda size: bench.padded(model, size),
                 f'{model}: expected at most {16 * MIB} bytes', bench.check)

    def all_together(size):
        beside = [*bench.catalog.glob('configs/*'), *bench.catalog.glob('writers/*'), *bench.catalog.glob('schema/config-*')]
        files = [path for path in bench.catalog.rglob('*.json') if path not in beside]  # no edition reads the others
        rest = size - sum(path.stat().st_size for path in files)
        for path in sorted(files)[:5]:
            more = min(rest, 15 * MIB)
            bench.padded(path.relative_to(bench.catalog), path.stat().st_size + more)
            rest -= more
    bench.expect('a catalog', 64 * MIB, all_together, f'expected at most {64 * MIB} bytes in all files together', bench.check)

    def many_files(count):
        for i in range(count - sum(path.is_file() for path in bench.catalog.rglob('*'))):
            (bench.catalog / f'notes-{i}.txt').touch()
    bench.expect('files of a catalog', 10000, many_files, 'expected at most 10000 files', bench.check)

    def changed(name, **keys):
        path = bench.catalog / name
        path.write_text(json.dumps({**json.loads(path.read_text()), **keys}))
    bench.expect('a text', 4000, lambda size: changed(model, note='x' * size),
                 f'{model}:/note: expected at most 4000 bytes of text, got 4001', bench.check)
    bench.expect('an id', 100, lambda size: changed('sheets/small.json', id='x' * size),
                 'expected an id of at most 100 characters', bench.check, code=0)

    def scenarios(count):
        sheet = json.loads((bench.catalog / 'sheets/small.json').read_text())
        one = {**sheet['scenarios'][0], 'summary': 'a scenario'}  # 30,000 of them are to fit into a file
        changed('sheets/small.json', methods=['full'], scenarios=[{**one, 'id': f's{i}'} for i in range(count)])
    bench.expect('rows of a sheet', 30000, scenarios, 'expected at most 30,000 rows', bench.check)


def told_at_once(bench):
    def unknown(count):
        sheet = bench.catalog / 'sheets/small.json'
        sheet.write_text(json.dumps({**json.loads(sheet.read_text()), 'gpus': [f'gpu-{i}' for i in range(count)]}))
    bench.expect('faults told', 200, unknown, 'and 1 fault more',
                 lambda _: bench.run(*build_command(bench.program, bench.catalog, bench.out)[1:]), code=2)


def documents(bench):
    def document(text):
        path = bench.scratch / 'sheet.json'
        with path.open('w') as file:
            for part in text:
                file.write(part)
        return path

    def compare(path):
        return bench.run('diff', path, path)
    bench.expect('a document', 512 * MIB, lambda size: document(['{}', *[' ' * MIB] * (size // MIB - 1), ' ' * (MIB - 2 + size % MIB)]),
                 f'sheet.json: expected at most {512 * MIB} bytes', compare, code=2)
    bench.expect('values of a document', 20_000_000, lambda count: document(['{"x":[0', ',0' * (count - 3), ']}']),
                 'more than 20000000 values in one document', compare, code=2)
    bench.expect('levels of a document', 200, lambda depth: document(['[' * depth, ']' * depth]),
                 'nested more than 200 levels deep', compare, code=2)


def lines(bench):
    def answer(line):
        return bench.run('estimate', '--catalog', bench.catalog, text=line + '\n')
    bench.expect('a line', MIB, lambda size: json.dumps(REQUEST).ljust(size), f'expected at most {MIB} bytes', answer)
    bench.expect('values of a line', 20000, lambda count: json.dumps({'x': [0] * (count - 2)}),
                 'more than 20000 values in one document', answer, code=1)


def other_files(bench):
    table = bench.scratch / 'vendor.csv'
    bench.expect('a table of prices', 32 * MIB, lambda size: table.write_text(PRICES.ljust(size, '\n')),
                 f'vendor.csv: expected at most {32 * MIB} bytes',
                 lambda _: bench.run('import-prices', table, '--format', 'sizesheet', '--catalog', bench.catalog))
    templates = bench.scratch / 'templates'
    templates.mkdir()
    build = build_command(bench.program, bench.catalog, bench.out)[1:]
    bench.expect('a template', MIB, lambda size: (templates / 'nav.mustache').write_text('{{!' + 'x' * (size - 5) + '}}'),
                 f'nav.mustache: expected at most {MIB} bytes', lambda _: bench.run(*build, '--templates', templates))

    def manifest(size):
        shutil.rmtree(bench.out, ignore_errors=True)
        bench.run(*build)
        path = bench.out / 'manifest.json'
        path.write_bytes(path.read_bytes().ljust(size))
    words = f'manifest.json: expected at most {64 * MIB} bytes'
    bench.expect('a manifest', 64 * MIB, manifest, words, lambda _: bench.run(*build))
    bench.expect('a manifest to verify', 64 * MIB, manifest, words, lambda _: bench.run('verify', bench.out), code=1)


def main(program, catalog):
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(program, catalog, pathlib.Path(folder))
        for part in (catalogs, told_at_once, documents, lines, other_files):
            part(bench)
    print(json.dumps({'limits tried': bench.tried, 'failed': bench.failed}))
    return 1 if bench.failed else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
