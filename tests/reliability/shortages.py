# SPDX-License-Identifier: Apache-2.0
"""Runs the program with little of what a machine gives: memory, open files, threads, room in a file. It does its work or
says what was short, with exit 2; no signal ends it, and the old edition stays.
    python3 shortages.py PROGRAM CATALOG
"""

import os
import re
import resource
import signal
import subprocess
import sys

from edition_state import state_of
from small_catalog import build_command
from surroundings import NOBODY, REQUEST, main

MEGABYTE = 1 << 20
NOT_STARTED = 127  # the loader found no room for the libraries: not a line of ours has run
TOLD = {
    'memory': r'out of memory|.*: Cannot allocate memory',
    'files': r'.*: Too many open files',
}


def limited(bench, command, limit, amount, **how):
    return subprocess.run(command, text=True, capture_output=True, timeout=600,
                          preexec_fn=lambda: resource.setrlimit(limit, (amount, amount)), **how)


def died_in_a_library(bench, done, limit, amount):
    """Whether a signal came from the set-up of a library, before the loader gives control to the program.

    GLib aborts there, and libgfortran's handler of a failed calloc() calls itself until the stack is full."""
    if done.returncode not in (-signal.SIGABRT, -signal.SIGSEGV):
        return False
    again = limited(bench, done.args, limit, amount, input='', env={**os.environ, 'LD_DEBUG': 'files'})
    return again.returncode == done.returncode and f'initialize program: {bench.program}' not in again.stderr


def expect_told(bench, group, what, done, limit, amount):
    if done.returncode == NOT_STARTED or died_in_a_library(bench, done, limit, amount):
        return
    last = (done.stderr.splitlines() or [''])[-1]
    told = done.returncode == 2 and re.fullmatch(f'sizesheet: ({TOLD[group]})', last)
    bench.expect(group, what, done.returncode == 0 or told, f'exit {done.returncode}, said "{last}"')


def commands(bench, out):
    return {'build': (build_command(bench.program, bench.catalog, out), ''),
            'estimate': ([bench.program, 'estimate', '--catalog', str(bench.catalog)], REQUEST),
            'verify': ([bench.program, 'verify', str(bench.scratch / 'old')], ''),
            'sweep': ([bench.program, 'sweep', '--catalog', str(bench.catalog), '--sheet', 'small'], '')}


def little_memory(bench):
    """From too little for the libraries to enough, in small steps."""
    out = bench.fresh()
    for name, (command, text) in commands(bench, out).items():
        for amount in range(50 * MEGABYTE, 100 * MEGABYTE, 2 * MEGABYTE):
            done = limited(bench, command, resource.RLIMIT_AS, amount, input=text)
            expect_told(bench, 'memory', f'{name} with {amount:,} bytes', done, resource.RLIMIT_AS, amount)
    bench.expect('memory', 'the edition', state_of(out) in (bench.old, bench.new), 'something else stands there')
    for jobs in ('64', '1024'):
        for amount in range(60 * MEGABYTE, 600 * MEGABYTE, 60 * MEGABYTE):
            done = limited(bench, [*commands(bench, out)['sweep'][0], '--jobs', jobs], resource.RLIMIT_AS, amount)
            expect_told(bench, 'memory', f'sweep --jobs {jobs} with {amount:,} bytes', done, resource.RLIMIT_AS, amount)


def few_files(bench):
    out = bench.fresh()
    for name, (command, text) in commands(bench, out).items():
        for amount in range(4, 12):
            done = limited(bench, command, resource.RLIMIT_NOFILE, amount, input=text)
            expect_told(bench, 'files', f'{name} with {amount} open files', done, resource.RLIMIT_NOFILE, amount)
    bench.expect('files', 'the edition', state_of(out) in (bench.old, bench.new), 'something else stands there')


def few_threads(bench):
    """The machine's last word on --jobs: the work is done by those there are. Root has no such limit."""
    user = {} if os.geteuid() else {'user': NOBODY, 'group': NOBODY, 'extra_groups': []}
    command = [*commands(bench, bench.fresh())['sweep'][0], '--jobs', '64']
    whole = subprocess.run(command, text=True, capture_output=True, timeout=600)
    for amount in (1, 2, 8):
        done = limited(bench, command, resource.RLIMIT_NPROC, amount, **user)
        bench.expect('threads', f'sweep with {amount}', (done.returncode, done.stdout) == (0, whole.stdout),
                     f'exit {done.returncode}, {done.stderr[-200:]}')


def small_files_only(bench):
    """A limit on the size of files sends a signal that would end the program."""
    out = bench.fresh()
    done = bench.build(out, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16)))
    bench.expect('room in a file', 'a limit on the size of files', done.returncode == 2 and done.stderr.endswith(
        ': cannot write: File too large\n'), f'exit {done.returncode}, {done.stderr[-200:]}')
    bench.expect('room in a file', 'the edition under such a limit', state_of(out) == bench.old, 'the old edition changed')


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:], cases=(little_memory, few_files, few_threads, small_files_only)))
