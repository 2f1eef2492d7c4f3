# SPDX-License-Identifier: Apache-2.0
"""Puts each mutant of mutants.json into a copy of the program and asks whether a unit test fails.
    python3 run.py [--only ID …] [--jobs N] [--build DIR] [--results FILE] [--whole]

It clones the tree, with what is not committed, into DIR (build/mutants) and builds the unit tests there once, without
optimisation. They have to pass. Then each mutant is built and its own tests run. Where none of them fails, the whole
suite runs; with --whole it runs at once. A run that was interrupted goes on where it ended, unless the tree has changed;
--only always runs its mutants.

Exit 1: a mutant survived that is not listed as equivalent. Exit 2: one does not apply or compile, or the tests fail
without any.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from check import SOURCE, place_fault, read_mutants

FAILED = re.compile(r'^\[  FAILED  \] ([\w/.]+)', re.MULTILINE)
BEGUN = re.compile(r'^\[ RUN      \] ([\w/.]+)', re.MULTILINE)
SETTINGS = ('GTEST_', 'SIZESHEET_')

# What a test run without optimisation may take at least before it counts as hung, in seconds.
LEAST_OF_OWN, LEAST_OF_WHOLE = 300, 1200


def environment():
    """That of the caller without what changes the tests; of very many like cases a fifth, as under the sanitizers."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(SETTINGS) and name != 'SOURCE_DATE_EPOCH'}
    return kept | {'SIZESHEET_SPARSE': '1', 'SIZESHEET_RANDOM_SHEETS': '100'}


def listed_files(root, *states):
    """What git knows of a tree by these states, as far as it is there."""
    words = subprocess.run(['git', 'ls-files', '-z', *states], cwd=root, capture_output=True, check=True).stdout
    names = {os.fsdecode(word) for word in words.split(b'\0') if word}
    return {name for name in names if (root / name).is_file()}


