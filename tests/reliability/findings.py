# SPDX-License-Identifier: Apache-2.0
"""Replays the faults that attacks on earlier programs found: each input now gets the right answer.
    python3 findings.py PROGRAM CATALOG [--only NAME]… [--shim SHIM]
Cases of one input are in findings.json, the others are functions here. With SHIM, which lets calls of the C library
fail, the last group of cases runs as well.
"""

import argparse
import collections
import copy
import functools
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import struct
import subprocess
import tempfile
import zlib

from edition_state import state_of
from places import put
from small_catalog import make_small_catalog

TABLE = json.loads((pathlib.Path(__file__).parent / 'findings.json').read_text())
MOST_MEMORY, MOST_SECONDS, LONGEST_WAIT = 2 << 30, 20, 60
COLUMNS = {'gpu': 'h100-sxm', 'region': 'own', 'instance': '8x', 'gpus': '8', 'tier': 'on_demand', 'offer': 'list',
           'usd_per_instance_hour': '30.40', 'as_of': '2026-11-19', 'source': 'a price page'}
PLAN = {'months': 12, 'runs': [{'model': 'llama-3.2-3b', 'method': 'lora-r16',
                                'runs_per_month': {'low': 40, 'expected': 80, 'high': 160}}]}
ENGINE = 'globalThis.sizesheetCalculator = {};\n'
CONFIG = {'model_type': 'qwen3', 'hidden_size': 2048, 'intermediate_size': 6144, 'num_hidden_layers': 16,
          'num_attention_heads': 16, 'num_key_value_heads': 8, 'head_dim': 128, 'vocab_size': 151936, 'hidden_act': 'silu',
          'tie_word_embeddings': True, 'max_position_embeddings': 40960}
YAML = ['base_model: meta-llama/Llama-3.1-8B', 'adapter: qlora', 'load_in_4bit: true', 'lora_target_linear: true',
        'micro_batch_size: 1']
ODD_HOSTS = ('http://grafana/run/5', 'node\t1', 'node\n1', 'node\u200b1', 'node\u00ad1', 'x' * 4001)
CASES, SHIM_CASES = {}, {}
Done = collections.namedtuple('Done', 'code out told')


class Fault(Exception):
    """What came and what was expected."""


def case(name, cases=CASES):
    def keep(function):
        assert name not in CASES and name not in SHIM_CASES, name
        cases[name] = function
        return function
    return keep


def entries(group):
    """A case for each entry of the table's group."""
    def keep(function):
        for entry in TABLE[group]:
            case(entry['case'])(functools.partial(function, entry))
        return function
    return keep


def expect(right, came, expected):
    if not right:
        raise Fault(f'came {came}; expected {expected}')


def expect_answer(done, code, *parts):
    """The exit code, and what the answer says."""
    told = repr(done.told[-300:])
    expect(done.code == code, f'exit {done.code}, {told}', f'exit {code}' + (f', {parts[0]!r}' if parts else ''))
    for part in parts:
        expect(part in done.told, told, repr(part))
    expect('internal error' not in done.told, told, 'no internal error')


