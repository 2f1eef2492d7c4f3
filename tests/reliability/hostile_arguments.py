# SPDX-License-Identifier: Apache-2.0
"""Gives every command arguments that nobody means well with: each ends soon with exit 2 (exit 1 where the answer is no) and
a message that names what is wrong, and nothing is written anywhere.
    python3 hostile_arguments.py PROGRAM CATALOG
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from edition_state import state_of
from hostile_values import CONTROL
from small_catalog import make_small_catalog

REQUEST = b'{"model":"llama-3.2-1b","method":"full","gpu":"h100-sxm","stack":"hf-trl"}\n'
CONFIG = {'model_type': 'llama', 'hidden_size': 64, 'intermediate_size': 128, 'num_hidden_layers': 2, 'num_attention_heads': 4,
          'num_key_value_heads': 4, 'head_dim': 16, 'vocab_size': 100, 'hidden_act': 'silu', 'tie_word_embeddings': False,
          'max_position_embeddings': 128}
LONG = 'x' * 10000


class Bench:
    def __init__(self, program, catalog, scratch):
        self.program, self.scratch = str(pathlib.Path(program).resolve()), scratch
        self.catalog = make_small_catalog(catalog, scratch / 'catalog')
        self.out = scratch / 'edition'
        subprocess.run(self.build(), check=True, stderr=subprocess.DEVNULL)
        self.edition = state_of(self.out)
        self.tried, self.failed = 0, 0

    def build(self, *more, sheet='small', out=None):
        return [self.program, 'build', '--catalog', str(self.catalog), '--sheet', sheet, '--out',
                str(self.out if out is None else out), *more]

    def refused(self, what, command, names, codes=(2,), **how):
        self.tried += 1
        before = sorted(path.name for path in self.scratch.iterdir())
        try:
            done = subprocess.run(command, capture_output=True, timeout=60, cwd=self.scratch, **how)
        except subprocess.TimeoutExpired:
            return self.tell(what, 'takes more than a minute')
        told = (done.stderr + done.stdout).decode('utf-8', 'replace')
        wrong = [] if done.returncode in codes else [f'exit {done.returncode}']
        if not any(name in told for name in ([names] if isinstance(names, str) else names)):
            wrong.append(f'does not name {names}')
        if 'internal error' in told or CONTROL.search(told.replace('\n', '')) or len(told) > 20000:
            wrong.append('no clear message')
        if '\nsizesheet: whole' in told:
            wrong.append('a forged line')
        if state_of(self.out) != self.edition:
            wrong.append('the old edition changed')
            shutil.rmtree(self.out)
            subprocess.run(self.build(), check=True, stderr=subprocess.DEVNULL)
        if sorted(path.name for path in self.scratch.iterdir()) != before:
            wrong.append('something was left behind')
        return self.tell(what, f"{', '.join(wrong)}: {told[-300:]!r}") if wrong else None

    def tell(self, what, words):
        self.failed += 1
        print(f'FAILED {what}: {words}')


def folders(bench):
    scratch = bench.scratch
    (scratch / 'a-file').write_text('mine')
    (scratch / 'foreign').mkdir()
    (scratch / 'foreign/mine').write_text('mine')
    os.mkfifo(scratch / 'pipe')
    (scratch / 'loop').symlink_to(scratch / 'loop')
    for what, out in {'a file': 'a-file', 'a pipe': 'pipe', 'a device': '/dev/null', 'the root': '/', 'nothing': '', 'a dot': '.',
                      'the folder above': '..', 'a file of a file': 'a-file/out', 'a loop': 'loop', 'below a loop': 'loop/out',
                      'somebody else\'s': 'foreign', 'a name too long': 'x' * 300, 'the kernel\'s': '/proc/version/out',
                      'the catalog': 'catalog', 'a folder of the catalog': 'catalog/models'}.items():
        bench.refused(f'--out {what}', bench.build(out=out), [out or '--out'])
    for what, catalog in {'a file': 'a-file', 'a pipe': 'pipe', 'a device': '/dev/zero', 'a loop': 'loop', 'nothing': '',
                          'missing': 'missing', 'empty': 'foreign', 'long': LONG}.items():
        for command in ('check', 'build', 'estimate', 'validate'):
            bench.refused(f'{command} --catalog {what}', [bench.program, command, '--catalog', catalog],
                          [catalog[:40] or '--catalog', 'catalog'], input=REQUEST)
        if what != 'empty':  # a layer may be
            bench.refused(f'a layer that is {what}', [bench.program, 'check', '--catalog', 'builtin', '--catalog', catalog],
                          [catalog[:40] or '--catalog'])


def odd_files(bench):
    """What stands among the catalog's files and is none."""
    for what, make in {
            'a pipe': os.mkfifo, 'an endless device': lambda path: path.symlink_to('/dev/zero'),
            'a loop': lambda path: path.symlink_to(path), 'a link to nowhere': lambda path: path.symlink_to('nowhere'),
            'a link to a folder': lambda path: path.symlink_to(bench.catalog), 'a folder': lambda path: path.mkdir(),
            'a file out of reach': lambda path: path.symlink_to('/proc/self/mem')}.items():
        for name in ('models/llama-3.2-1b.json', 'models/zz.json', 'engine.json', 'sheets/zz.json'):
            if what == 'a folder' and name.endswith('zz.json'):
                continue  # an empty folder says nothing
            path = bench.catalog / name
            kept = path.read_bytes() if path.exists() else None
            path.unlink(missing_ok=True)
            make(path)
            gone = ['llama-3.2-1b'] if name.endswith('1b.json') else [name]
            bench.refused(f'{name} is {what}', bench.build(), gone)
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
            if kept is not None:
                path.write_bytes(kept)


