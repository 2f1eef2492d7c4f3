# SPDX-License-Identifier: Apache-2.0
"""Holds the list of mutants to the sources: each still applies, breaks a rule that is stated, and names tests that exist.
    python3 check.py
"""

import fnmatch
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
LIST = HERE / 'mutants.json'
KEYS = {'id', 'file', 'from', 'to', 'rule', 'tests'}
ID = re.compile(r'[a-z0-9]+(-[a-z0-9]+)*')
TEST = re.compile(r'^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)', re.MULTILINE)
INSTANCES = re.compile(r'^INSTANTIATE_TEST_SUITE_P\((\w+),\s*(\w+)', re.MULTILINE)


def read_mutants():
    return json.loads(LIST.read_text())


def known_tests(root=SOURCE):
    """Names of all tests, as a filter of GoogleTest sees them; of an instance only its first."""
    tests, instances = set(), {}
    for path in root.glob('tests/*/**/*_test.cc'):
        text = path.read_text()
        tests.update(TEST.findall(text))
        for name, suite in INSTANCES.findall(text):
            instances[suite] = name
    return {f'{instances[suite]}/{suite}.{test}/0' if suite in instances else f'{suite}.{test}' for suite, test in tests}


def place_fault(mutant, root=SOURCE):
    """Why the mutant does not apply; '' where it does."""
    path = root / mutant['file']
    if not mutant['file'].startswith('generator/') or not path.is_file():
        return f'file: expected a file under generator/, got {mutant["file"]!r}'
    times = path.read_text().count(mutant['from'])
    if times != 1:
        return f'from: expected a text that occurs once in {mutant["file"]}, got {times} times {mutant["from"]!r}'
    return 'to: expected another text than from' if mutant['from'] == mutant['to'] else ''


def entry_faults(mutant, tests):
    keys = set(mutant) - {'equivalent'}
    wrong = sorted(key for key, value in mutant.items() if not isinstance(value, str) or (not value and key != 'to'))
    if keys != KEYS or wrong:
        return [f'expected texts {", ".join(sorted(KEYS))}, got {", ".join(wrong or sorted(keys))}']
    faults = [place_fault(mutant)]
    if not ID.fullmatch(mutant['id']):
        faults.append('id: expected small letters, digits and hyphens')
    if not mutant['rule'].endswith('.') or '\n' in mutant['rule']:
        faults.append('rule: expected one sentence with a full stop')
    for pattern in mutant['tests'].split(':'):
        if not fnmatch.filter(tests, pattern):
            faults.append(f'tests: no test is named {pattern}')
    return [fault for fault in faults if fault]


def faults_of(mutants):
    tests = known_tests()
    faults = []
    seen = set()
    for mutant in mutants:
        name = mutant.get('id')
        if name in seen:
            faults.append(f'{name}: expected an id that occurs once')
        seen.add(name)
        faults += [f'{name}: {fault}' for fault in entry_faults(mutant, tests)]
    return faults


def main():
    mutants = read_mutants()
    faults = faults_of(mutants)
    for fault in faults:
        print(f'{LIST.relative_to(SOURCE)}: {fault}')
    print(f'{len(mutants)} mutants, {len(faults)} faults')
    return 1 if faults or not mutants else 0


if __name__ == '__main__':
    sys.exit(main())