class Scratch:
    """A copy of the tree and its build."""

    def __init__(self, folder, jobs):
        self.folder, self.tree, self.build = folder, folder / 'tree', folder / 'build'
        self.jobs = jobs

    def sync(self):
        """Makes the copy what the tree is now. Returns a hash of all that a test can see."""
        states = ('--cached', '--others', '--exclude-standard')
        if not (self.tree / '.git').exists():
            subprocess.run(['git', 'clone', '--quiet', str(SOURCE), str(self.tree)], check=True)
        wanted = {name for name in listed_files(SOURCE, *states)
                  if self.folder not in (SOURCE / name).parents}
        for name in listed_files(self.tree, *states) - wanted:
            (self.tree / name).unlink()
        digest = hashlib.sha256()
        for name in sorted(wanted):
            content = (SOURCE / name).read_bytes()
            copy = self.tree / name
            if not copy.is_file() or copy.read_bytes() != content:  # an older date builds nothing anew
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SOURCE / name, copy)
            if not name.startswith('tests/mutants/'):
                digest.update(f'{name}\n{len(content)}\n'.encode() + content)
        return digest.hexdigest()

    def run(self, *words):
        """'' or the end of what a command that failed has said."""
        done = subprocess.run(words, cwd=self.tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace')
        return '' if done.returncode == 0 else done.stdout[-4000:]

    def configure(self):
        # Each source is compiled alone: a mutant needs one, and the folder that it stands in takes as long as twenty.
        if (self.build / 'build.ninja').exists():
            return ''
        return self.run('cmake', '--preset', 'debug', '-B', str(self.build), '-DSIZESHEET_TESTS=ON', '-DSIZESHEET_SCRIPT_TESTS=OFF',
                        '-DSIZESHEET_UNITY=OFF', '-DCMAKE_CXX_FLAGS_DEBUG=-O0 -D_GLIBCXX_ASSERTIONS')

    def compile(self):
        return self.run('cmake', '--build', str(self.build), '--parallel', str(self.jobs), '--target', 'sizesheet', 'sizesheet_tests')

    def start(self, tests, shard, shards, out):
        words = [str(self.build / 'sizesheet_tests'), f'--gtest_filter={tests}', '--gtest_fail_fast', '--gtest_color=no']
        of_shard = {'GTEST_TOTAL_SHARDS': str(shards), 'GTEST_SHARD_INDEX': str(shard)}
        return subprocess.Popen(words, cwd=self.tree, env=environment() | of_shard, stdin=subprocess.DEVNULL, stdout=out,
                                stderr=subprocess.STDOUT, start_new_session=True)

    def first_failure(self, tests, shards, limit):
        """The first test that fails, crashes or takes too long, in words; '' where none does."""
        outputs = [self.folder / f'tests-{shard}.txt' for shard in range(shards)]
        files = [path.open('w') for path in outputs]
        processes = [self.start(tests, shard, shards, file) for shard, file in enumerate(files)]
        try:
            end = time.monotonic() + limit
            while True:
                ended = [process.poll() for process in processes]
                bad = next((shard for shard, code in enumerate(ended) if code), None)
                if bad is not None:
                    return failure_words(outputs[bad].read_text(errors='replace'), 'crashes')
                if None not in ended:
                    return ''
                if time.monotonic() > end:
                    return failure_words(outputs[ended.index(None)].read_text(errors='replace'), 'takes too long')
                time.sleep(0.2)
        finally:
            for process in processes:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            for file in files:
                file.close()


def failure_words(output, otherwise):
    """The test of the first line that tells a failure; else the last that began, and what it does."""
    failed = FAILED.search(output)
    if failed:
        return failed[1]
    begun = BEGUN.findall(output)
    return f'{begun[-1] if begun else "the test program"} ({otherwise})'


class Results:
    """What became of each mutant, in a file that grows with each."""

    def __init__(self, path):
        self.path = path
        self.all = json.loads(path.read_text()) if path.exists() else {'baseline': {}, 'mutants': {}}

    def save(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_name(self.path.name + '.new')
        fresh.write_text(json.dumps(self.all, indent=1, ensure_ascii=False) + '\n')
        os.replace(fresh, self.path)

    def of(self, mutant, tree):
        """What a run of the same mutant in the same tree has found; None before, and where it could not be built."""
        known = self.all['mutants'].get(mutant['id'], {})
        same = known.get('tree') == tree and known.get('mutant') == fingerprint(mutant)
        return known if same and not known['result'].startswith('does not') else None

    def put(self, mutant, tree, result):
        self.all['mutants'][mutant['id']] = result | {'tree': tree, 'mutant': fingerprint(mutant)}
        self.save()


def fingerprint(mutant):
    return hashlib.sha256('\0'.join(mutant[key] for key in ('file', 'from', 'to', 'tests')).encode()).hexdigest()[:16]


def baseline(scratch, results, tree):
    """Seconds that the whole suite takes without a mutant. Ends the program where it fails."""
    for name, step in (('configure', scratch.configure), ('compile', scratch.compile)):
        fault = step()
        if fault:
            end(f'{fault}\nno mutant, and it does not {name}')
    known = results.all['baseline']
    if known.get('tree') != tree:
        started = time.monotonic()
        failure = scratch.first_failure('*', scratch.jobs, 4 * 3600)
        if failure:
            end(f'no mutant, and {failure} fails: see {scratch.folder}/tests-*.txt')
        results.all['baseline'] = known = {'tree': tree, 'seconds': round(time.monotonic() - started)}
        results.save()
    print(f'no mutant: all tests pass in {known["seconds"]} s', flush=True)
    return known['seconds']


def end(words):
    print(words, file=sys.stderr)
    sys.exit(2)


def tried(mutant, scratch, whole, seconds):
    """What becomes of the copy with the mutant in it."""
    fault = place_fault(mutant, scratch.tree)
    if fault:
        return {'result': 'does not apply', 'by': fault}
    path = scratch.tree / mutant['file']
    plain = path.read_text()
    path.write_text(plain.replace(mutant['from'], mutant['to']))
    try:
        fault = scratch.compile()
        if fault:
            return {'result': 'does not compile', 'by': next((line for line in fault.splitlines() if 'error' in line), fault[-200:])}
        if not whole:
            failure = scratch.first_failure(mutant['tests'], 1, max(LEAST_OF_OWN, seconds))
            if failure:
                return {'result': 'killed', 'by': failure}
        failure = scratch.first_failure('*', scratch.jobs, max(LEAST_OF_WHOLE, 4 * seconds))
        if failure:
            return {'result': 'killed' if whole else 'killed by others', 'by': failure}
        return {'result': 'survived', 'by': mutant['rule']}
    finally:
        path.write_text(plain)


def summary(mutants, found):
    """A table of all, and the exit code."""
    width = max(len(mutant['id']) for mutant in mutants)
    print()
    counts = {}
    for mutant in mutants:
        result = found[mutant['id']]
        word = result['result']
        if word == 'survived' and 'equivalent' in mutant:
            word, result = 'equivalent', {'by': mutant['equivalent']}
        elif 'equivalent' in mutant and word.startswith('killed'):
            result = result | {'by': f'{result["by"]}, although it is listed as equivalent'}
        counts[word] = counts.get(word, 0) + 1
        print(f'{mutant["id"]:{width}}  {word:16}  {result["by"]}')
    print('\n' + ', '.join(f'{count} {word}' for word, count in sorted(counts.items())))
    if 'does not apply' in counts or 'does not compile' in counts:
        return 2
    return 1 if 'survived' in counts else 0


def asked():
    words = argparse.ArgumentParser(description='Mutation testing of the unit suite')
    words.add_argument('--only', nargs='+', metavar='ID', default=[], help='these mutants, whatever the results have of them')
    words.add_argument('--jobs', type=int, default=2, help='compilers at once, and processes of the whole suite')
    words.add_argument('--build', type=pathlib.Path, default=SOURCE / 'build/mutants', help='the folder of the copy')
    words.add_argument('--results', type=pathlib.Path, help='the file of results (results.json in the folder of the copy)')
    words.add_argument('--whole', action='store_true', help='run the whole suite and not the tests of the mutant first')
    options = words.parse_args()
    mutants = read_mutants()
    unknown = sorted(set(options.only) - {mutant['id'] for mutant in mutants})
    if unknown:
        words.error(f'--only: no mutant is called {", ".join(unknown)}')
    if options.jobs < 1:
        words.error(f'--jobs: expected at least 1, got {options.jobs}')
    return options, [mutant for mutant in mutants if not options.only or mutant['id'] in options.only]


def main():
    options, mutants = asked()
    folder = options.build.resolve()
    scratch = Scratch(folder, options.jobs)
    results = Results(options.results or folder / 'results.json')
    folder.mkdir(parents=True, exist_ok=True)
    tree = scratch.sync()
    seconds = baseline(scratch, results, tree)
    found = {}
    for number, mutant in enumerate(mutants, 1):
        result = None if options.only else results.of(mutant, tree)
        started = time.monotonic()
        if result is None:
            result = tried(mutant, scratch, options.whole, seconds)
            results.put(mutant, tree, result)
        found[mutant['id']] = result
        print(f'{number}/{len(mutants)} {mutant["id"]}: {result["result"]}: {result["by"]} '
              f'({time.monotonic() - started:.0f} s)', flush=True)
    return summary(mutants, found)


if __name__ == '__main__':
    sys.exit(main())