def names(bench):
    """A name of a file or of a key is printed where its file is at fault, and forges no line of its own."""
    forged = 'a\nsizesheet: whole\x1b[31m\u202eb.json'
    shown = r'a\u{000A}sizesheet: whole\u{001B}[31m\u{202E}b.json'
    editions = {name: bench.scratch / name for name in ('extra', 'key', forged)}
    for folder in editions.values():
        shutil.copytree(bench.out, folder)
    (editions['extra'] / forged).write_text('{}')
    manifest = json.loads((editions['key'] / 'manifest.json').read_text())
    manifest['files'][forged] = 'x'
    (editions['key'] / 'manifest.json').write_text(json.dumps(manifest))
    (editions[forged] / 'index.html').write_text('mine')
    for folder in editions.values():
        for command, codes in (([bench.program, 'verify', str(folder)], (1, 2)), (bench.build(out=folder), (2,))):
            bench.refused(f'{command[1]} of a name with an end of line', command, shown, codes)
    for where in ('models', 'sheets', 'prices'):
        path = bench.catalog / where / forged
        path.write_text('{')
        for command in ('check', 'build'):
            bench.refused(f'{command} with such a name in {where}', bench.build() if command == 'build' and where != 'sheets' else
                          [bench.program, 'check', '--catalog', str(bench.catalog)], shown, (1, 2))
        path.unlink()
    path = bench.catalog / 'models/llama-3.2-1b.json'
    kept = path.read_text()
    path.write_text(json.dumps({**json.loads(kept), forged: 1}))
    bench.refused('a key of an entry', bench.build(), shown)
    path.write_text(kept)
    for folder in editions.values():
        shutil.rmtree(folder)
    for words in ('check --catalog', 'build --catalog', 'estimate --catalog', 'diff', 'verify', 'list', 'sweep --sheet', 'import-model',
                  'build --sheet small --templates', 'build --sheet small --baseline', 'explain --method full --model',
                  'fits --sheet small --gpus 1 --gpu', 'sweep --sheet small --seq', 'build --sheet small --as-of',
                  'diff a b --threshold', 'cost', 'help', ''):
        own = ['--catalog', str(bench.catalog)] if words.startswith(('sweep', 'fits', 'explain', 'build --sheet')) else []
        of_list = [shown.split(' ')[0]] if words.endswith('--seq') else []  # blanks separate lengths
        bench.refused(f'{words} with such a word', [bench.program, *words.split(), forged, *own],
                      [*of_list, shown, shown.replace(r'\u{000A}', r'\n').replace(r'\u{001B}', r'\u001b'), 'is required',
                       'no sheet "quarterly"'], (1, 2), input=REQUEST)  # which a bare model is asked of


