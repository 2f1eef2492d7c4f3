# SPDX-License-Identifier: Apache-2.0
"""Times and memory of benchmarks and of whole runs of the program, as medians; and what they were measured on."""

import itertools
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).parent.parent.parent
sys.path.insert(0, str(SOURCE / 'tests/docs'))
from measured_table import machine

BUILD = SOURCE / 'build/release'
PROGRAM, BENCHMARKS = BUILD / 'sizesheet', BUILD / 'sizesheet_bench'
SECONDS = {'ns': 1e-9, 'us': 1e-6, 'ms': 1e-3, 's': 1}


def timed(command, given='/dev/null', codes=(0,)):
    """wall and cpu in seconds, peak in bytes, of one process that reads the file `given`. The peak is never below that of
    this one."""
    quiet = [(os.POSIX_SPAWN_OPEN, 0, given, os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, '/dev/null', os.O_WRONLY, 0)]
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in codes:
        sys.exit(f'{shlex.join(command)}: exit {os.waitstatus_to_exitcode(status)}')
    return {'wall': wall, 'cpu': usage.ru_utime + usage.ru_stime, 'peak': usage.ru_maxrss * 1024}


def medians(runs):
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def requests_with_layouts():
    """Distinct ones, in random order, over 20 models, 10 cards and 5 methods, with the number of GPUs and how they share."""
    models = ['llama-3.2-1b', 'llama-3.2-3b', 'llama-3.1-8b', 'llama-3.1-70b', 'llama-2-13b', 'qwen2.5-7b', 'qwen2.5-14b', 'qwen2.5-72b',
              'qwen3-8b', 'qwen3-32b', 'qwen3-30b-a3b', 'mistral-7b-v0.3', 'mixtral-8x7b', 'gemma-3-27b', 'phi-4', 'gpt-oss-20b',
              'granite-4.0-h-tiny', 'nemotron-h-47b', 'size-7b', 'size-100b']
    cards = ['h100-sxm', 'h200-sxm', 'b200', 'mi300x', 'a100-80-sxm', 'a100-40', 'l40s', 'l4', 'rtx-4090', 'rtx-pro-6000']
    axes = list(itertools.product(models, cards, ['full', 'lora-r16', 'lora-r64', 'dora-r16', 'qlora-r16'], [2048, 4096, 8192, 16384],
                                  [1, 2, 4], [1, 2, 4, 8], ['zero2', 'zero3']))
    for number, place in enumerate(random.Random(1).sample(range(len(axes)), 40000)):
        model, card, method, seq_len, micro_batch, gpus, shard = axes[place]
        layout = {'gpus': gpus, 'shard': shard} if gpus > 1 else {'gpus': 1}
        yield {'id': str(number), 'model': model, 'method': method, 'gpu': card, 'stack': 'hf-trl',
               'workload': {'seq_len': seq_len, 'micro_batch': micro_batch, 'tokens': 50000000}, 'layout': layout}


ESTIMATE = [str(PROGRAM), 'estimate', '--catalog', str(SOURCE / 'catalog'), '--jobs']


