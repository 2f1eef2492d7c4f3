# SPDX-License-Identifier: Apache-2.0
"""Feeds every target of the fuzzer for some seconds and tells what came of it. What breaks a target is kept under WORK.
    python3 run.py BINARY SOURCE WORK [--seconds 60 | --until SECONDS] [--jobs 2] [--target NAME …]
--until goes on where runs before stopped: each target gets what it lacks of these seconds, and the sums are told.
Runs without a finding are kept in WORK/counts.json.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess

import seeds

TARGETS = ['catalog_entry', 'sheet_json', 'sheet_pair', 'request_lines', 'hf_config', 'price_csv', 'price_pair', 'command_line',
           'page_template', 'logo', 'labels', 'currency', 'training_config', 'pdf_text']
LONGEST_SECONDS = 10  # for one input, sanitizers and a busy machine included; slower ones are told
# A refused line tries up to a dozen others, each of which reads the whole catalog.
LONGEST_SECONDS_OF = {'command_line': 180}
STATISTIC = re.compile(r'stat::(\w+):\s+(\d+)')


def feed(binary, source, work, name, seconds):
    """What libFuzzer counted, and the last lines of what it said where it found something."""
    corpus, found = work / 'corpus' / name, work / 'found' / name
    for folder in (corpus, found, work / 'seeds' / name):
        folder.mkdir(parents=True, exist_ok=True)
    longest = LONGEST_SECONDS_OF.get(name, LONGEST_SECONDS)
    command = [binary, corpus, source / 'tests/fuzz/corpus' / name, work / 'seeds' / name, f'-dict={work / "seeds/words.dict"}',
               f'-max_total_time={seconds}', '-max_len=32768', '-rss_limit_mb=4096', f'-timeout={longest}',
               '-print_final_stats=1', '-report_slow_units=1', f'-artifact_prefix={found}/']
    done = subprocess.run(command, env={**os.environ, 'SIZESHEET_FUZZ': name}, capture_output=True, text=True, errors='replace')
    counts = {key: int(value) for key, value in STATISTIC.findall(done.stderr)}
    return {'executions': counts.get('number_of_executed_units', 0), 'slowest_s': counts.get('slowest_unit_time_sec', 0),
            'peak_mib': counts.get('peak_rss_mb', 0), 'exit': done.returncode,
            'told': '' if done.returncode == 0 else done.stderr[-4000:]}


class Counts:
    """What the targets were fed so far without a finding, in a file."""

    def __init__(self, path):
        self.path = path
        self.known = json.loads(path.read_text()) if path.exists() else {}

    def seconds(self, name):
        return self.known.get(name, {}).get('seconds', 0)

    def executions(self, name):
        return self.known.get(name, {}).get('executions', 0)

    def add(self, name, seconds, executions):
        self.known[name] = {'seconds': self.seconds(name) + seconds, 'executions': self.executions(name) + executions}
        self.path.write_text(json.dumps(self.known, indent=2) + '\n')


def main():
    parser = argparse.ArgumentParser()
    for name in ('binary', 'source', 'work'):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument('--seconds', type=int, default=60)
    parser.add_argument('--until', type=int)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--target', action='append', choices=TARGETS)
    options = parser.parse_args()
    seeds.main(options.source, options.work / 'seeds')
    targets = options.target or TARGETS
    counts = Counts(options.work / 'counts.json')
    lacking = {name: options.seconds if options.until is None else options.until - counts.seconds(name) for name in targets}
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = {name: pool.submit(feed, options.binary, options.source, options.work, name, seconds)
                for name, seconds in lacking.items() if seconds > 0}
        for name, run in runs.items():
            result = run.result()
            failed += result['exit'] != 0
            print(f"{name}: {result['executions']:,} executions, slowest {result['slowest_s']} s, {result['peak_mib']} MiB"
                  + (f", FOUND something, see {options.work / 'found' / name}" if result['exit'] else ''), flush=True)
            if result['exit']:
                print(result['told'])
            else:
                counts.add(name, lacking[name], result['executions'])
    print(json.dumps({'fuzz targets': len(targets), 'executions': sum(counts.executions(name) for name in targets),
                      'seconds in all': sum(counts.seconds(name) for name in targets), 'findings': failed}))
    return 1 if failed else 0


if __name__ == '__main__':
    raise SystemExit(main())