def options(bench):
    program, catalog = bench.program, str(bench.catalog)
    fits = [program, 'fits', '--catalog', catalog, '--sheet', 'small', '--gpu', 'h100-sxm']
    explain = [program, 'explain', '--catalog', catalog, '--model', 'llama-3.2-1b', '--method', 'full', '--gpu', 'h100-sxm']
    cost = [program, 'cost', '--catalog', catalog, '--sheet', 'small', '--gpu', 'h100-sxm']
    for jobs in ('0', '-1', '1e9', '1000000000', 'abc', '1.5', '', '99999999999999999999'):
        bench.refused(f'--jobs {jobs}', bench.build('--jobs', jobs), '--jobs')
    for day in ('2026-02-30', '99999-01-01', '2026-1-1', '-1', 'today', '2026-13-01', '２０２６-01-01', LONG, '0000-00-00'):
        bench.refused(f'--as-of {day[:20]}', bench.build('--as-of', day), '--as-of')
    for epoch in ('abc', '-1', '1e30', '99999999999999999999', '253402300800', ' 1'):
        bench.refused(f'SOURCE_DATE_EPOCH {epoch}', bench.build(), 'SOURCE_DATE_EPOCH', env=dict(os.environ, SOURCE_DATE_EPOCH=epoch))
    for url in ('http://x.org', 'https://', 'https://a"b', 'javascript:alert(1)', 'https://user:word@x.org/', 'https://x.org/\n',
                'https://\u202ex', 'https://x.org/<script>', 'https:///path', 'https://x.org:99999999/', 'ftp://x.org', ' https://x.org'):
        bench.refused(f'--base-url {url!r}', bench.build('--base-url', url), '--base-url')
    for paper in ('A3', '', '../a4'):
        bench.refused(f'--paper {paper}', bench.build('--paper', paper), '--paper')
    for sheet in ('../sheets/small', 'missing', '', '/dev/zero', 'catalog/sheets', 'a-file', '.json', LONG, '/dev/null', '\x1b[31m'):
        bench.refused(f'--sheet {sheet[:30]!r}', bench.build(sheet=sheet), ['--sheet', sheet[:30], 'rejected'])
    for number in ('nan', 'inf', '-inf', '-1', '0', '1e999', 'abc', '', '0x10', '1e308', '1e-308'):
        bench.refused(f'--measured-gib {number}', explain + ['--measured-gib', number], '--measured-gib')
        bench.refused(f'--hours-per-month {number}', cost + ['--hours-per-month', number], '--hours')
        bench.refused(f'--rent {number}', cost + ['--rent', number], '--rent')
        bench.refused(f'--budget-usd {number}', fits + ['--gpus', '8', '--budget-usd', number], '--budget')
        bench.refused(f'--deadline-hours {number}', fits + ['--gpus', '8', '--deadline-hours', number], '--deadline')
    for count in ('0', '-1', '9223372036854775808', '18446744073709551617', 'nan', '', '1.5', '4611686018427387904'):
        bench.refused(f'fits --gpus {count}', fits + ['--gpus', count], ['--gpus', 'layout.gpus'])
        bench.refused(f'explain --gpus {count}', explain + ['--gpus', count], ['--gpus', 'layout.gpus'])
        bench.refused(f'--micro-batch {count}', explain + ['--micro-batch', count], ['--micro-batch', 'workload.micro_batch'])
        bench.refused(f'--seq {count}', explain + ['--seq', count], ['--seq', 'workload.seq_len'])
        bench.refused(f'--tokens {count}', explain + ['--tokens', '-5' if count == '4611686018427387904' else count],
                      ['--tokens', 'workload.tokens'], (2,))
    for name in ('../../etc/passwd', LONG, '\x1b[31m', '\u202eabc', '', 'llama-3.2-1b/'):
        for option in ('--model', '--method', '--gpu', '--stack'):
            bench.refused(f'explain {option} {name[:20]!r}', explain + [option, name], [option, option[2:], 'rejected'])


