# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks, keeps their medians, and writes them into the document beside their bars.
    python3 figures.py run [GROUP …]   measures groups (all without a name) and keeps the medians in results.json
    python3 figures.py write           puts the table of results.json into docs/reliability.md
    python3 figures.py check           exit 1 unless that table stands there
"""

import datetime
import json
import os
import pathlib
import sys
from dataclasses import dataclass

import measure
from measured_table import MeasuredTable

RESULTS = pathlib.Path(__file__).parent / 'results.json'

# unit -> seconds, bytes or items in it
UNITS = {'µs': 1e-6, 'ms': 1e-3, 's': 1, 'MiB': 1 << 20, 'lines/s': 1, 'cells/s': 1}

# group -> the pattern of its benchmarks, how often each is run; or what measures whole runs of the program.
GROUPS = {
    'parameters': ('^parameters/', 9),
    'memory': ('^memory/', 5),
    'stages': ('^memory_and_stages/', 5),
    'speed': ('^speed/', 5),
    'search': ('^search/', 3),
    'reading': ('^read_request/', 3),
    'lines': ('^lines/', 3),
    'catalog': ('^load_catalog_whole', 9),
    'sweep': ('^sweep_quarterly/', 5),
    'sheet': ('^(build_quarterly|write_(json|csv|site|pdf|xlsx)$)', 5),
    'plan': ('^capacity/', 5),
    'diff': ('^(compare_100000|read_100000/)', 3),
    'processes': measure.processes,
    'grids': measure.grids,
    'pipe': measure.lines,  # last: what it keeps in memory would count as that of processes after it
}


@dataclass(frozen=True)
class Figure:
    what: str
    group: str
    of: str    # the benchmark or the process
    take: str  # its counter; cpu and wall are times in seconds, peak is memory in bytes
    unit: str
    bar: float | None = None  # in `unit`: at most, but at least for what is counted a second

    def key(self):
        return f'{self.of} {self.take}'


def by_shape(what, group, of, take, unit, bars):
    return [Figure(what.format(name), group, of.format(shape), take, unit, bars.get(shape))
            for shape, name in (('dense', 'dense'), ('moe', 'MoE'), ('hybrid', 'hybrid'))]


def by_layout(what, group, of, bars):
    return [figure for gpus in (8, 512)
            for figure in by_shape(what.replace('#', str(gpus)), group, of + f'_{gpus}', 'stage_s', 'µs', bars)]


ESTIMATE = {'dense': 1, 'moe': 2, 'hybrid': 2}
EACH = {'dense': 50, 'moe': 50, 'hybrid': 50}
SLOW = {'dense': 500, 'moe': 500, 'hybrid': 500}

# The bars stand here and nowhere else.
FIGURES = [
    *by_shape('parameters of a model, {}', 'parameters', 'parameters/{}', 'model_s', 'µs', {}),
    *by_layout('memory at a given layout, {}, # GPUs, a pipeline stage', 'memory', 'memory/{}', ESTIMATE),
    *by_layout('the same with its stages made, {}, # GPUs', 'stages', 'memory_and_stages/{}', {}),
    *by_shape('speed and hours of a layout, {}, 8 GPUs', 'speed', 'speed/{}_8', 'estimate_s', 'µs', {}),
    *by_shape('search for a count, {}, median', 'search', 'search/{}', 'median_s', 'µs', EACH),
    *by_shape('search for a count, {}, 99th percentile', 'search', 'search/{}', 'p99_s', 'µs', SLOW),
    Figure('reading a request with its layout', 'reading', 'read_request/layout', 'request_s', 'µs'),
    Figure('reading a request without', 'reading', 'read_request/search', 'request_s', 'µs'),
    Figure('`estimate` in this process, layouts given, one thread', 'lines', 'lines/layout/1', 'lines', 'lines/s'),
    Figure('`estimate` in this process, with searches, one thread', 'lines', 'lines/search/1', 'lines', 'lines/s'),
    *(Figure(f'`sizesheet estimate`, 10,000 lines {words}, {threads}', 'pipe', f'{kind} {jobs}', 'lines', 'lines/s', bar)
      for kind, words, bars in (('fits', 'that fit', (None, 100000)), ('no', 'that do not fit', (30000, None)))
      for jobs, threads, bar in zip(('1', '2'), ('one thread', 'two threads'), bars, strict=True)),
    Figure('an answer of it after its line, for who waits', 'pipe', 'first', 'wall', 'ms', 1),
    Figure('its start and one line', 'pipe', 'start', 'wall', 'ms', 8),
    Figure('loading the catalog', 'catalog', 'load_catalog_whole', 'cpu', 'ms', 15),
    Figure('quarterly sheet, its rows alone, one thread', 'sweep', 'sweep_quarterly/1', 'cpu', 'ms'),
    Figure('quarterly sheet, its rows alone, two threads', 'sweep', 'sweep_quarterly/2', 'wall', 'ms'),
    Figure('quarterly sheet, all of it as a value, one thread', 'sheet', 'build_quarterly/1', 'cpu', 'ms'),
    Figure('quarterly sheet, all of it as a value, two threads', 'sheet', 'build_quarterly/2', 'wall', 'ms'),
    *(Figure(f'quarterly sheet, written: {name}', 'sheet', f'write_{of}', 'cpu', 'ms')
      for name, of in (('pages', 'site'), ('PDF', 'pdf'), ('workbook', 'xlsx'), ('CSV', 'csv'), ('JSON', 'json'))),
    Figure("a plan of the quarterly sheet's demand", 'plan', 'capacity/quarterly', 'cpu', 'ms'),
    Figure('a plan of 1,000 jobs with 2,000 ways over 24 months alike', 'plan', 'capacity/flat', 'cpu', 'ms'),
    Figure('the same, demand that grows each quarter', 'plan', 'capacity/growing', 'cpu', 'ms'),
    Figure('comparing two editions of 100,000 rows', 'diff', 'compare_100000', 'cpu', 'ms'),
    Figure('reading two such editions, one thread', 'diff', 'read_100000/1', 'cpu', 'ms'),
    Figure('the same, two threads', 'diff', 'read_100000/2', 'wall', 'ms', 2000),
    Figure('`sizesheet --help`', 'processes', 'help', 'wall', 'ms', 10),
    Figure('`sizesheet check`', 'processes', 'check', 'wall', 'ms'),
    Figure('`sizesheet build`, the quarterly sheet', 'processes', 'build', 'wall', 'ms', 250),
    Figure('the same, processor time', 'processes', 'build', 'cpu', 'ms'),
    Figure('the same, peak memory', 'processes', 'build', 'peak', 'MiB', 64),
    Figure('what 45,000 rows of prices add to it, to some 450', 'processes', 'history', 'more', 'ms', 300),
    *(Figure(f'`sizesheet sweep`, {cells} cells, two threads', 'grids', cells, 'wall', 's', 5 if cells == '77,616' else None)
      for cells in measure.GRIDS),
    *(Figure(f'the same, {cells} cells, peak memory', 'grids', cells, 'peak', 'MiB') for cells in measure.GRIDS),
]


def kept_results(setting):
    """Those of results.json, unless they are of another machine or of a program built otherwise."""
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    return kept if all(kept.get(key) == value for key, value in setting.items()) else {**setting, 'figures': []}


def run(groups):
    results = kept_results(measure.setting())
    known = {one['name']: one for one in results['figures']}
    for group in groups or GROUPS:
        load = os.getloadavg()[0]
        measured = GROUPS[group]
        found = measured() if callable(measured) else measure.benchmarks(*measured)
        for figure in FIGURES:
            if figure.group != group:
                continue
            median = found[figure.of][figure.take] / UNITS[figure.unit]
            known[figure.key()] = {'name': figure.key(), 'median': float(f'{median:.4g}'), 'unit': figure.unit,
                                   'date': datetime.date.today().isoformat(), 'load': round(load, 1)}
            print(f'{figure.what}: {median:.4g} {figure.unit}', flush=True)
        results['figures'] = [known[figure.key()] for figure in FIGURES if figure.key() in known]
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + '\n')
    return 0


def shown(value):
    """Three digits, without an exponent: 0.0123, 1.23, 1,230."""
    if value >= 100:
        digits = len(str(int(value))) - 3
        return f'{round(value / 10 ** digits) * 10 ** digits:,}'
    return f'{float(f"{value:.2g}"):g}' if value < 1 else f'{float(f"{value:.3g}"):g}'


def counted(figure):
    """Items a second: its bar is a least, not a most."""
    return figure.unit.endswith('/s')


def bar_of(figure):
    return '–' if figure.bar is None else f'{"≥" if counted(figure) else "≤"} {figure.bar:,} {figure.unit}'


def judged(figure, median):
    """How far from the bar: "met", "4.21 × over", "4.21 × under"."""
    if figure.bar is None:
        return '–'
    off = figure.bar / median if counted(figure) else median / figure.bar
    return 'met' if off <= 1 else f'{shown(off)} × {"under" if counted(figure) else "over"}'


def table():
    results = json.loads(RESULTS.read_text())
    known = {one['name']: one for one in results['figures']}
    lines = ['| what | median | bar | |\n', '|---|---|---|---|\n']
    for figure in FIGURES:
        one = known.get(figure.key())
        median, verdict = ('not measured', '–') if one is None else \
            (f'{shown(one["median"])} {one["unit"]}', judged(figure, one['median']))
        lines.append(f'| {figure.what} | {median} | {bar_of(figure)} | {verdict} |\n')
    dates = sorted({one['date'] for one in results['figures']})
    loads = [one['load'] for one in results['figures']]
    return (''.join(lines) + f'\nOn {results["machine"]}, {" and ".join(dates)}, load {min(loads)} to {max(loads)} before each group; '
            f'{results["compiler"]}:\n\n```text\n{results["flags"]}\n```\n')


def main(what, *groups):
    if what == 'run':
        return run(groups)
    figures = MeasuredTable(measure.SOURCE / 'docs/reliability.md', 'figures')
    return figures.write(table()) if what == 'write' else figures.check(table(), 'tests/bench/figures.py')


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