def limit():
    for kind, most in ((resource.RLIMIT_AS, MOST_MEMORY), (resource.RLIMIT_CPU, MOST_SECONDS), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(kind, (most, most))


class Bench:
    """The program, the whole catalog and a small one, an edition, and a fresh folder for the case that runs."""

    def __init__(self, options, scratch):
        self.program, self.catalog, self.scratch = options.program.resolve(), options.catalog.resolve(), scratch
        self.shim = options.shim and options.shim.resolve()
        self.small = make_small_catalog(self.catalog, scratch / 'small')
        self.quarterly = json.loads((self.catalog / 'sheets/quarterly.json').read_text())
        self.edition, self.folder, self.count = None, None, 0

    def fresh(self):
        self.count += 1
        self.folder = self.scratch / f'case-{self.count}'
        self.folder.mkdir()

    def run(self, *words, text='', stdin=None, **environment):
        environment = {**os.environ, 'MALLOC_ARENA_MAX': '2', **environment}  # threads take less address space
        try:
            given = {'input': text.encode()} if stdin is None else {'stdin': stdin}
            done = subprocess.run([self.program, *map(str, words)], cwd=self.folder, capture_output=True, timeout=LONGEST_WAIT,
                                  preexec_fn=limit, env=environment, **given)
        except subprocess.TimeoutExpired:
            raise Fault(f'came no answer in {LONGEST_WAIT} seconds; expected one') from None
        out, err = (stream.decode('utf-8', 'replace') for stream in (done.stdout, done.stderr))
        return Done(done.returncode, out, err + out)

    def ask(self, *words, **how):
        """With the whole catalog, unless the words say where they end."""
        return self.run(*words, *([] if '--' in words else ['--catalog', self.catalog]), **how)

    def estimate(self, line):
        done = self.ask('estimate', text=json.dumps(line) + '\n')
        expect(done.out.startswith('{'), f'exit {done.code}, {done.told[-300:]!r}', 'a line of JSON')
        return json.loads(done.out)

    def spec(self, change=(), plan=False):
        """Writes the small sheet with the values of `change`, by their places; None leaves a key out."""
        spec = json.loads((self.small / 'sheets/small.json').read_text())
        spec.pop('pick_seq_lens', None)
        spec.update(handout={'next_edition': '2027-Q1'}, plan=copy.deepcopy(PLAN) if plan else None)
        for place, value in dict(change).items():
            put(spec, keys_of(place), value)
        spec = {key: value for key, value in spec.items() if value is not None}
        (self.folder / 'own.json').write_text(json.dumps(spec))
        return spec

    def build(self, out='edition', *more, catalog=None, **environment):
        return self.run('build', '--catalog', catalog or self.small, '--sheet', 'own.json', '--out', out, *more, **environment)

    def built(self):
        """Builds the sheet that was written, and has it verified."""
        expect_answer(self.build(), 0)
        expect_answer(self.run('verify', 'edition'), 0, ': whole: ')

    def copied_edition(self):
        """An edition of the small sheet that this case may change."""
        if self.edition is None:
            self.spec(plan=True)
            expect_answer(self.build(self.scratch / 'edition'), 0)
            self.edition = self.scratch / 'edition'
        return shutil.copytree(self.edition, self.folder / 'edition')


def keys_of(place):
    return [int(key) if key.isdigit() else key for key in place.split('/')[1:]]


def span_of(text, keys, at=0):
    """Where the value of a place stands in a JSON text: from, to."""
    decoder, blanks = json.JSONDecoder(), re.compile(r'[\s,:]*')
    at = blanks.match(text, at).end()
    if not keys:
        return at, decoder.raw_decode(text, at)[1]
    index, at = 0, blanks.match(text, at + 1).end()
    while text[at] not in ']}':
        key = index
        if isinstance(keys[0], str):
            key, at = decoder.raw_decode(text, at)
            at = blanks.match(text, at).end()
        if key == keys[0]:
            return span_of(text, keys[1:], at)
        index, at = index + 1, blanks.match(text, decoder.raw_decode(text, at)[1]).end()
    raise KeyError(keys)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def write_mended(edition, name, data):
    """Puts other bytes into a file of an edition, and their hash into the manifest."""
    path, manifest = edition / name, edition / 'manifest.json'
    earlier = path.read_bytes()
    assert data != earlier, name
    path.write_bytes(data)
    manifest.write_text(manifest.read_text().replace(sha256(earlier), sha256(data)))


def change_place(edition, place, value):
    """Another value in sheet.json, whose other bytes stay."""
    text = (edition / 'sheet.json').read_text()
    start, end = span_of(text, keys_of(place))
    write_mended(edition, 'sheet.json', (text[:start] + json.dumps(value) + text[end:]).encode())


# ---- What a command is asked.

@case('questions from a stdin that cannot be read')
def unreadable_stdin(bench):
    for command in ('estimate', 'cost'):
        folder = os.open('/', os.O_RDONLY)
        done = bench.run(command, stdin=folder)
        os.close(folder)
        expect_answer(done, 2, 'sizesheet: stdin: cannot be read: Is a directory')


@entries('questions')
def question(entry, bench):
    expect_answer(bench.ask(*entry['run']), entry['exit'], *entry['says'])
    if 'sound' in entry:
        expect_answer(bench.ask(*entry['sound']), 0)


@entries('models')
def unknown_model(entry, bench):
    done = bench.ask('ask', entry['model'], '--method', 'lora-r16', '--gpu', 'h100-sxm')
    expect_answer(done, 2, f'no model "{entry["model"]}" in the catalog')


@entries('gpus')
def unknown_gpu(entry, bench):
    done = bench.ask('ask', 'llama-3.1-8b', '--method', 'lora-r16', '--gpu', entry['gpu'])
    expect_answer(done, 2, f'no GPU "{entry["shown"]}" in the catalog')


@entries('lines')
def line_of_estimate(entry, bench):
    answer = bench.estimate(entry['line'])
    if 'error' in entry:
        return expect(answer.get('error') == entry['error'], answer.get('error'), entry['error'])
    told = answer.get('error', sorted(answer))
    return expect(answer['ok'] and set(entry['has']) <= set(answer), told, f'an answer with {entry["has"]}')


@entries('mixtures')
def mixture(entry, bench):
    """Asked again with the layout that it told, an answer has the same bytes."""
    workload = {'seq_len': 4096, 'micro_batch': 1, 'global_batch': 32, 'packed': True, 'tokens': 50000000}
    line = {**entry['line'], 'workload': workload, 'objective': 'money', 'vary': ['recompute']}
    first = bench.estimate({**line, 'layout': {'gpus': entry['gpus']}})
    expect(first['ok'], first, 'an answer')
    told = {key: value for key, value in first['layout'].items() if key != 'mesh'}
    again = bench.estimate({**line, 'layout': told})
    expect(again['ok'], again, 'an answer for the layout that was told')
    sizes = [answer['memory']['allocated'] for answer in (first, again)]
    expect(sizes[0] == sizes[1], f'{sizes[1]} bytes for the layout {told}', f'{sizes[0]}, as told with it')


@case('too many words')
def too_many_words(bench):
    expect_answer(bench.run('compare', *['llama-3.1-8b', 'vs'] * 3000), 2, 'expected at most 2,000 words, got 6,001')


@case('a config whose types of layers are too few')
def few_layer_types(bench):
    config = bench.folder / 'config.json'
    config.write_text(json.dumps({**CONFIG, 'layer_types': ['full_attention'] * 3}))
    words = ['import-model', 'config.json', '--id', 'x', '--source', 'its config', '--date', '2026-01-01']
    expect_answer(bench.run(*words), 2, 'config.json:/layer_types: expected 16 words, one a layer, got 3')
    config.write_text(json.dumps({**CONFIG, 'layer_types': ['full_attention'] * 16}))
    expect_answer(bench.run(*words), 0, '"id": "x"')


@case('a config with a number without an end')
def endless_number(bench):
    """As Python writes it; a config that is sound by that is answered."""
    config = {**CONFIG, 'model_type': 'llama', 'time_step_limit': [0.0, float('inf')]}
    answer = bench.estimate({'model': config, 'method': 'lora-r16', 'gpu': 'h100-sxm', 'workload': {'tokens': 1000000}})
    expect(answer['ok'], answer, 'an answer')


@entries('configs')
def training_config(entry, bench):
    (bench.folder / 'run.yaml').write_text('\n'.join(YAML + entry['lines']) + '\n')
    done = bench.ask('ask', '--config', 'run.yaml', '--gpu', 'h100', '--tokens', '50M', '--json')
    if 'says' in entry:
        return expect_answer(done, 2, entry['says'])
    expect_answer(done, 0)
    request = json.loads(done.out)['config']['request']
    came = request['method']['rank'], request['workload']['seq_len']
    return expect(came == (entry['rank'], entry['seq_len']), f'rank and length {came}', f'{entry["rank"]}, {entry["seq_len"]}')


# ---- Catalogs, layers and tables.

@entries('layers')
def stray_file(entry, bench):
    path = bench.folder / 'ours' / entry['file']
    path.parent.mkdir(parents=True)
    path.write_text('garbage')
    expect_answer(bench.run('check', '--catalog', bench.small, '--catalog', 'ours'), entry.get('exit', 1), entry['says'])


@entries('tables')
def table_of_prices(entry, bench):
    cells = {**COLUMNS, **entry['cells']}
    (bench.folder / 'acme.csv').write_text(f'{",".join(cells)}\n{",".join(cells.values())}\n')
    done = bench.run('import-prices', 'acme.csv', '--format', 'sizesheet', '--catalog', bench.small)
    expect_answer(done, 1, 'acme.csv:2: ', entry['says'])


def layer_of(bench, factor):
    """Lambda's prices, each times a factor."""
    table = json.loads((bench.catalog / 'prices/lambda.json').read_text())
    for row in table['rows']:
        row['usd_per_instance_hour'] = round(row['usd_per_instance_hour'] * factor, 4)
    (bench.folder / 'ours/prices').mkdir(parents=True)
    (bench.folder / 'ours/prices/lambda.json').write_text(json.dumps(table))


@case('one\'s own prices below the built-in ones')
def own_prices_below(bench):
    layer_of(bench, 0.9)
    prices = ['prices', 'h100', 'lambda', '--catalog']
    expect_answer(bench.run(*prices, 'builtin', '--catalog', 'ours'), 0)
    done = bench.run(*prices, 'ours', '--catalog', 'builtin')
    expect_answer(done, 2, '--catalog: expected builtin first, got it over ours, whose files it would replace')


def price_of(bench, **values):
    row = {'gpu': 'h100-sxm', 'region': 'own', 'instance': '8x', 'gpus': 8, 'tier': 'on_demand', 'offer': 'list',
           'as_of': bench.quarterly['as_of'], 'source': 'a price page', 'confirmed': 'by its seller', **values}
    (bench.folder / 'ours/prices').mkdir(parents=True)
    (bench.folder / 'ours/prices/acme.json').write_text(json.dumps({'provider': 'acme', 'rows': [row]}))


@case('a price of millionths of a dollar')
def tiny_price(bench):
    price_of(bench, usd_per_instance_hour=0.000003)
    bench.spec()
    expect_answer(bench.build('edition', '--catalog', 'ours'), 0)


@case('a price of three cents for thousands of GPUs')
def tiny_price_of_many(bench):
    price_of(bench, usd_per_instance_hour=0.03, gpus=65536)
    bench.spec()
    expect_answer(bench.build('edition', '--catalog', 'ours'), 0)


def record(bench, *words):
    return bench.run('record', 'llama-3.1-8b', 'lora', '1xh100', '--micro-batch', '1', *words, '--catalog', bench.catalog,
                     '--catalog', 'ours')


@case('runs recorded on hosts that are no names')
def odd_hosts(bench):
    """Each row is refused, and the one before them stays in use."""
    (bench.folder / 'ours').mkdir()
    expect_answer(record(bench, '--gib', '20'), 0)
    kept = state_of(bench.folder / 'ours')
    for host in ODD_HOSTS:
        expect_answer(record(bench, '--gib', '30', '--host', host), 2, '--host: expected a name of at most 100 letters')
    expect(state_of(bench.folder / 'ours') == kept, 'other files', 'the rows as they were')
    expect_answer(bench.run('check', '--catalog', bench.catalog, '--catalog', 'ours'), 0)


@case('a run recorded from a log with a tab in its name')
def odd_log(bench):
    (bench.folder / 'ours').mkdir()
    (bench.folder / 'my\tlog.txt').write_text("{'memory/max_allocated (GiB)': '30.0'}\n")
    done = record(bench, '--log', 'my\tlog.txt')
    expect(done.code in (0, 2), f'exit {done.code}', 'exit 0 or 2')
    expect_answer(bench.run('check', '--catalog', bench.catalog, '--catalog', 'ours'), 0)


# ---- Specifications.

def refused(bench, change, says):
    bench.spec(change, plan=True)
    expect_answer(bench.build(), 2, f'own.json:{says}')
    expect(not (bench.folder / 'edition').exists(), 'an edition', 'none')


@entries('specifications')
def specification(entry, bench):
    """Both `check` and `build` refuse it, at the same place."""
    refused(bench, entry['change'], entry['says'])
    expect_answer(bench.run('check', '--catalog', bench.small, '--sheet', 'own.json'), 1, f'own.json:{entry["says"]}')


@case('a null for a workload, asked by each command')
def null_workload(bench):
    bench.spec({'/scenarios/0/request': {'workload': None}})
    run = ['llama-3.2-3b', 'lora-r16', 'h100']
    for words in (['ask', *run], ['compare', *run], ['sweep']):
        done = bench.run(*words, '--catalog', bench.small, '--sheet', 'own.json')
        expect_answer(done, 2, 'own.json:/scenarios/0/request/workload: expected a value, got null')


def currency_of(bench, code, symbol, usd):
    return {'code': code, 'symbol': symbol, 'usd_per_unit': usd, 'as_of': bench.quarterly['as_of'], 'source': 'a bank'}


def in_currency(code, symbol, usd, bench):
    bench.spec({'/currency': currency_of(bench, code, symbol, usd), '/tokens': 10 ** 11, '/max_gpus': 512,
                '/deadline_hours': None, '/methods': ['full']})
    expect_answer(bench.build(), 0)


@entries('signs')
def sign_of_a_currency(entry, bench):
    says = '/currency/symbol: expected a sign of one to four letters, as "€" or "CHF", got '
    refused(bench, {'/currency': currency_of(bench, 'EUR', entry['symbol'], 1.1)}, says)


@entries('days')
def day_of_a_rate(entry, bench):
    currency = {**currency_of(bench, 'EUR', '€', 1.1), 'as_of': entry['day']}
    says = f'/currency/as_of: expected a day within a year of the sheet\'s day, {bench.quarterly["as_of"]}, got "{entry["day"]}"'
    refused(bench, {'/currency': currency}, says)


for one in TABLE['currencies']:
    case(f'a sheet in {one[0]}')(functools.partial(in_currency, *one))


@case('a run of five digits of dollars')
def dear_run(bench):
    bench.spec({'/models': [{'id': 'size-400b', 'size': '400B', 'note': 'a size'}], '/highlight_model': 'size-400b',
                '/methods': ['full'], '/gpus': ['b200'], '/max_gpus': 512, '/tokens': 2 * 10 ** 9})
    expect_answer(bench.build(catalog=bench.catalog), 0)


@case('the rate of a later day')
def later_rate(bench):
    bench.spec({'/currency': {**currency_of(bench, 'EUR', '€', 1.1), 'as_of': '2027-03-01'}})
    expect_answer(bench.build(), 0, 'warning: the rate of EUR is of 2027-03-01, after the day of the sheet, ')


def runs_of(bench, tokens):
    """Short runs that start at once."""
    spec = bench.spec()
    workload = {key: value for key, value in spec['scenarios'][0]['request']['workload'].items() if not key.startswith('startup')}
    bench.spec({'/tokens': tokens, '/adapter_tokens': tokens, '/scenarios/0/request/workload': workload})


@case('runs of a thousand tokens')
def thousand_tokens(bench):
    runs_of(bench, 1000)
    bench.built()


@case('runs of five thousand tokens')
def five_thousand_tokens(bench):
    runs_of(bench, 5000)
    expect_answer(bench.build(), 0)


@case('runs of twenty thousand tokens')
def twenty_thousand_tokens(bench):
    runs_of(bench, 20000)
    expect_answer(bench.build(), 0)


def method_is_whole(method, bench):
    bench.spec({'/methods': [method]})
    bench.built()


for one in ('grpo-lora-r16', 'grpo-full'):
    case(f'an edition with {one}')(functools.partial(method_is_whole, one))


def outside(bench, place, name):
    """The specification is in a folder of its own; what it names is beside that folder."""
    home = bench.folder
    bench.folder = home / 'within'
    bench.folder.mkdir()
    (bench.folder / f'link-{name}').symlink_to(f'../{name}')
    for path in (f'../{name}', str(home / name), f'link-{name}'):
        refused(bench, {place: path}, f'{place}: expected a file in the folder of own.json, got ')


@case('labels outside of the folder')
def labels_outside(bench):
    (bench.folder / 'labels.json').write_text('{}')
    outside(bench, '/labels', 'labels.json')


@case('a logo outside of the folder')
def logo_outside(bench):
    (bench.folder / 'logo.png').write_bytes(png(8, 8, RGB, 8, lambda x, y: (x, y, 0)))
    outside(bench, '/handout/logo', 'logo.png')


@case('labels that are a pipe')
def labels_of_a_pipe(bench):
    os.mkfifo(bench.folder / 'labels.json')
    refused(bench, {'/labels': 'labels.json'}, '/labels: labels.json: expected a file, got a pipe')


@case('a calculator that is a program')
def program_for_calculator(bench):
    bench.spec()
    expect_answer(bench.build('edition', '--calculator', bench.program), 2,
                  '--calculator: expected the script that `make calculator` builds, got ')


@case('an address with an equals sign at its end')
def address_with_equals_sign(bench):
    bench.spec()
    expect_answer(bench.build('edition', '--base-url=https://x.example/?a='), 0)
    sheet = (bench.folder / 'edition/sheet.json').read_text()
    expect('"base_url":"https://x.example/?a="' in sheet, 'another address', 'https://x.example/?a= in sheet.json')


@case('an address too long for a picture of it')
def long_address(bench):
    change = {'/handout/base_url': 'https://a/' + 'x' * 3900}
    refused(bench, change, '/handout/base_url: expected at most 500 characters, got 3910')


# ---- Plans.

def quarterly_plan(bench, change):
    spec = copy.deepcopy(bench.quarterly)
    change(spec)
    (bench.folder / 'own.json').write_text(json.dumps(spec))
    return bench.ask('plan', '--sheet', 'own.json')


@case('a plan with capacity blocks for long runs')
def plan_with_blocks(bench):
    def change(spec):
        spec.update(tokens=10 ** 11, adapter_tokens=10 ** 11)
        spec['plan'].update(blocks=True)
    expect_answer(quarterly_plan(bench, change), 0, 'Regret, $')


@case('a plan of many kinds of runs for five years')
def large_plan(bench):
    def change(spec):
        pairs = [(model['id'], method) for model in spec['models'] for method in spec['methods']]
        spec['plan'] = {'months': 60, 'runs': [
            {'model': model, 'method': method, 'runs_per_month': {'low': 1, 'expected': 2 + at, 'high': 5 + at}}
            for at, (model, method) in enumerate(pairs[:33])]}
    expect_answer(quarterly_plan(bench, change), 0, 'Regret, $')


@case('a plan that nothing meets has no dollars')
def plan_without_answer(bench):
    bench.spec({'/plan/runs/0/deadline_hours': 0.05}, plan=True)
    done = bench.run('plan', '--json', '--catalog', bench.small, '--sheet', 'own.json')
    expect_answer(done, 1, '"totals"')
    totals = json.loads(done.out)['totals']
    dollars = {key: value for key, value in totals.items() if 'usd' in key}
    expect(set(dollars.values()) == {None}, dollars, 'null for each')


# ---- Logos. Each is sound, so the edition is built.

def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def packed(samples, depth):
    """A row of samples, as bytes whose rest is zero."""
    bits = ''.join(f'{sample:0{depth}b}' for sample in samples)
    bits += '0' * (-len(bits) % 8)
    return bytes([0]) + int(bits, 2).to_bytes(len(bits) // 8, 'big')


PASSES = ((0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2))  # of Adam7


def png(width, height, kind, depth, pixel, interlaced=False, chunks=(), more=b''):
    """`pixel(x, y)` gives the samples; `chunks` stand before the picture, `more` rows behind it."""
    rows = b''
    for x, across, y, down in PASSES if interlaced else ((0, 1, 0, 1),):
        for line in range(y, height, down):
            samples = [sample for column in range(x, width, across) for sample in pixel(column, line)]
            rows += packed(samples, depth) if samples else b''
    header = struct.pack('>IIBBBBB', width, height, depth, kind, 0, 0, interlaced)
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + b''.join(chunk(*one) for one in chunks) + chunk(
        b'IDAT', zlib.compress(rows + more)) + chunk(b'IEND', b'')


GREY, RGB, PALETTE, RGBA = 0, 2, 3, 6
COLOURS = (b'PLTE', bytes(range(48)))  # sixteen
LOGOS = {  # name -> the arguments of png()
    'an interlaced logo with alpha': (1, 1, RGBA, 8, lambda x, y: (x, y, 9, 200), True),
    'a larger interlaced logo with alpha': (101, 40, RGBA, 8, lambda x, y: (x, y, 9, 200), True),
    'an interlaced logo of a palette with alpha': (
        101, 40, PALETTE, 8, lambda x, y: ((x + y) % 16,), True, [COLOURS, (b'tRNS', bytes(range(0, 160, 10)))]),
    'an interlaced logo of a palette': (101, 40, PALETTE, 8, lambda x, y: ((x + y) % 16,), True, [COLOURS]),
    'an interlaced logo': (101, 40, RGB, 8, lambda x, y: (x, y, 9), True),
    'a logo with one colour that is clear': (
        101, 40, RGB, 8, lambda x, y: (x, y, 9), False, [(b'tRNS', bytes([0, 1, 0, 1, 0, 9]))]),
    'a logo with a broken colour profile': (
        101, 40, RGB, 8, lambda x, y: (x, y, 9), False, [(b'iCCP', b'x\0\0' + zlib.compress(b'no profile'))]),
    'a logo with a thousand texts': (101, 40, RGB, 8, lambda x, y: (x, y, 9), False, [(b'tEXt', b'a\0b')] * 1100),
    'a logo with next to no gamma': (101, 40, RGB, 8, lambda x, y: (x, y, 9), False, [(b'gAMA', struct.pack('>I', 1))]),
    'a logo with more rows than it says': (101, 40, RGB, 8, lambda x, y: (x, y, 9), False, (), bytes(4000)),
}
NARROW_LOGOS = {  # a row of each ends within a byte
    'a logo of one bit a pixel': (101, 40, GREY, 1, lambda x, y: ((x + y) % 2,)),
    'a logo of two bits a pixel': (101, 40, GREY, 2, lambda x, y: ((x + y) % 4,)),
    'a logo of four bits a pixel and a palette with alpha': (
        101, 40, PALETTE, 4, lambda x, y: ((x + y) % 16,), False, [COLOURS, (b'tRNS', bytes([0]))]),
}


def with_logo(bench, arguments):
    (bench.folder / 'logo.png').write_bytes(png(*arguments))
    bench.spec({'/handout/logo': 'logo.png', '/methods': ['full']})


def logo_is_drawn(arguments, bench):
    with_logo(bench, arguments)
    expect_answer(bench.build(), 0)


def logo_has_no_foreign_bits(arguments, bench):
    """What else is in memory is not in the file: it is the same where memory is filled with something else."""
    with_logo(bench, arguments)
    expect_answer(bench.build(), 0)
    expect_answer(bench.run('verify', 'edition', MALLOC_PERTURB_='165'), 0, ': whole: ')


for one, arguments in LOGOS.items():
    case(one)(functools.partial(logo_is_drawn, arguments))
for one, arguments in NARROW_LOGOS.items():
    case(one)(functools.partial(logo_has_no_foreign_bits, arguments))


# ---- Editions from anybody.

@entries('editions')
def changed_edition(entry, bench):
    edition = bench.copied_edition()
    change_place(edition, entry['place'], entry['value'])
    expect_answer(bench.run('verify', 'edition'), entry['exit'], entry['says'])


@case('an edition whose price is zero')
def zero_price(bench):
    """One that counts, so that the chart of prices has it."""
    edition = bench.copied_edition()
    prices = json.loads((edition / 'sheet.json').read_text())['prices']
    at = next(at for at, price in enumerate(prices) if price['tier'] == 'on_demand' and not price['excluded'])
    change_place(edition, f'/prices/{at}/usd_per_gpu_hour', 0)
    expect_answer(bench.run('verify', 'edition'), 1, f'sheet.json: /prices/{at}/usd_per_gpu_hour: expected ')


@case('an edition with a lever that nothing has')
def unknown_lever(bench):
    edition = bench.copied_edition()
    answers = json.loads((edition / 'sheet.json').read_text())['what_if']
    at = next(at for at, answer in enumerate(answers) if answer['combination'])
    place = f'/what_if/{at}/combination/levers/0'
    change_place(edition, place, 'zz')
    expect_answer(bench.run('verify', 'edition'), 2, f'sheet.json:{place}: no lever "zz" in this sheet')


@case('a comparison with an edition whose workload is null')
def comparison_with_null(bench):
    edition = bench.copied_edition()
    change_place(edition, '/inputs/sheet/scenarios/0/request/workload', None)
    bench.spec({'/tokens': 700000000})
    expect_answer(bench.build('other'), 0)
    done = bench.run('diff', 'edition', 'other', '--json')
    expect_answer(done, 1, '/inputs/sheet/scenarios/0/request/workload: expected a value, got null')


def with_calculator(bench):
    (bench.folder / 'engine.js').write_text(ENGINE)
    bench.spec()
    expect_answer(bench.build('edition', '--calculator', 'engine.js'), 0)
    return bench.folder / 'edition'


@case('a calculator with another engine')
def other_engine(bench):
    edition = with_calculator(bench)
    engine = ENGINE.encode() + b'fetch("https://example.org/");\n'
    write_mended(edition, 'calculator-engine.js', engine)
    expect_answer(bench.run('verify', 'edition'), 0, ', all but the calculator\'s engine as ',
                  f'Not checked: calculator-engine.js, SHA-256 {sha256(engine)}')


@case('a calculator with another price of the sheet')
def other_facts(bench):
    edition = with_calculator(bench)
    facts = (edition / 'calculator-facts.js').read_text()
    price = '\\"usd_per_instance_hour\\": '
    at = facts.index(price, facts.index('\\"gpu\\": \\"h100-sxm\\"', facts.index('"prices/'))) + len(price)
    write_mended(edition, 'calculator-facts.js', (facts[:at] + '1' + facts[at:]).encode())
    expect_answer(bench.run('verify', 'edition'), 1, 'calculator-facts.js: /inputs/prices/')


# ---- The text of pages.

@case('the policy of each page')
def policy(bench):
    edition = bench.copied_edition()
    for path in edition.rglob('*.html'):
        told = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', path.read_text())
        for part in ("base-uri 'none'", "form-action 'none'"):
            expect(told and part in told[1], f'{path.name}: {told and told[1]}', part)


@case('an address with a per cent sign at its end')
def odd_fragment(bench):
    """Each script reads an encoded name only where it may fail."""
    for path in bench.copied_edition().glob('*.js'):
        for found in re.finditer('decodeURIComponent', path.read_text()):
            before = found.string[:found.start()].rsplit('\n', 2)[-1]
            expect('try {' in before, f'{path.name}: {before.strip()}decodeURIComponent', 'it behind "try {"')


@case('two names that are the same with a dash between their parts')
def joined_names(bench):
    """The model x by the method lora-r16, and the model x-lora by the method r16."""
    catalog = shutil.copytree(bench.small, bench.folder / 'catalog')
    for folder, source, names in (('models', 'llama-3.2-1b', ('x', 'x-lora')), ('methods', 'lora-r16', ('lora-r16', 'r16'))):
        entry = json.loads((catalog / folder / f'{source}.json').read_text())
        entry.pop('was', None)
        for name in names:
            changed = {**entry, 'id': name, 'title': name.upper(), **({'short_title': name} if 'short_title' in entry else {})}
            (catalog / folder / f'{name}.json').write_text(json.dumps(changed))
    bench.spec({'/models': [{'id': 'x', 'size': '1B', 'note': 'X'}, {'id': 'x-lora', 'size': '1C', 'note': 'Y'}],
                '/highlight_model': 'x', '/methods': ['lora-r16', 'r16']})
    expect_answer(bench.build(catalog=catalog), 0)
    for path in (bench.folder / 'edition').rglob('*.html'):
        names = collections.Counter(re.findall(r'\sid="([^"]+)"', path.read_text()))
        twice = [name for name, times in names.items() if times > 1]
        expect(not twice, f'{path.name}: {twice} twice', 'each id once')


@case('a picture in the title of the PDF')
def title_of_the_pdf(bench):
    bench.spec({'/title': 'Sheet 🙂 one'})
    expect_answer(bench.build(), 0)
    data = (bench.folder / 'edition/sheet.pdf').read_bytes()
    title = 'Sheet 🙂 one'.encode('utf-16-be')
    ways = (title, title.hex().encode(), title.hex().upper().encode())
    expect(any(way in data for way in ways), re.findall(rb'/Title[^/]{0,90}', data)[:1], f'{title.hex()} in the title')


# ---- Calls that fail.

def last_calls(bench, name, make, command, stands):
    """Where the folder is not synced after its file is in place, the message says that the file stands there."""
    def run(**environment):
        make()
        for left in bench.folder.rglob('.sizesheet-*'):  # by a run whose last call failed
            shutil.rmtree(left)
        return bench.run(*command, LD_PRELOAD=str(bench.shim), **environment)
    run(FAULT_COUNT=str(bench.folder / 'count'))
    calls = int((bench.folder / 'count').read_text())
    for call in range(calls, calls - 4, -1):
        done = run(FAULT='EIO', FAULT_ONCE='1', FAULT_AT=str(call))
        if done.code == 2 and stands():
            return expect(f'{name} is new and whole' in done.told, repr(done.told[-300:]), f'{name} is new and whole')
    raise Fault('came no such call among the last; expected one')


@case('a folder that is not synced after a build', SHIM_CASES)
def sync_after_build(bench):
    bench.spec()
    last_calls(bench, 'edition', lambda: shutil.rmtree(bench.folder / 'edition', ignore_errors=True),
               ['build', '--catalog', bench.small, '--sheet', 'own.json', '--out', 'edition'],
               lambda: (bench.folder / 'edition/manifest.json').exists())


@case('a folder that is not synced after an import', SHIM_CASES)
def sync_after_import(bench):
    (bench.folder / 'acme.csv').write_text(f'{",".join(COLUMNS)}\n{",".join(COLUMNS.values())}\n')
    catalog = shutil.copytree(bench.small, bench.folder / 'catalog')
    last_calls(bench, 'acme.json', lambda: (catalog / 'prices/acme.json').unlink(missing_ok=True),
               ['import-prices', 'acme.csv', '--format', 'sizesheet', '--catalog', 'catalog', '--merge', '--yes'],
               lambda: (catalog / 'prices/acme.json').exists())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program', type=pathlib.Path)
    parser.add_argument('catalog', type=pathlib.Path)
    parser.add_argument('--only', action='append', metavar='NAME', help='a case; more than once for several')
    parser.add_argument('--shim', type=pathlib.Path, help='the library of tests/reliability/fault_shim.c')
    options = parser.parse_args()
    tried, failed = 0, 0
    cases = {**CASES, **(SHIM_CASES if options.shim else {})}
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(options, pathlib.Path(scratch))
        for name in options.only or cases:
            tried += 1
            bench.fresh()
            try:
                expect(name in cases, 'no case of this name', 'one')
                cases[name](bench)
            except Exception as error:  # a KeyError of what is not there is a fault as well
                failed += 1
                print(f'FAILED {name}: {error if isinstance(error, Fault) else repr(error)}')
    print(json.dumps({'findings': tried, 'failed': failed}))
    return 1 if failed or not tried else 0


if __name__ == '__main__':
    raise SystemExit(main())
