# SPDX-License-Identifier: Apache-2.0
"""Runs the long forms of the reliability checks, keeps what they counted, and writes that into the document.
    python3 results.py run [NAME …]   runs checks (all without a name) and keeps their counts in results.json
    python3 results.py write          puts the table of results.json into docs/reliability.md
    python3 results.py check          exit 1 unless that table stands there
"""

import datetime
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent
sys.path.insert(0, str(SOURCE / 'tests/docs'))
from measured_table import MeasuredTable, machine

RESULTS = HERE / 'results.json'
PASSED = re.compile(r'\[  PASSED  \] (\d+) tests')

PROGRAM, SHIM = 'build/release/sizesheet', 'build/release/libfault_shim.so'
# name -> what is proved, the command. Commands end with one line of JSON, the counts, or with a test runner's line.
CHECKS = {
    'faults': ('each write-side call of a build fails in turn, or is the last one before a kill; the old or the new edition stands',
               f'python3 tests/reliability/faults.py {PROGRAM} {SHIM} catalog --kills 200'),
    'surroundings': ('rights, links, streams closed or full, folders of others',
                     f'python3 tests/reliability/surroundings.py {PROGRAM} catalog'),
    'interruptions': ('sweeps and builds ended by each signal while they write, builds interrupted while a plan is searched for, two builds and six merges at once',
                      f'python3 tests/reliability/interruptions.py {PROGRAM} catalog'),
    'shortages': ('little memory, few open files, no more threads, a limit on the size of files',
                  f'python3 tests/reliability/shortages.py {PROGRAM} catalog'),
    'hostile catalog': ('a hostile text or number in every kind of place of a catalog',
                        f'python3 tests/reliability/hostile_catalog.py {PROGRAM} catalog'),
    'hostile files': ('a hostile text or number in files from elsewhere: a config.json, a table of prices, an old sheet.json',
                      f'python3 tests/reliability/hostile_files.py {PROGRAM} catalog'),
    'hostile requests': ('every key of a request with every hostile value, for each command that takes lines',
                         f'python3 tests/reliability/hostile_requests.py {PROGRAM} catalog'),
    'hostile arguments': ('options and paths on the command line that nobody means well with',
                          f'python3 tests/reliability/hostile_arguments.py {PROGRAM} catalog'),
    'hostile situations': ('whole stories of an adversary, one each',
                           f'python3 tests/reliability/hostile_situations.py {PROGRAM} catalog'),
    'hostile JSON': ('documents that are no JSON, too deep or a gigabyte long, for every command that reads one',
                     f'python3 tests/reliability/hostile_json.py {PROGRAM} catalog'),
    'limits': ('what just keeps each limit is taken, one more is refused', f'python3 tests/reliability/limits.py {PROGRAM} catalog'),
    'fuzz': ('fourteen targets fed with mutated input under the sanitizers',
             'python3 tests/fuzz/run.py build/fuzz/sizesheet_fuzz . build/fuzz --until 1050'),
    'sanitizers': ('the unit tests under checks of addresses, undefined behaviour and integers',
                   'build/asan/sizesheet_tests --gtest_brief=1'),
    'threads': ('what runs on several threads, under the thread sanitizer, and against one thread',
                'python3 tests/reliability/threads.py build/tsan/sizesheet catalog'),
    'repeatable': ('the same bytes in other locales, time zones, numbers of jobs, folders, orders and ages of files',
                   f'bash tests/build/reproducible.sh {PROGRAM} output'),
    'numbers': ('printed numbers of the edition altered one at a time, and noticed',
                'python3 tests/numbers/alter.py output templates'),
    'agreement': ('the sheet, estimate, explain, sweep and fits, asked for the same cells',
                  f'python3 tests/build/agree.py {PROGRAM} catalog output'),
    'hardening': ('what the compiler and the linker were asked for is in the program',
                  f'bash tests/build/hardening.sh {PROGRAM}'),
}


def counts_of(output):
    for line in reversed(output.strip().splitlines()):
        if line.startswith('{'):
            return json.loads(line)
        if PASSED.search(line):
            return {'unit tests': int(PASSED.search(line)[1]), 'failed': 0}
    return {}


def run(names):
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    failed = 0
    for name in names or CHECKS:
        command = CHECKS[name][1]
        done = subprocess.run(command, shell=True, cwd=SOURCE, stdout=subprocess.PIPE, text=True)
        counts = counts_of(done.stdout)
        print(f'{name}: exit {done.returncode}, {counts}', flush=True)
        if done.returncode or not counts:
            failed += 1
            print(done.stdout[-3000:])
            continue
        results[name] = {'date': datetime.date.today().isoformat(), 'machine': machine(), 'command': command, 'counts': counts}
        RESULTS.write_text(json.dumps({known: results[known] for known in CHECKS if known in results}, indent=2) + '\n')
    return 1 if failed else 0


def table():
    results = json.loads(RESULTS.read_text())
    lines = ['| check | what it does | counted | run |\n', '|---|---|---|---|\n']
    for name, (what, _) in CHECKS.items():
        result = results.get(name)
        counts = ', '.join(f'{key} {value:,}' for key, value in result['counts'].items()) if result else 'not yet run at length'
        lines.append(f'| {name} | {what} | {counts} | {result["date"] if result else "–"} |\n')
    machines = sorted({result['machine'] for result in results.values()})
    commands = ''.join(f'{command}\n' for _, command in CHECKS.values())
    return ''.join(lines) + f'\nOn {"; ".join(machines) or "no machine yet"}. The commands, in this order:\n\n```text\n{commands}```\n'


def main(what, *names):
    if what == 'run':
        return run(names)
    counts = MeasuredTable(SOURCE / 'docs/reliability.md', 'counts')
    return counts.write(table()) if what == 'write' else counts.check(table(), 'tests/reliability/results.py')


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
