# SPDX-License-Identifier: Apache-2.0
"""Feeds every target of the fuzzer for some seconds and tells what came of it. What breaks a target is kept under FOUND.
    python3 run.py BINARY SOURCE WORK [--seconds 60] [--jobs 2] [--target NAME …]
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess

import seeds

TARGETS = ['catalog_entry', 'sheet_json', 'request_lines', 'hf_config', 'price_csv', 'page_template', 'pdf_text']
LONGEST_SECONDS = 10  # for one input, sanitizers and a busy machine included; slower ones are told
STATISTIC = re.compile(r'stat::(\w+):\s+(\d+)')


def feed(binary, source, work, name, seconds):
    """What libFuzzer counted, and the last lines of what it said where it found something."""
    corpus, found = work / 'corpus' / name, work / 'found' / name
    for folder in (corpus, found, work / 'seeds' / name):
        folder.mkdir(parents=True, exist_ok=True)
    command = [binary, corpus, source / 'tests/fuzz/corpus' / name, work / 'seeds' / name, f'-dict={work / "seeds/words.dict"}',
               f'-max_total_time={seconds}', '-max_len=32768', '-rss_limit_mb=4096', f'-timeout={LONGEST_SECONDS}',
               '-print_final_stats=1', '-report_slow_units=1', f'-artifact_prefix={found}/']
    done = subprocess.run(command, env={**os.environ, 'SIZESHEET_FUZZ': name}, capture_output=True, text=True, errors='replace')
    counts = {key: int(value) for key, value in STATISTIC.findall(done.stderr)}
    return {'executions': counts.get('number_of_executed_units', 0), 'slowest_s': counts.get('slowest_unit_time_sec', 0),
            'peak_mib': counts.get('peak_rss_mb', 0), 'exit': done.returncode,
            'told': '' if done.returncode == 0 else done.stderr[-4000:]}


def main():
    parser = argparse.ArgumentParser()
    for name in ('binary', 'source', 'work'):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument('--seconds', type=int, default=60)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--target', action='append', choices=TARGETS)
    options = parser.parse_args()
    seeds.main(options.source, options.work / 'seeds')
    targets = options.target or TARGETS
    failed = total = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(feed, options.binary, options.source, options.work, name, options.seconds) for name in targets]
        for name, run in zip(targets, runs):
            result = run.result()
            total += result['executions']
            failed += result['exit'] != 0
            print(f"{name}: {result['executions']:,} executions, slowest {result['slowest_s']} s, {result['peak_mib']} MiB"
                  + (f", FOUND something, see {options.work / 'found' / name}" if result['exit'] else ''), flush=True)
            if result['told']:
                print(result['told'])
    print(json.dumps({'fuzz targets': len(targets), 'executions': total, 'seconds each': options.seconds, 'findings': failed}))
    return 1 if failed or not total else 0


if __name__ == '__main__':
    raise SystemExit(main())
