# SPDX-License-Identifier: Apache-2.0
"""Times peers and the program on the same configurations, one core each, and writes the table into the document.
    python3 peers.py run PEER=CHECKOUT …   measures, with checkouts of all peers, and keeps the medians in peers.json
    python3 peers.py write                 puts the table of peers.json into docs/reliability.md
    python3 peers.py check                 exit 1 unless that table stands there
"""

import datetime
import itertools
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

import measure
from figures import shown
from measured_table import MeasuredTable

RESULTS = pathlib.Path(__file__).parent / 'peers.json'
CALLS = pathlib.Path(__file__).parent / 'peer_calls.py'
CATALOG = str(measure.SOURCE / 'catalog')

# What all of them can be asked: dense models of one common shape, full fine-tuning, data parallelism alone.
MODELS = ['llama-3.1-8b', 'llama-3.1-70b', 'llama-3.2-1b', 'llama-3.2-3b', 'mistral-7b-v0.3', 'qwen2.5-0.5b', 'qwen2.5-1.5b',
          'qwen2.5-3b', 'qwen2.5-7b', 'qwen2.5-14b', 'qwen2.5-32b', 'qwen2.5-72b']
AXES = (MODELS, [1024, 2048, 4096, 8192, 16384], [1, 4], [8, 16, 32], ['zero2', 'zero3'], ['none', 'full'])

# row -> its repository, what a call answers. The program has three calls: each answers what the one before does, and more.
ROWS = {
    'bill': (None, 'bytes by part in each phase of a step, of the worst GPU'),
    'bill_and_hours': (None, 'the same; tokens per second by term, hours'),
    'answer': (None, 'the same; verdict, ranges from measured runs, files, what binds, warnings'),
    'DeepSpeed': ('deepspeedai/DeepSpeed', 'bytes of weights, gradients and optimizer, one sum; no activations, no time'),
    'ftune': ('ritikmahy5/ftune', 'bytes by part, without logits; hours; dollars at eight providers'),
    'llm-analysis': ('cli99/llm-analysis', 'bytes by part; latency by part, hours'),
}
OURS = {'bill': '`sizesheet`, the bill', 'bill_and_hours': '`sizesheet`, bill and speed',
        'answer': '`sizesheet estimate`, the whole answer'}


def requests():
    for number, (model, length, batch, gpus, shard, recompute) in enumerate(itertools.product(*AXES)):
        yield {'id': str(number), 'model': model, 'gpu': 'h100-sxm', 'method': {'kind': 'full'}, 'state': 'deepspeed',
               'workload': {'seq_len': length, 'micro_batch': batch, 'tokens': 100000000},
               'kernels': {'recompute': recompute}, 'layout': {'gpus': gpus, 'shard': shard}}


def answered(command, given, lines):
    """Processor time of a process that must answer every line of the file, in seconds."""
    out = subprocess.run(command, stdin=given.open(), stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    refused = [line for line in out if not json.loads(line).get('ok', True)]
    if len(out) != lines or refused:
        sys.exit(f'{command}: {len(out)} answers to {lines} lines, {len(refused)} of them refusals')
    return statistics.median(measure.timed(command, str(given))['cpu'] for _ in range(5 if lines > 1 else 21))


def texts(command, folder, lines):
    """Of one process for all lines, and of one for a single line."""
    whole, single = folder / 'lines.jsonl', folder / 'line.jsonl'
    single.write_text(lines[0] + '\n')
    return {'line': answered(command, whole, len(lines)) / len(lines), 'process': answered(command, single, 1)}


def run(*checkouts):
    places = dict(one.split('=', 1) for one in checkouts)
    if set(places) != {name for name, (repository, _) in ROWS.items() if repository}:
        sys.exit(__doc__)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # children inherit it
    load, rows, lines = os.getloadavg()[0], {}, [json.dumps(one) for one in requests()]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / 'lines.jsonl').write_text('\n'.join(lines) + '\n')
        os.environ['SIZESHEET_BENCH_LINES'] = str(folder / 'lines.jsonl')
        for of, counters in measure.benchmarks('^peers/', 5).items():
            rows[of.split('/')[1]] = {'call': counters['call_s']}
        rows['answer'] |= texts([str(measure.PROGRAM), 'estimate', '--catalog', CATALOG, '--jobs', '1'], folder, lines)
        for peer, place in places.items():
            command = [sys.executable, str(CALLS), 'lines', peer, place, CATALOG]
            timing = [*command[:2], 'time', *command[3:]]
            calls = [float(subprocess.run(timing, stdin=(folder / 'lines.jsonl').open(), stdout=subprocess.PIPE, check=True).stdout)
                     for _ in range(3)]
            commit = subprocess.run(['git', '-C', place, 'rev-parse', 'HEAD'], stdout=subprocess.PIPE, text=True, check=True).stdout
            rows[peer] = {'call': statistics.median(calls), **texts(command, folder, lines), 'commit': commit[:8]}
    RESULTS.write_text(json.dumps({**measure.setting(), 'python': platform.python_version(), 'configurations': len(lines),
                                   'date': datetime.date.today().isoformat(), 'load': round(load, 1), 'rows': rows}, indent=1) + '\n')
    return 0


def spent(row, what, unit):
    return f'{shown(row[what] / measure.SECONDS[unit])} {unit.replace("us", "µs")}' if what in row else '–'


def table():
    known = json.loads(RESULTS.read_text())
    lines = ['| what | answers | a call | a line of many, text to text | a process for one line |\n', '|---|---|---|---|---|\n']
    for name, (repository, answers) in ROWS.items():
        row = known['rows'][name]
        title = f'{name}, `{repository}` @{row["commit"]}' if repository else OURS[name]
        lines.append(f'| {title} | {answers} | {spent(row, "call", "us")} | {spent(row, "line", "us")} | {spent(row, "process", "ms")} |\n')
    return ''.join(lines) + (f'\n{known["configurations"]:,} configurations, all answered by all. One of {known["machine"]}, '
                             f'{known["date"]}, load {known["load"]} before; compiler and flags as above, Python {known["python"]}.\n')


def main(what, *checkouts):
    if what == 'run':
        return run(*checkouts)
    peers = MeasuredTable(measure.SOURCE / 'docs/reliability.md', 'peers')
    return peers.write(table()) if what == 'write' else peers.check(table(), 'tests/bench/peers.py')


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
