# SPDX-License-Identifier: Apache-2.0
"""Ends the program at every moment, and starts several at once: what is there is whole, and nothing else is left.
    python3 interruptions.py PROGRAM CATALOG
"""

import json
import os
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
    sys.exit(main(*sys.argv[1:], cases=(interrupts, builds_ended, two_at_once, merges_at_once)))
