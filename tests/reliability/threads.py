# SPDX-License-Identifier: Apache-2.0
"""Runs what works on several threads under the thread sanitizer, and compares with one thread.
    python3 threads.py PROGRAM CATALOG     PROGRAM built with -fsanitize=thread
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from edition_state import state_of
from small_catalog import build_command, make_small_catalog

REPORT = 66  # exit code of a process with a race


def spelt(name, number):
    """The name with other letters in capitals for each number."""
    return ''.join(letter.upper() if number >> place & 1 else letter for place, letter in enumerate(name))


class Bench:
    def __init__(self, program, catalog, scratch):
        self.program, self.scratch = str(pathlib.Path(program).resolve()), scratch
        self.catalog = make_small_catalog(catalog, scratch / 'catalog')
        self.runs = self.failed = 0

    def run(self, command, text=None):
        environment = {**os.environ, 'TSAN_OPTIONS': f'halt_on_error=0:exitcode={REPORT}:second_deadlock_stack=1'}
        done = subprocess.run(command, input=text, capture_output=True, text=True, env=environment)
        self.runs += 1
        if done.returncode == REPORT or 'ThreadSanitizer' in done.stderr:
            self.failed += 1
            print(f'FAILED {command}: {done.stderr[:4000]}')
        return done

    def same(self, what, one, several):
        if one != several:
            self.failed += 1
            print(f'FAILED {what}: several threads give something else than one')

    def build(self):
        states = []
        for jobs in ('1', '8'):
            out = self.scratch / f'output-{jobs}'
            done = self.run(build_command(self.program, self.catalog, out) + ['--jobs', jobs])
            self.same(f'build --jobs {jobs}', done.returncode, 0)
            states.append(state_of(out))
        self.same('build', *states)

    def lines(self, source):
        """Eighty times the requests of an oracle, so that every thread has some. Each calls its model by another
        spelling, of which a note is written while other threads write answers."""
        oracle = json.loads((pathlib.Path(source).parent / 'tests/oracles/estimate_keys.json').read_text())
        bases = [request for request in oracle['bases'].values() if isinstance(request['model'], str)]
        lines = ''.join(json.dumps({**request, 'model': spelt(request['model'], number)}) + '\n'
                        for number, request in enumerate(80 * bases))
        answers = [self.run([self.program, 'estimate', '--catalog', source, '--jobs', jobs], lines).stdout for jobs in ('1', '8')]
        self.same('estimate', *answers)

    def others(self):
        old, new = self.scratch / 'output-1', self.catalog
        for command in (['diff', str(old), str(new), '--sheet', 'small'],
                        ['fits', '--catalog', str(new), '--sheet', 'small', '--gpu', 'h100-sxm', '--gpus', '8'],
                        ['sweep', '--catalog', str(new), '--sheet', 'small', '--seq', '1024,4096,16384']):
            told = [self.run([self.program, *command, '--jobs', jobs]).stdout for jobs in ('1', '8')]
            self.same(command[0], *told)
            if not told[0]:
                self.failed += 1
                print(f'FAILED {command}: it said nothing')


def main(program, catalog):
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(program, catalog, pathlib.Path(folder))
        bench.build()
        bench.lines(catalog)
        bench.others()
    print(json.dumps({'threaded runs': bench.runs, 'failed': bench.failed}))
    return 1 if bench.failed else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