def sweeps(bench):
    sweep = [bench.program, 'sweep', '--catalog', str(bench.catalog), '--sheet', 'small']
    for shard in ('0/1', '2/1', '1', '/', '1/', '/1', '1/0', '-1/2', '1/-2', '1/2/3', 'a/b', '1.5/2', ' 1/2', '1/2 ', '', '1e0/2', LONG,
                  '1/1000001', '9223372036854775808/9223372036854775809', '\x1b[31m', '0x1/2'):
        bench.refused(f'--shard {shard[:30]!r}', sweep + ['--shard', shard], '--shard')
    for tokens in ('0', '-1', '100000001', 'nan', '', '1.5', '9223372036854775808', '4096,4096', '4096,,8192', 'x'):
        bench.refused(f'--seq {tokens}', sweep + ['--seq', tokens], '--seq')
    for name in ('../../etc/passwd', LONG, '\x1b[31m', '\u202eabc', '', 'h100-sxm/x', 'h100-sxm,h100-sxm', ',', '*'):
        for option in ('--models', '--methods', '--gpus'):
            bench.refused(f'sweep {option} {name[:20]!r}', sweep + [option, name], option)
    for form in ('', 'parquet', '../csv'):
        bench.refused(f'sweep --format {form}', sweep + ['--format', form], '--format')
    (bench.scratch / 'link').symlink_to(bench.scratch / 'a-file')
    for what, out in {'a folder': 'foreign', 'a device': '/dev/full', 'a pipe': 'pipe', 'a link': 'link', 'a loop': 'loop', 'nothing': '',
                      'below a file': 'a-file/cells.csv', 'below nothing': 'missing/cells.csv', 'the kernel\'s': '/proc/version/x',
                      'a name too long': 'x' * 300, 'the folder above': '..', 'a dot': '.'}.items():
        bench.refused(f'sweep --out {what}', sweep + ['--out', out], [out or '--out', f'{out.rsplit("/", 1)[0]}: cannot write here'])
    bench.tried += 1
    if (bench.scratch / 'a-file').read_text() != 'mine':
        bench.tell('sweep --out a link', 'the file behind it changed')


def comparisons(bench):
    edition = str(bench.out)
    diff = [bench.program, 'diff', edition, edition]
    for limit in ('usd=nan%', 'usd=-1%', 'usd=1e999%', 'usd', '=', 'usd=1%,usd=2%', 'memory=-1GiB', 'x=1%', '', 'usd=inf%'):
        bench.refused(f'--threshold {limit}', diff + ['--threshold', limit], '--threshold')
    for row in ('', '/', '../..', LONG, '\x1b[31m', 'a/b/c/d/e/f'):
        bench.refused(f'diff --explain {row[:20]!r}', diff + ['--explain', row], ['--explain', 'rejected'])
    for path in ('missing', '/dev/zero', '/dev/null', 'a-file', 'foreign', 'loop', LONG, ''):
        bench.refused(f'diff {path[:20]}', [bench.program, 'diff', path, edition], [path[:20] or 'diff: expected a value'])
        bench.refused(f'verify {path[:20]}', [bench.program, 'verify', path], [path[:20] or 'verify: expected a value'])
        if path:
            bench.refused(f'--baseline {path[:20]}', bench.build('--baseline', path), path[:20])


