# SPDX-License-Identifier: Apache-2.0
"""Ends the program at every moment, and starts several at once: what is there is whole, and nothing else is left.
    python3 interruptions.py PROGRAM CATALOG [--solver ROUNDS]
ROUNDS builds with a plan are interrupted at random moments; 30 if left out.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from edition_state import manifest_agrees, state_of
from small_catalog import build_command
from surroundings import main

ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)


def interrupts(bench):
    """A sweep that is stopped: what is there is whole, and what was there before stays."""
    out = bench.fresh().parent / 'cells.csv'
    lengths = ','.join(str(1024 + 8 * i) for i in range(20000))
    command = [bench.program, 'sweep', '--catalog', str(bench.catalog), '--sheet', 'small', '--seq', lengths, '--out', str(out)]
    for earlier in ('', 'an earlier file\n'):
        for number in (signal.SIGINT, signal.SIGTERM):
            if earlier:
                out.write_text(earlier)
            beside = sorted(path.name for path in out.parent.iterdir())
            child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            time.sleep(0.5)
            child.send_signal(number)
            talk = child.communicate(timeout=60)[1]
            bench.expect('interrupts', f'{number.name} is told', child.returncode == 2 and
                         talk == 'sizesheet: interrupted before the last cell\n', f'{child.returncode} {talk[-200:]}')
            bench.expect('interrupts', 'nothing is left of the part', sorted(path.name for path in out.parent.iterdir()) == beside
                         and (not earlier or out.read_text() == earlier), sorted(path.name for path in out.parent.iterdir()))
    child = subprocess.run(['bash', '-c', 'trap "" INT; exec "$@"', '_', *command[:7], '1024', '--out', str(out)], timeout=60)
    bench.expect('interrupts', 'a part that is not stopped is whole', child.returncode == 0 and
                 out.read_text().startswith('model_id,'), child.returncode)


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def builds_ended(bench, rounds=6):
    """As soon as a hidden folder shows that the workbook or the edition is being written."""
    caught = 0
    for number in ENDS:
        for turn in range(rounds):
            out = bench.fresh()
            temporary = bench.scratch / 'temporary'
            temporary.mkdir(exist_ok=True)
            environment = dict(os.environ, TMPDIR=str(temporary))
            watched = (out.parent, temporary)[turn % 2]
            child = subprocess.Popen(build_command(bench.program, bench.catalog, out), env=environment, stderr=subprocess.DEVNULL)
            while child.poll() is None and not any(name.startswith('.sizesheet-') for name in os.listdir(watched)):
                pass
            child.send_signal(number)
            code = child.wait(timeout=60)
            caught += code == -number
            bench.expect('builds ended', f'{number.name} ends it, or comes too late', code in (0, -number), code)
            bench.expect('builds ended', f'{number.name}: the edition is whole', state_of(out) in (bench.old, bench.new)
                         and manifest_agrees(out), '')
            if number == signal.SIGKILL:  # nobody can clean up then but the next one
                bench.build(out, env=environment)
            bench.expect('builds ended', f'{number.name}: nothing is left beside it', names_in(out.parent) == ['output']
                         and not names_in(temporary), names_in(out.parent) + names_in(temporary))
    bench.expect('builds ended', 'some are ended while they write', caught > 0, caught)
    bench.counts['of which while they wrote'] = caught


def plan_command(bench, command, *more):
    """Of a sheet whose plan the solver searches for on one of several threads."""
    sheet = json.loads((bench.catalog / 'sheets/small.json').read_text())
    sheet['id'], sheet['gpus'] = 'planned', ['h100-sxm', 'h200-sxm', 'l40s', 'a100-80-sxm']
    runs = [{'model': 'llama-3.2-3b', 'method': method, 'runs_per_month': count} for method, count in (('full', 7), ('lora-r16', 40))]
    sheet['plan'] = {'months': 24, 'growth_per_quarter': 0.1, 'runs': runs}
    path = bench.scratch / 'planned.json'
    path.write_text(json.dumps(sheet))
    return [bench.program, command, '--sheet', str(path), '--catalog', str(bench.catalog), *more]


def seconds_of(command):
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def solver_interrupted(bench, rounds=30):
    """An interrupt ends a build at any moment; none is taken by the handler that the solver installs while it searches."""
    dice = random.Random(55)
    for command in ('build', 'plan'):
        out = bench.fresh()
        more = ['--out', str(out)] if command == 'build' else []
        planned = bench.scratch / 'planned'
        whole = min(seconds_of(plan_command(bench, command, *([*more[:1], str(planned)] if more else []))) for _ in range(3))
        new = state_of(planned) if planned.exists() else None
        for _ in range(rounds if command == 'build' else rounds // 3):
            number = dice.choice((signal.SIGINT, signal.SIGINT, signal.SIGTERM))
            child = subprocess.Popen(plan_command(bench, command, *more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(dice.uniform(0.01, whole))
            before = child.poll() is None
            sent = time.monotonic()
            child.send_signal(number)
            talk = child.communicate(timeout=60)[1]
            late = time.monotonic() - sent < whole / 4  # it had no more than its end to do
            code = child.returncode
            bench.expect('interrupts of a plan', f'{number.name} ends {command}',
                         code == -number or (code == 0 and (late or not before)), f'{code} {talk[-200:]}')
            if command == 'build' and code:  # one that comes while an edition is written waits until it is there
                bench.expect('interrupts of a plan', 'the edition is whole', state_of(out) in (bench.old, new)
                             and manifest_agrees(out) and names_in(out.parent) == ['output'], names_in(out.parent))
                bench.counts['of which with the old edition'] = (bench.counts.get('of which with the old edition', 0)
                                                                 + (state_of(out) == bench.old))
            if command == 'build' and state_of(out) != bench.old:
                out = bench.fresh()
                more = ['--out', str(out)]
            bench.counts['of which while it ran'] = bench.counts.get('of which while it ran', 0) + (code == -number)


def two_at_once(bench):
    told = 0
    for _ in range(20):
        out = bench.fresh()
        both = [subprocess.Popen(build_command(bench.program, catalog, out), stderr=subprocess.PIPE, text=True)
                for catalog in (bench.catalog, bench.earlier)]
        talk = [child.communicate(timeout=60)[1].splitlines() for child in both]
        codes = [child.returncode for child in both]
        for code, lines in zip(codes, talk):
            if code:
                told += 1
                bench.expect('two builds at once', 'the one that lost says so', code == 2 and
                             lines[-1] == f'sizesheet: {out}: another build is replacing this edition', lines[-1:])
        bench.expect('two builds at once', 'one wins', 0 in codes, codes)
        bench.expect('two builds at once', 'the edition is whole', state_of(out) in (bench.old, bench.new) and
                     manifest_agrees(out), '')
        bench.expect('two builds at once', 'nothing is left beside it', [p.name for p in out.parent.iterdir()] == ['output'],
                     list(out.parent.iterdir()))
    bench.counts['of which told that they lost'] = told


def merge_command(bench, catalog, name, line):
    table = bench.scratch / f'{name}.csv'
    table.write_text('gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source\n' + line)
    return [bench.program, 'import-prices', str(table), '--format', 'sizesheet', '--provider', 'sample', '--catalog',
            str(catalog), '--merge', '--yes']


def merges_at_once(bench, rounds=10):
    """Each of them is told that it wrote, and each row is there."""
    for _ in range(rounds):
        catalog = bench.scratch / 'merged'
        shutil.rmtree(catalog, ignore_errors=True)
        shutil.copytree(bench.catalog, catalog)
        names = [f'machine-{letter}' for letter in 'abcdef']
        children = [subprocess.Popen(merge_command(bench, catalog, name, f'h100-sxm,eu,{name},8,on_demand,list,20,2026-11-20,mail\n'),
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for name in names]
        talks = [child.communicate(timeout=60)[1].splitlines() for child in children]
        written = f'written: {catalog}/prices/sample.json'
        bench.expect('merges at once', 'each is told', all(talk[-1] == written for talk in talks), talks)
        rows = json.loads((catalog / 'prices/sample.json').read_text())['rows']
        bench.expect('merges at once', 'each row is there', sorted(row['instance'] for row in rows) == names, rows)
        bench.expect('merges at once', 'nothing is left', not [name for name in os.listdir(catalog / 'prices') if name[0] == '.'], '')


if __name__ == '__main__':
    arguments = sys.argv[1:]
    ROUNDS = int(arguments.pop(arguments.index('--solver') + 1)) if '--solver' in arguments else 30
    sys.exit(main(*(one for one in arguments if one != '--solver'),
                  cases=(interrupts, builds_ended, lambda bench: solver_interrupted(bench, ROUNDS), two_at_once, merges_at_once)))