def seconds_to_first_answers(lines):
    """Of each line, sent when the one before it is answered, the time until its answer is there."""
    with subprocess.Popen([*ESTIMATE, '2'], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as asked:
        times = []
        for line in lines:
            start = time.perf_counter()
            asked.stdin.write(line.encode() + b'\n')
            asked.stdin.flush()
            asked.stdout.readline()  # buffered: byte by byte it would take longer than the answer
            times.append(time.perf_counter() - start)
        asked.stdin.close()
    return times[1:]  # the first one waits for the catalog


def lines():
    """Of `sizesheet estimate` as a process, by whether what is asked fits, with lines a second; also its start alone, and the time
    to an answer of somebody who waits for each."""
    requests = [json.dumps(one) for one in requests_with_layouts()]
    answers = subprocess.run([*ESTIMATE, '2'], input='\n'.join(requests), stdout=subprocess.PIPE, text=True, check=False).stdout.splitlines()
    verdicts = [json.loads(answer).get('memory', {}).get('verdict') for answer in answers]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        given = pathlib.Path(folder, 'lines.jsonl')
        for kind, verdict in (('fits', 'fits'), ('no', 'no')):
            some = [line for line, said in zip(requests, verdicts, strict=True) if said == verdict][:10000]
            given.write_text('\n'.join(some) + '\n')
            for jobs in ('1', '2'):
                run = medians([timed([*ESTIMATE, jobs], str(given)) for _ in range(5)])
                found[f'{kind} {jobs}'] = {**run, 'lines': len(some) / run['wall'], 'count': len(some)}
        given.write_text(requests[0] + '\n')
        found['start'] = medians([timed([*ESTIMATE, '1'], str(given)) for _ in range(21)])
        found['first'] = {'wall': statistics.median(seconds_to_first_answers(requests[:2000]))}
    return found


def built(catalog):
    """Of nine builds, each of which makes an edition anew."""
    builds = []
    for _ in range(9):
        with tempfile.TemporaryDirectory() as folder:
            builds.append(timed([str(PROGRAM), 'build', '--catalog', str(catalog), '--out', f'{folder}/edition']))
    return medians(builds)


def price_history(catalog, rows):
    """Adds offers that nobody takes, each with a row for every day of a month, until the catalog has so many rows."""
    files = [path for path in sorted((catalog / 'prices').iterdir()) if path.name != 'excluded.json']
    known = sum(len(json.loads(path.read_text())['rows']) for path in files)
    prices = json.loads(files[0].read_text())
    row = next(row for row in prices['rows'] if row['gpus'] == 1)
    prices['rows'] += [{**row, 'instance': f'offer {number // 30}', 'usd_per_instance_hour': 100 + number % 7,
                        'as_of': f'2026-09-{number % 30 + 1:02}'} for number in range(rows - known)]
    files[0].write_text(json.dumps(prices))


def processes():
    """Of `sizesheet --help`, `check` and `build`, also with a long history of prices: `more` is what that adds."""
    catalog = SOURCE / 'catalog'
    found = {name: medians([timed([str(PROGRAM), *arguments]) for _ in range(times)])
             for name, arguments, times in (('help', ['--help'], 41), ('check', ['check', '--catalog', str(catalog)], 21))}
    found['build'] = built(catalog)
    with tempfile.TemporaryDirectory() as folder:
        grown = shutil.copytree(catalog, pathlib.Path(folder, 'catalog'))
        price_history(grown, 45000)
        found['history'] = built(grown)
    found['history']['more'] = found['history']['wall'] - found['build']['wall']
    return found


# cells -> each how many-th model, lengths of a sequence, runs. Six methods on every GPU type.
GRIDS = {'840': (16, 1, 9), '10,080': (8, 6, 5), '77,616': (1, 6, 3), '1,009,008': (1, 78, 1)}
GRID_METHODS = ['full', 'lora-r16', 'lora-r64', 'dora-r16', 'qlora-r16', 'qlora-r64']


def grids():
    """Of `sizesheet sweep` on two threads over grids of different size: also cells a second, and with one thread."""
    known = subprocess.run([PROGRAM, 'list', 'models', '--catalog', str(SOURCE / 'catalog')], stdout=subprocess.PIPE, text=True, check=True)
    models = [line.split('\t')[0] for line in known.stdout.splitlines()]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, 'cells.csv')
        for cells, (step, lengths, times) in GRIDS.items():
            command = [str(PROGRAM), 'sweep', '--catalog', str(SOURCE / 'catalog'), '--models', ','.join(models[::step]),
                       '--methods', ','.join(GRID_METHODS), '--seq', ','.join(str(1024 * (i + 1)) for i in range(lengths)),
                       '--jobs', '2', '--out', str(out)]
            run = medians([timed(command) for _ in range(times)])
            rows = sum(1 for _ in out.open('rb')) - 1
            if f'{rows:,}' != cells:
                sys.exit(f'the grid has {rows:,} cells, not {cells}: the catalog has other models or GPU types')
            found[cells] = {**run, 'cells_each_s': rows / run['wall']}
    return found


def plain_name(name):
    """Without what the library adds: "search/dense/iterations:1/manual_time" is "search/dense"."""
    return re.sub(r'/(real_time|manual_time|iterations:\d+)', '', name)


def benchmarks(pattern, repetitions):
    """name -> its counters, cpu, wall and peak, each the median of the repetitions."""
    with tempfile.TemporaryDirectory() as folder:
        out = f'{folder}/out.json'
        usage = timed([str(BENCHMARKS), f'--benchmark_filter={pattern}', '--benchmark_min_time=0.1',
                       f'--benchmark_repetitions={repetitions}', f'--benchmark_out={out}', '--benchmark_out_format=json'])
        runs = {}
        for one in json.loads(pathlib.Path(out).read_text())['benchmarks']:
            if one['run_type'] != 'iteration':
                continue
            if 'error_message' in one:
                sys.exit(f'{one["name"]}: {one["error_message"]}')
            unit = SECONDS[one['time_unit']]
            counters = {key: value for key, value in one.items() if isinstance(value, float) and key not in ('real_time', 'cpu_time')}
            runs.setdefault(plain_name(one['run_name']), []).append(
                {**counters, 'cpu': one['cpu_time'] * unit, 'wall': one['real_time'] * unit, 'peak': usage['peak']})
    return {name: medians(all_of_it) for name, all_of_it in runs.items()}


def setting():
    """The machine, the compiler, and the flags that bear on speed."""
    command = shlex.split(json.loads((BUILD / 'compile_commands.json').read_text())[0]['command'])
    compiler = subprocess.run([command[0], '--version'], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[0]
    flags = [flag for flag in command if re.match(r'-(O|m|std=|f(?!pch)|D(NDEBUG|_FORTIFY|_GLIBCXX))', flag)]
    return {'machine': machine(), 'compiler': compiler, 'flags': ' '.join(flags)}