def imports(bench):
    config = bench.scratch / 'config.json'
    config.write_text(json.dumps(CONFIG))
    good = {'--id': 'x', '--source': 'its config', '--date': '2026-01-01'}

    def command(**changed):
        return [bench.program, 'import-model', str(config)] + [
            word for pair in {**good, **{f'--{key}': value for key, value in changed.items()}}.items() for word in pair]
    assert subprocess.run(command(), capture_output=True).returncode == 0
    for key, values in {'id': ('../x', 'con', 'NUL', '', LONG, 'a\nb', 'a b', 'x.', '.x', 'com1.x', '\u202ex'),
                        'date': ('2026-02-30', 'now', '', '99999-01-01'), 'source': ('', '  ', 'a\x07b', '\u202e', LONG, 'http://x.org'),
                        'title': ('\x1b[31m', '\u202e', LONG, '  '), 'repository': ('\x1b', 'http://x.org/a', LONG, '\u202e')}.items():
        for value in values:
            bench.refused(f'import-model --{key} {value[:20]!r}', command(**{key: value}), [key, 'rejected'])
    path = bench.scratch / 'prices.csv'
    path.write_text('gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source\n')
    for provider in ('../x', 'con', 'NUL', '', LONG, 'a/b', '\x1b', 'x.', 'excluded'):
        bench.refused(f'import-prices --provider {provider[:20]!r}', [
            bench.program, 'import-prices', str(path), '--format', 'sizesheet', '--catalog', str(bench.catalog), '--provider',
            provider], ['--provider', 'provider', 'expected'], (1, 2))


def templates(bench):
    folder = bench.scratch / 'templates'
    cases = {'nothing known': ({'x.mustache': ''}, 'x.mustache: no page uses a template of this name'),
             'itself': ({'head.mustache': '{{>head}}'}, 'head.mustache: takes itself in'),
             'a circle': ({'head.mustache': '{{>footer}}', 'footer.mustache': '{{>head}}'}, 'head.mustache: takes itself in'),
             'an unknown name': ({'footer.mustache': '{{ no_such_name }}'}, "template 'footer.mustache': no value named 'no_such_name'"),
             'a name of another place': ({'footer.mustache': '{{count_gpus}}'}, "template 'footer.mustache': no value named 'count_gpus'"),
             'an open section': ({'nav.mustache': '{{#title}}'}, 'nav.mustache: Unclosed section "title"'),
             'an unknown part': ({'head.mustache': '{{>../../etc/passwd}}'}, "template 'head.mustache': no partial named"),
             'bytes': ({'head.mustache': '\udcff'}, 'head.mustache: expected UTF-8 text'),
             'a path': ({'up../../x': ''}, 'no page uses a template of this name')}
    for what, (files, words) in cases.items():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, text in files.items():
            (folder / name.replace('../../', '')).write_bytes(text.encode('utf-8', 'surrogateescape'))
        bench.refused(f'templates with {what}', bench.build('--templates', str(folder)), words)
    shutil.rmtree(folder)
    (folder / 'head.mustache').mkdir(parents=True)
    bench.refused('a folder for a template', bench.build('--templates', str(folder)), 'head.mustache: expected a template, got a folder')
    for what, target in {'the root': '/', 'a device': '/dev/zero', 'a loop': str(folder / 'head.mustache')}.items():
        shutil.rmtree(folder)
        folder.mkdir()
        (folder / 'head.mustache').symlink_to(target)
        bench.refused(f'a template that is a link to {what}', bench.build('--templates', str(folder)), 'head.mustache')


def main(program, catalog):
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(program, catalog, pathlib.Path(folder))
        for part in (folders, odd_files, names, options, sweeps, comparisons, imports, templates):
            part(bench)
    print(json.dumps({'hostile arguments': bench.tried, 'failed': bench.failed}))
    return 1 if bench.failed else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
