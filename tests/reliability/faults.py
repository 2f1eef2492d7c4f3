# SPDX-License-Identifier: Apache-2.0
"""Lets every call by which a build writes go wrong, one after another, and kills it before each and at random moments:
the folder holds the old edition or the new one, whole, and the exit code tells which.
    python3 faults.py PROGRAM SHIM CATALOG [--every N] [--kills N]
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time

from edition_state import manifest_agrees, state_of
from small_catalog import build_command, make_small_catalog

ERRORS = ('ENOSPC', 'EIO', 'EINTR', 'short', 'ENOSPC-once', 'EIO-once')


class Rig:
    """An old edition, a new one that differs in every page, and what a build under a fault leaves."""

    def __init__(self, options, scratch):
        self.program, self.shim, self.scratch = options.program.resolve(), options.shim.resolve(), scratch
        self.catalog = make_small_catalog(options.catalog, scratch / 'catalog', 'New title')
        earlier = make_small_catalog(options.catalog, scratch / 'earlier', 'Old title')
        self.old, self.new = scratch / 'old', scratch / 'new'
        self.run(self.old, catalog=earlier)
        done = self.run(self.new, FAULT_COUNT=str(scratch / 'count'))
        assert done.returncode == 0, done.stderr
        self.calls = int((scratch / 'count').read_text())
        self.old_state, self.new_state = state_of(self.old), state_of(self.new)
        assert self.old_state.keys() == self.new_state.keys() and self.old_state != self.new_state
        assert manifest_agrees(self.old) and manifest_agrees(self.new)
        start = time.monotonic()
        self.run(scratch / 'timed')
        self.seconds = time.monotonic() - start

    def run(self, out, catalog=None, **environment):
        return subprocess.run(build_command(self.program, catalog or self.catalog, out), capture_output=True, text=True,
                              env=dict(os.environ, LD_PRELOAD=str(self.shim), **environment), timeout=60)

    def folder(self, name):
        """A folder of its own, so that what a build leaves beside its target is seen."""
        parent = self.scratch / name
        shutil.rmtree(parent, ignore_errors=True)
        parent.mkdir()
        shutil.copytree(self.old, parent / 'output')
        return parent / 'output'

    def error_at(self, call, error):
        """What is wrong after this fault, or ''."""
        out = self.folder(f'{error}-{call}')
        name, _, once = error.partition('-')
        done = self.run(out, FAULT=name, FAULT_AT=str(call), **({'FAULT_ONCE': '1'} if once else {}))
        wrong = self.judge(out, done)
        shutil.rmtree(out.parent)
        return wrong and f'{error} at call {call}: {wrong}'

    def judge(self, out, done):
        state = state_of(out)
        told = [line for line in done.stderr.splitlines() if line.startswith('sizesheet: ')]
        if done.returncode == 0:
            return '' if state == self.new_state else 'exit 0 without the new edition'
        if done.returncode != 2:
            return f'exit {done.returncode}: {done.stderr[-200:]}'
        if not told or 'internal error' in told[-1]:
            return f'no clear message: {done.stderr[-200:]}'
        # A failure after the exchange leaves the new edition; the message says what could not be done.
        return '' if state in (self.old_state, self.new_state) else 'neither the old nor the new edition'

    def killed_at(self, call):
        out = self.folder(f'kill-{call}')
        done = self.run(out, FAULT='kill', FAULT_AT=str(call))
        return self.after_kill(out, done.returncode, f'killed before call {call}')

    def killed_after(self, number, seconds):
        out = self.folder(f'moment-{number}')
        child = subprocess.Popen(build_command(self.program, self.catalog, out), stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        child.send_signal(signal.SIGKILL)
        return self.after_kill(out, child.wait(), f'killed after {seconds:.4f} s')

    def after_kill(self, out, code, what):
        wrong = ''
        if code not in (-signal.SIGKILL, 0):
            wrong = f'{what}: exit {code}'
        elif state_of(out) not in (self.old_state, self.new_state):
            wrong = f'{what}: neither the old nor the new edition'
        elif self.run(out).returncode != 0 or state_of(out) != self.new_state:
            wrong = f'{what}: the next build does not go through'
        shutil.rmtree(out.parent)
        return wrong


def jobs_of(rig, options, chance):
    calls = range(1, rig.calls + 1, options.every)
    for error in ERRORS:
        for call in calls:
            yield error, lambda error=error, call=call: rig.error_at(call, error)
    for call in calls:
        yield 'kill before a call', lambda call=call: rig.killed_at(call)
    for number in range(options.kills):
        moment = chance.uniform(0, 1.1 * rig.seconds)
        yield 'kill at a random moment', lambda number=number, moment=moment: rig.killed_after(number, moment)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program', type=pathlib.Path)
    parser.add_argument('shim', type=pathlib.Path)
    parser.add_argument('catalog', type=pathlib.Path)
    parser.add_argument('--every', type=int, default=1, help='only each Nth call')
    parser.add_argument('--kills', type=int, default=200, help='kills at random moments')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        rig = Rig(options, pathlib.Path(scratch))
        counts, faults = collections.Counter(), []
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [(kind, pool.submit(job)) for kind, job in jobs_of(rig, options, random.Random(8))]
            for kind, job in jobs:
                counts[kind] += 1
                faults += [job.result()] if job.result() else []
    for fault in faults:
        print('FAILED', fault)
    print(json.dumps({'calls of a build': rig.calls, **counts, 'failed': len(faults)}))
    return 1 if faults or not counts else 0


if __name__ == '__main__':
    raise SystemExit(main())
