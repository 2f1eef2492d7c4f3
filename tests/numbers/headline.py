# SPDX-License-Identifier: Apache-2.0
"""Every number of the headline and of the decision, worked out anew from the rows, and the sentences themselves on the
index, the decision on the handout as well:
    python3 headline.py EDITION
"""

import html
import json
import pathlib
import re
import subprocess
import sys


def roughly(value):
    """Two significant digits."""
    rounded = float(f'{value:.2g}')
    return f'{rounded:,.0f}' if rounded >= 10 else f'{rounded:.1f}' if rounded >= 1 else f'{rounded:.2f}'


def hours(value):
    return f'{value:.1f} h' if value < 10 else f'{value:.0f} h'


def usd(value):
    return f'${value:,.0f}' if value >= 100 else f'${value:,.2f}'


def span(low, high):
    return low if low == high else f'{low} to {high}'


class Jobs:
    """What the handout's picks are rented and owned as."""

    def __init__(self, sheet):
        self.sheet = sheet
        rows = {row['key']: row for row in sheet['rows']}
        self.models = {model['id']: model for model in sheet['models']}
        self.methods = {method['id']: method for method in sheet['methods']}
        self.gpus = {gpu['id']: gpu for gpu in sheet['gpus']}
        self.sellers = {one['id']: one.get('short_title') or one['title'] for one in sheet['inputs']['providers']}
        chosen = sheet['options']['handout_models'] or list(self.models)
        self.picks = [pick for pick in sheet['picks'] if pick['model'] in chosen]
        for pick in self.picks:
            row = rows.get(pick['rent_pick'])
            pick['run'] = row['candidates'][pick['candidate']] if row else None
        self.highlighted = self.models[sheet['options']['highlight_model']]

    def adapters(self):
        jobs = [pick for pick in self.picks if self.methods[pick['method']]['adapters'] and pick['run'] and
                self.models[pick['model']]['parameters'] <= self.highlighted['parameters']]
        if not jobs:
            return None
        of = [job['run'] for job in jobs]
        gpus = [run['gpus'] for run in of]
        return [f"up to {self.highlighted['size']}:",
                span(str(min(gpus)), str(max(gpus))) + (' GPU' if max(gpus) == 1 else ' GPUs'),
                span(hours(min(run['hours']['mid'] for run in of)), hours(max(run['hours']['mid'] for run in of))),
                span(*('$' + roughly(end(run['usd']['mid'] for run in of)) for end in (min, max))) + '.']

    def full(self):
        jobs = [pick for pick in self.picks if not self.methods[pick['method']]['adapters'] and pick['run'] and
                pick['model'] == self.highlighted['id']]
        if not jobs:
            return None
        run = jobs[0]['run']
        return [f"of {self.highlighted['size']}:",
                f"{run['gpus']} × {self.gpus[run['gpu']]['short_name']} from {self.sellers[run['provider']]}",
                hours(run['hours']['mid']), f"{usd(run['usd']['mid'])} per run",
                f"(${roughly(run['usd']['low'])} to ${roughly(run['usd']['high'])} in nine of ten)"] + ([] if run['certain'] is not False else ['; not certain to fit.'])

    def own(self):
        sold = [pick for pick in self.picks if pick['own'] and pick['own']['rent_usd_per_run'] is not None]
        jobs = [pick for pick in sold if pick['own']['break_even_hours_per_month'] is not None]
        if not sold:
            return None
        if not jobs:
            return ['none of the jobs']

        def even(job):
            return f"{job['own']['break_even_hours_per_month']:,.0f} h"

        def words(job):
            return f"{self.models[job['model']]['size']} {self.methods[job['method']]['short_title']}"

        def machine(job):
            own = job['own']
            used = ', used, for' if own['used'] else ' for'
            return (f"{own['gpus'] + own['unused_gpus']} × {self.gpus[own['gpu']]['short_name']}{used} "
                    f"{usd(own['capex_usd'])}")
        def use(job):
            return job['own']['break_even_hours_per_month']

        least, most = min(jobs, key=use), max(jobs, key=use)
        parts = [f'{words(least)} from {even(least)} of use per month ({machine(least)})']
        for job in jobs:
            if job['model'] == self.highlighted['id'] and not self.methods[job['method']]['adapters'] and job is not least:
                parts.append(f'{words(job)} from {even(job)} ({machine(job)})')
                break
        if most is not least:
            parts.append(f'{words(most)} from {even(most)}')
        if len(sold) > len(jobs):
            parts.append(f'{len(sold) - len(jobs)} of the jobs never')
        return parts


def decision(jobs):
    """The title, of an edition whose plan is an example."""
    evens = [pick['own']['break_even_hours_per_month'] for pick in jobs.sheet['picks']
             if pick['own'] and pick['own']['rent_usd_per_run'] is not None and pick['own']['break_even_hours_per_month'] is not None]
    if not evens:
        return 'Rent by the hour: no machine pays within the hours of a month'
    least, most = max(1, int(round(min(evens)) // 10 * 10)), -(-int(round(max(evens))) // 10) * 10
    hours, rest = (f'{least}–{most}', ' (by job)') if most - least >= 20 else (f'{least}', '')
    return f'Rent by the hour: owning is cheaper only if a machine is busy over {hours} h per month{rest}'


def text_of_pdf(path):
    text = subprocess.run(['pdftotext', '-layout', path, '-'], capture_output=True, text=True, check=True).stdout
    return ' '.join(text.split())


def main(directory):
    directory = pathlib.Path(directory)
    sheet = json.loads((directory / 'sheet.json').read_text())
    jobs = Jobs(sheet)
    expected = [parts for parts in (jobs.adapters(), jobs.full(), jobs.own()) if parts]
    faults = []
    if len(sheet['headline']) != len(expected) or len(expected) > 3:
        faults.append(f"{len(sheet['headline'])} sentences, expected {len(expected)}")
    numbers = 0
    for sentence, parts in zip(sheet['headline'], expected):
        rest = sentence
        for part in parts:
            if part not in rest:
                faults.append(f'"{sentence}" does not say "{part}"')
            rest = rest.replace(part, '', 1)
        for name in [gpu['short_name'] for gpu in sheet['gpus']] + [model['size'] for model in sheet['models']]:
            rest = rest.replace(name, '')
        if re.search(r'\d', rest):
            faults.append(f'"{sentence}" has a number that no row gives: "{rest}"')
        numbers += len(re.findall(r'\d[\d.,]*', sentence))
    index = ' '.join(html.unescape((directory / 'index.html').read_text()).split())
    handout = text_of_pdf(directory / 'sheet.pdf')
    wanted = [('index.html', index, sentence) for sentence in sheet['headline']]
    if not sheet['plan'] or sheet['plan']['demand']['example']:
        wanted += [('index.html', index, decision(jobs)), ('sheet.pdf', handout, decision(jobs))]
    for form, text, sentence in wanted:
        if ' '.join(sentence.split()) not in text:
            faults.append(f'{form} lacks "{sentence}"')
    print(*faults, f'{numbers} numbers in {len(expected)} sentences, {len(faults)} faults', sep='\n')
    return 1 if faults or not expected else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
