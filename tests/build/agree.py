# SPDX-License-Identifier: Apache-2.0
"""Asks every command for the same cells: what the sheet says of a row, `estimate`, `explain`, `sweep` and `fits` say as well.
    python3 agree.py PROGRAM CATALOG EDITION [--every N]     N: of `explain`, a process a row
"""

import argparse
import csv
import io
import json
import pathlib
import subprocess

BYTES = ('weights', 'adapters', 'gradients', 'optimizer', 'activations', 'recompute', 'logits', 'working_set', 'allocated',
         'reserved', 'overhead', 'device', 'capacity')
SPLITS = ('gpus', 'dp', 'tp', 'pp', 'cp', 'ep', 'shard', 'offload')
SWEPT = {'gpus': 'gpus', 'dp': 'data_parallel', 'tp': 'tensor_parallel', 'pp': 'pipeline_parallel', 'cp': 'context_parallel',
         'ep': 'expert_parallel', 'shard': 'shard'}


class Agreement:
    def __init__(self, program, catalog, edition):
        self.program, self.catalog = program, catalog
        self.sheet = json.loads((pathlib.Path(edition) / 'sheet.json').read_text())
        self.rows = [row for row in self.sheet['rows'] if row['modelled']]
        # Rows whose set-up may have been picked from all GPU types' together; picks are of the first scenario.
        first = self.sheet['scenarios'][0]['id']
        self.settled = {pick['rent_pick'] for pick in self.sheet['picks']}
        self.settled |= {row['key'] for row in self.rows if row['scenario'] != first and row['chosen'] is not None}
        self.tokens = {method['id']: method['tokens'] for method in self.sheet['methods']}
        self.compared = self.failed = 0

    def run(self, *words, text=None):
        done = subprocess.run([self.program, words[0], '--catalog', self.catalog, *map(str, words[1:])], input=text,
                              capture_output=True, text=True, timeout=600)
        assert done.returncode in (0, 1), done.stderr[-1000:]
        return done.stdout

    def same(self, what, row, theirs):
        """`theirs`: name -> (what the sheet has, what the command says)."""
        for name, (ours, said) in theirs.items():
            self.compared += 1
            if ours != said:
                self.failed += 1
                print(f"FAILED {row['key']}: {what} says {name} {said}, the sheet {ours}")

    def scenario(self, row):
        return next(each for each in self.sheet['inputs']['sheet']['scenarios'] if each['id'] == row['scenario'])

    def request(self, row):
        """The question that the sheet asks for the row."""
        scenario, options = self.scenario(row), self.sheet['options']
        own = json.loads(json.dumps(scenario.get('request', {})))
        own.setdefault('workload', {})['tokens'] = self.tokens[row['method']]
        own['objective'] = 'money'
        if options['deadline_hours'] is not None:
            own['deadline_hours'] = options['deadline_hours']
        if row['key'] in self.settled:
            own['layout'] = {'gpus': row['layout']['gpus']}
        return {**own, 'model': row['model'], 'method': row['method'], 'gpu': row['gpu'], 'stack': scenario['stack'],
                'headroom': options['headroom'], 'max_gpus': options['max_gpus']}

    def against_answer(self, what, row, answer):
        if row['verdict'] == 'no':  # nothing holds: the commands and the sheet may show another smallest miss
            return self.same(what, row, {'verdict': (row['verdict'], answer['memory']['verdict'])})
        pairs = {name: (row['memory'][name], answer['memory'][name]) for name in BYTES}
        pairs.update({name: (row['layout'][name], answer['layout'][name]) for name in SPLITS})
        if row['key'] not in self.settled:
            pairs.update({f'minimum {name}': (row['minimum'][name], answer['minimum'][name]) for name in ('by_memory', 'rentable', 'tight')})
            usd = answer.get('usd') or {}
            run = row['candidates'][row['chosen']] if row['chosen'] is not None else {}
            pairs.update({f'usd {name}': (run.get('usd', {}).get(name), usd.get(name)) for name in ('low', 'mid', 'high')})
        hours = answer['hours'] or {}
        pairs.update({f'hours {name}': ((row['hours'] or {}).get(name), hours.get(name)) for name in ('low', 'mid', 'high')})
        pairs['verdict'] = (row['verdict'], answer['memory']['verdict'])
        pairs['trainable'] = (row['parameters_trainable'], answer['parameters']['trainable'])
        return self.same(what, row, pairs)

    def estimates(self):
        lines = ''.join(json.dumps(self.request(row)) + '\n' for row in self.rows)
        for row, line in zip(self.rows, self.run('estimate', text=lines).splitlines(), strict=True):
            self.against_answer('estimate', row, json.loads(line))

    def explanations(self, every):
        for row in self.rows[::every]:
            request = self.request(row)
            named = [request.pop(name) for name in ('model', 'method', 'gpu', 'stack')]
            words = [word for pair in zip(('--model', '--method', '--gpu', '--stack'), named) for word in pair]
            answer = json.loads(self.run('explain', *words, '--request', json.dumps(request), '--format', 'json'))
            self.against_answer('explain', row, answer)
            total = sum(term['bytes'] for term in answer['terms'])
            self.same('explain', row, {'sum of its terms': (answer['memory']['device'], total)})

    def sweeps(self):
        """A sweep asks by the sheet's first scenario, at any length; here at its own."""
        first = self.sheet['scenarios'][0]
        ids = {name: ','.join(each['id'] for each in self.sheet[name]) for name in ('models', 'methods', 'gpus')}
        text = self.run('sweep', '--sheet', self.sheet['inputs']['sheet']['id'], '--seq', first['seq_len'],
                        *[word for name, value in ids.items() for word in (f'--{name}', value)])
        swept = {(cell['model_id'], cell['method_id'], cell['gpu_id']): cell for cell in csv.DictReader(io.StringIO(text))}
        for row in self.rows:
            if row['scenario'] != first['id'] or row['key'] in self.settled:
                continue
            cell = swept[row['model'], row['method'], row['gpu']]
            pairs = {'verdict': (row['verdict'], cell['verdict'])}
            if row['verdict'] != 'no':
                pairs.update({name: (str(row['layout'][name]), cell[SWEPT[name]]) for name in SWEPT})
                pairs.update({name: (str(row['memory'][name]), cell[f'{name}_bytes']) for name in BYTES})
                rent = row['rent']['list'] or {}
                pairs.update({'price': (rent.get('price_key', ''), cell['price_key'])})
                for name, column in (('usd_per_hour', 'list_usd_per_hour'), ('usd_per_run', 'list_usd_per_run')):
                    pairs[name] = (rent.get(name), float(cell[column]) if cell[column] else None)
                hours = (row['hours'] or {}).get('mid')
                pairs['hours'] = (hours, float(cell['hours_mid']) if cell['hours_mid'] else None)
            self.same('sweep', row, pairs)

    def fits(self):
        """What `fits` lists for as many GPUs as a row has."""
        first, options = self.sheet['scenarios'][0], self.sheet['options']
        rows = [row for row in self.rows if row['scenario'] == first['id'] and row['verdict'] != 'no']
        for gpu, gpus in sorted({(row['gpu'], row['layout']['gpus']) for row in rows}):
            answer = json.loads(self.run('fits', '--gpu', gpu, '--gpus', gpus, '--stack', first['stack'], '--seq', first['seq_len'],
                                         '--tokens', options['tokens_per_run'], '--format', 'json'))
            listed = {(each['model'], each['method']): each for each in answer['rows']}
            for row in rows:
                each = listed.get((row['model'], row['method']))
                if (row['gpu'], row['layout']['gpus']) != (gpu, gpus):
                    continue
                if each is None:
                    self.same('fits', row, {'that it': ('fits', 'does not')})
                    continue
                pairs = {name: (row['layout'][name], each['layout'][name]) for name in SPLITS}
                pairs['device'] = (row['memory']['device'], each['device'])
                pairs['verdict'] = (row['verdict'], each['verdict'])
                self.same('fits', row, pairs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('catalog')
    parser.add_argument('edition')
    parser.add_argument('--every', type=int, default=1)
    options = parser.parse_args()
    agreement = Agreement(options.program, options.catalog, options.edition)
    agreement.estimates()
    agreement.explanations(options.every)
    agreement.sweeps()
    agreement.fits()
    print(json.dumps({'figures compared': agreement.compared, 'rows': len(agreement.rows), 'failed': agreement.failed}))
    return 1 if agreement.failed or not agreement.rows else 0


if __name__ == '__main__':
    raise SystemExit(main())
