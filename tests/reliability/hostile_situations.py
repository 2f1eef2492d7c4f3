# SPDX-License-Identifier: Apache-2.0
"""Catalogs, editions and CSV files that are each sound in their parts and not as a whole: everything is refused with a
message that names the place, or built as if nothing were.
    python3 hostile_situations.py PROGRAM CATALOG
"""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

from clean_edition import faults_of_edition
from edition_state import manifest_agrees, state_of
from hostile_values import CONTROL
from small_catalog import make_small_catalog

MOST_MEMORY = 4 << 30
COLUMNS = 'gpu,region,instance,gpus,tier,offer,usd_per_instance_hour,as_of,source'
LINE = 'h100-sxm,unstated,8x,8,on_demand,list,30.40,2026-11-20,a price page'


class Bench:
    def __init__(self, program, catalog, scratch):
        self.program, self.scratch = str(pathlib.Path(program).resolve()), scratch
        self.sound = make_small_catalog(catalog, scratch / 'sound')
        self.catalog, self.out = scratch / 'catalog', scratch / 'edition'
        self.fresh()
        assert self.run('build')[0] == 0
        self.edition, self.tried, self.failed = state_of(self.out), 0, 0
        shutil.copytree(self.out, scratch / 'kept')

    def fresh(self):
        shutil.rmtree(self.catalog, ignore_errors=True)
        shutil.copytree(self.sound, self.catalog)

    def run(self, command, *more, text=None, env=None):
        known = {'build': ['--sheet', 'small', '--out', str(self.out)], 'check': [], 'estimate': [], 'import-prices': []}
        words = [self.program, command] + (['--catalog', str(self.catalog)] if command in known else []) + known.get(command, [])
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        try:
            done = subprocess.run(words + [str(word) for word in more], capture_output=True, timeout=60, input=text, env=env,
                                  preexec_fn=limit)
        except subprocess.TimeoutExpired:
            return None, 'takes more than a minute'
        return done.returncode, (done.stderr + done.stdout).decode('utf-8', 'replace')

    def tell(self, what, wrong, told):
        self.tried += 1
        if 'internal error' in told or CONTROL.search(told.replace('\n', '').replace('\t', '')) or len(told) > 200000:
            wrong.append('no clear message')
        if wrong:
            self.failed += 1
            print(f"FAILED {what}: {', '.join(wrong)}: {told[-300:]!r}")

    def refused(self, what, done, names):
        code, told = done
        wrong = [] if code in (1, 2) else [f'exit {code}']
        if names not in told:
            wrong.append(f'does not name {names!r}')
        if state_of(self.out) != self.edition:
            wrong.append('the old edition changed')
            shutil.rmtree(self.out, ignore_errors=True)
            shutil.copytree(self.scratch / 'kept', self.out)
        self.tell(what, wrong, told)

    def built(self, what, done, same=False):
        code, told = done
        wrong = [] if code == 0 else [f'exit {code}']
        if code == 0:
            wrong += faults_of_edition(self.out)[:3] + ([] if manifest_agrees(self.out) else ['not whole'])
            if same and state_of(self.out) != self.edition:
                wrong.append('another edition')
        shutil.rmtree(self.out, ignore_errors=True)
        shutil.copytree(self.scratch / 'kept', self.out)
        self.tell(what, wrong, told)

    def changed(self, name, change):
        """The catalog with one document changed."""
        self.fresh()
        path = self.catalog / name
        document = json.loads(path.read_text())
        change(document)
        path.write_text(json.dumps(document))


def put(**values):
    return lambda document: document.update(values)


def facts(bench):
    first = json.loads((bench.sound / 'models/llama-3.2-1b.json').read_text())
    rate = {'currency': 'EUR', 'usd_per_unit': 1.1, 'date': '2026-11-19', 'source': 'a bank'}

    def price(**values):
        return lambda document: (document['rows'][0].update(values), document['rows'].__setitem__(slice(1, None), []))

    def rows(count):
        return lambda document: document.update(rows=[dict(document['rows'][0], region=f'r-{i}') for i in range(count)])
    for what, name, change, names in (
            ('the id of another file', 'models/llama-3.2-3b.json', put(id='llama-3.2-1b'), 'models/llama-3.2-3b.json:/id'),
            ('its own earlier name', 'models/llama-3.2-1b.json', put(was=['llama-3.2-1b']), 'models/llama-3.2-1b.json:/was'),
            ('an earlier name in use', 'models/llama-3.2-1b.json', put(was=['llama-3.2-3b']), 'models/llama-3.2-1b.json:/was'),
            ('an earlier name that is a path', 'gpus/h100-sxm.json', put(was=['../x']), 'gpus/h100-sxm.json:/was'),
            ('a key in capitals', 'models/llama-3.2-1b.json', put(ID='x'), '/ID'),
            ('a million keys', 'engine.json', lambda d: d.update({f'k{i}': 1 for i in range(1000000)}), 'engine.json'),
            ('a million numbers', 'gpus/h100-sxm.json', put(rentable_counts=list(range(1, 1000001))), 'gpus/h100-sxm.json:/rentable_counts'),
            ('10^12 layers', 'models/llama-3.2-1b.json', put(num_hidden_layers=10 ** 12), '/num_hidden_layers'),
            ('a pattern of a million layers', 'models/llama-3.2-1b.json', put(hybrid_pattern='*-' * 500000), 'models/llama-3.2-1b.json'),
            ('a million blocks', 'models/llama-3.2-1b.json', put(blocks=[{'attention': True, 'mlp_width': 64, 'count': 1}] * 100000),
             'models/llama-3.2-1b.json'),
            ('a day that is none', 'prices/aws.json', price(as_of='2026-02-30'), 'prices/aws.json:/rows/0/as_of'),
            ('a day of the year 99999', 'prices/aws.json', price(as_of='99999-01-01'), '/rows/0/as_of'),
            ('a day before Christ', 'prices/aws.json', price(as_of='-001-01-01'), '/rows/0/as_of'),
            ('a month 00', 'prices/aws.json', price(as_of='2026-00'), '/rows/0/as_of'),
            ('digits of another script', 'prices/aws.json', price(as_of='２０２６-01-01'), '/rows/0/as_of'),
            ('a blank after a name', 'prices/aws.json', put(provider='aws '), 'prices/aws.json:/provider'),
            ('a blank before a region', 'prices/aws.json', price(region=' us-east-1'), '/rows/0/region'),
            ('a currency without a rate', 'prices/aws.json', price(currency='EUR'), 'prices/aws.json:/rows/0'),
            ('a price of seven decimals', 'prices/aws.json', price(usd_per_instance_hour=1.0000001), '/rows/0/usd_per_instance_hour'),
            ('one price twice', 'prices/aws.json', lambda d: d['rows'].append(d['rows'][0]), 'prices/aws.json:/rows/'),
            ('too many prices', 'prices/aws.json', rows(100000), 'prices/aws.json'),
            ('a GPU in no catalog', 'prices/aws.json', price(gpu='h100-sxmm'), 'did you mean'),
            ('a provider twice', 'providers.json', lambda d: d['providers'].append(d['providers'][0]), 'providers.json:/providers/'),
            ('no place on the web', 'providers.json', lambda d: d['providers'][0].update(url='https://'), 'providers.json:/providers/0/url'),
            ('a word for an address', 'providers.json', lambda d: d['providers'][0].update(url='javascript:alert(1)'), '/url'),
            ('low above high', 'purchase/rates.json', lambda d: d['rates'][0]['value'].update(low=9, high=1), '/rates/0/value'),
            ('a constant by another name', 'engine.json', lambda d: d['constants'][0].update(id='nf4.blok'), 'nf4.block'),
            ('no recipe', 'engine.json', put(recipes=[]), 'engine.json:/recipes'),
            ('no loss', 'engine.json', lambda d: d['losses'].pop(0), 'engine.json:/losses'),
            ('a method of rank -1', 'methods/lora-r16.json', lambda d: d['request'].update(rank=-1), 'methods/lora-r16.json:/request/rank'),
            ('a stack of bananas', 'stacks/hf-trl.json', lambda d: d['kinds']['full'][0].update(value='banana'), 'stacks/hf-trl.json:/kinds/full/0'),
            ('a memory of 2^63 GB', 'gpus/h100-sxm.json', put(memory_gb=2 ** 63), 'gpus/h100-sxm.json:/memory_gb'),
            ('more than is printed', 'gpus/h100-sxm.json', put(torch_total_gib=800), '/torch_total_gib'),
            ('counts that fall', 'gpus/h100-sxm.json', put(rentable_counts=[8, 4]), '/rentable_counts'),
            ('too many experts', 'models/llama-3.2-1b.json', put(moe={'num_experts': 2 ** 40, 'experts_per_token': 1}), '/moe')):
        bench.changed(name, change)
        bench.refused(what, bench.run('build'), names)
    for name, value in (('models/LLAMA-3.2-1b.json', first), ('models/con.json', dict(first, id='con')), ('models/a\nb.json', first),
                        ('models/\u202ex.json', first), ('models/x..json', dict(first, id='x.')),
                        (os.fsdecode(b'models/\xff.json'), first), ('gpus/Con.json', {}), ('models/x y.json', dict(first, id='x y')),
                        ('exchange.json', {'max_age_days': 10, 'rates': [rate, rate]}),
                        ('exchange.json', {'max_age_days': 10, 'rates': [dict(rate, usd_per_unit=0)]}),
                        ('exchange.json', {'max_age_days': 10, 'rates': [dict(rate, usd_per_unit=1e9)]})):
        bench.fresh()
        (bench.catalog / name).write_text(json.dumps(value))
        bench.refused(f'a file {name!r}', bench.run('build'), name.split('/')[0])
    bench.fresh()
    for i in range(10001):
        (bench.catalog / f'x{i}').write_text('')
    bench.refused('ten thousand files', bench.run('build'), 'files')
    bench.fresh()
    for i in range(6):
        (bench.catalog / f'x{i}.json').write_bytes(b' ' * (15 << 20))
    bench.refused('ninety megabytes', bench.run('build'), 'bytes')
    bench.fresh()
    deep = bench.catalog / '/'.join(['d'] * 400)
    deep.mkdir(parents=True)
    bench.built('a deep folder', bench.run('build'), same=True)


def sheets(bench):
    name = 'sheets/small.json'

    def scenario(**values):
        return lambda document: document['scenarios'][0].update(values)

    def request(**values):
        return lambda document: document['scenarios'][0]['request'].update(values)
    for what, change, names in (
            ('many models', lambda d: d.update(models=d['models'] * 100000), '/models/1'),
            ('a model twice', lambda d: d.update(models=d['models'] * 2), '/models/1'),
            ('a method twice', put(methods=['full', 'full']), '/methods'), ('a GPU twice', put(gpus=['h100-sxm'] * 2), '/gpus'),
            ('a scenario twice', lambda d: d.update(scenarios=d['scenarios'] * 2), '/scenarios/1'),
            ('no model', put(models=[]), '/models'), ('no method', put(methods=[]), '/methods'), ('no GPU', put(gpus=[]), '/gpus'),
            ('no scenario', put(scenarios=[]), '/scenarios'), ('a scenario that is a path', scenario(id='../../x'), '/scenarios/0/id'),
            ('a scenario of markup', scenario(id='<b>'), '/scenarios/0/id'), ('no title', put(title=''), '/title'),
            ('a title of blanks', put(title=' '), '/title'), ('no edition', put(edition=''), '/edition'),
            ('a request that is a list', scenario(request=[]), '/scenarios/0/request'),
            ('a workload that is a text', request(workload='x'), '/scenarios/0/request/workload'),
            ('a layout that is a number', request(layout=1), '/scenarios/0/request/layout'),
            ('a sequence of 2^62', request(workload={'seq_len': 2 ** 62}), '/scenarios/0/request/workload/seq_len'),
            ('a model of its own', request(model='x'), '/scenarios/0/request/model'),
            ('tokens of its own', request(workload={'tokens': 5}), '/scenarios/0/request/workload/tokens'),
            ('a key that nobody knows', request(banana=1), '/scenarios/0/request/banana'),
            ('lengths that fall', put(series_seq_lens=[4096, 1024]), '/series_seq_lens'),
            ('a length of nothing', put(series_seq_lens=[0]), '/series_seq_lens'),
            ('ten thousand lengths', put(series_seq_lens=list(range(1, 10001))), '/series_seq_lens'),
            ('tokens of 10^18', put(tokens=10 ** 18), '/tokens'), ('a day that is none', put(as_of='2026-02-30'), '/as_of'),
            ('a month for a day', put(as_of='2026-02'), '/as_of'), ('another currency', put(currency='EUR'), '/currency'),
            ('prices of no day', lambda d: d['prices'].update(max_age_days=0), '/prices/max_age_days'),
            ('a rate that is none', lambda d: d['ownership'].update(pue='hours-per-month'), '/ownership/pue'),
            ('more hours than a month has', lambda d: d['ownership'].update(planned_hours_per_month=745), '/planned_hours_per_month')):
        bench.changed(name, change)
        bench.refused(f'a sheet with {what}', bench.run('build'), names)
    for what, change in (('the longest title', put(title='x' * 4000)), ('a title for spreadsheets', put(title="[x]:*?/\\'=1+1")),
                         ('a title in many scripts', put(title='模型 модель 🙂 e\u0301')), ('a title of a template', put(title='{{>head}}</title>')),
                         ('the least tokens', put(tokens=1)), ('the most tokens', put(tokens=10 ** 14)), ('the first day', put(as_of='0001-01-01')),
                         ('the last day', put(as_of='9999-12-31')), ('the longest length', put(series_seq_lens=[100000000])),
                         ('no length', put(series_seq_lens=[])), ('the most headroom', put(headroom=1)), ('many GPUs', put(max_gpus=100000))):
        bench.changed(name, change)
        bench.built(f'a sheet with {what}', bench.run('build'))


def editions(bench):
    kept = json.loads((bench.scratch / 'kept/sheet.json').read_text())
    own = bench.scratch / 'other'

    def other(change, name='sheet.json'):
        shutil.rmtree(own, ignore_errors=True)
        shutil.copytree(bench.scratch / 'kept', own)
        document = json.loads((own / name).read_text())
        change(document)
        (own / name).write_text(json.dumps(document))
        return own
    for what, change, names in (
            ('another schema', put(schema_version=99), '/schema_version'), ('a schema that is a text', put(schema_version='1'), '/schema_version'),
            ('no rows', lambda d: d.pop('rows'), '/rows'), ('rows of numbers', put(rows=[1]), '/rows'),
            ('a row of no model', lambda d: d['rows'][0].update(model=''), '/rows/0'), ('a row twice', lambda d: d['rows'].append(d['rows'][0]), 'row'),
            ('a verdict of its own', lambda d: d['rows'][0].update(verdict='perhaps'), '/rows/0/'),
            ('control characters', lambda d: d['meta'].update(title='\x1b[31m'), '/meta/title'),
            ('bidi overrides', lambda d: d['rows'][0].update(binding='\u202e'), '/rows/0')):
        folder = other(change)
        bench.refused(f'an edition with {what}', bench.run('diff', folder, bench.out), names)
        bench.refused(f'verify, {what}', bench.run('verify', folder), 'sheet.json')
    for what, change in (('a path upwards', lambda d: d['files'].update({'../../x': '0' * 64})), ('an absolute path', lambda d: d['files'].update({'/etc/passwd': '0' * 64})),
                         ('no digits', lambda d: d['files'].update({'index.html': 'x'})), ('no files', put(files={})), ('a list', put(files=[]))):
        bench.refused(f'a manifest with {what}', bench.run('verify', other(change, 'manifest.json')), 'manifest.json' if 'digits' in what or 'list' in what else ':')
    for what, make in (('a pipe', os.mkfifo), ('a link', lambda path: path.symlink_to('/dev/zero')), ('a folder', lambda path: path.mkdir())):
        for name in ('manifest.json', 'sheet.json', 'index.html', 'CNAME'):
            folder = other(lambda document: None)
            shutil.copy(bench.scratch / 'kept/sheet.json', folder)  # as it was written
            (folder / name).unlink(missing_ok=True)
            make(folder / name)
            before = sorted(str(path) for path in folder.rglob('*'))
            words = [bench.program, 'build', '--catalog', str(bench.sound), '--sheet', 'small', '--out', str(folder)]
            done = subprocess.run(words, capture_output=True, text=True, timeout=60)
            wrong = [] if done.returncode == 2 and name in done.stderr else [f'exit {done.returncode}']
            wrong += [] if sorted(str(path) for path in folder.rglob('*')) == before else ['the folder changed']
            if what == 'a folder':  # an empty one is nobody's
                wrong = [] if done.returncode == 0 or wrong == [] else wrong
            else:
                bench.refused(f'verify with {what} for {name}', bench.run('verify', folder), name)
            bench.tell(f'--out with {what} for {name}', wrong, done.stderr)
    outside = bench.scratch / 'outside.html'
    shutil.rmtree(bench.out)
    shutil.copytree(bench.scratch / 'kept', bench.out)
    os.link(bench.out / 'index.html', outside)
    before = outside.read_bytes()
    bench.changed('sheets/small.json', put(title='Another title'))
    bench.built('a hard link to a page', bench.run('build'))
    bench.tell('what a hard link leads to', [] if outside.read_bytes() == before else ['changed'], '')
    bench.fresh()
    for out in ('catalog/out', 'catalog/models/out', 'catalog'):
        bench.refused(f'--out {out}', (lambda done: (done.returncode, done.stderr))(subprocess.run(
            [bench.program, 'build', '--catalog', 'catalog', '--sheet', 'small', '--out', out], cwd=bench.scratch, capture_output=True,
            text=True)), '--out')
    assert kept


def surroundings(bench):
    for what, env in (('a locale', {'LC_ALL': 'tr_TR.UTF-8'}), ('no locale', {'LC_ALL': 'nonsense'}), ('a time zone', {'TZ': ':/dev/zero'}),
                      ('nothing at all', None), ('a home of nobody', {'HOME': '/nonexistent', 'COLUMNS': '-1', 'TERM': '\x1b'})):
        bench.fresh()
        environment = {} if env is None else dict(os.environ, **env)
        bench.built(f'an environment with {what}', bench.run('build', env=environment), same=True)
    long = b'{"id":"' + b'x' * (20 << 20) + b'"}\n'
    bench.refused('a line of 20 megabytes', bench.run('estimate', text=long), '"ok":false')
    bench.refused('a question of 20 megabytes', bench.run('cost', text=long), '"ok":false')
    bench.refused('a line of zero bytes', bench.run('estimate', text=b'\0' * 1000 + b'\n'), '"ok":false')


def tables(bench):
    path = bench.scratch / 'vendor.csv'
    for what, text in {
            'a zero byte': f'{COLUMNS}\n{LINE}\0\n', 'an open quote': f'{COLUMNS}\n"{LINE}\n', 'a quote within': f'{COLUMNS}\nh"100{LINE}\n',
            'semicolons': f'{COLUMNS}\n{LINE}\n'.replace(',', ';'), 'tabs': f'{COLUMNS}\n{LINE}\n'.replace(',', '\t'), 'nothing': '',
            'another table': 'a,b\n1,2\n', 'a column twice': f'{COLUMNS},gpu\n{LINE},h100-sxm\n', 'a column too few': f'{COLUMNS}\nh100-sxm,x\n',
            'a column too many': f'{COLUMNS}\n{LINE},x,y\n', 'a formula': f'{COLUMNS}\n=1+1,{LINE}\n', 'a price twice': f'{COLUMNS}\n{LINE}\n{LINE.replace("30.40", "40")}\n',
            'a price of zero': f'{COLUMNS}\n{LINE.replace("30.40", "0")}\n', 'a price below zero': f'{COLUMNS}\n{LINE.replace("30.40", "-1")}\n',
            'a price of words': f'{COLUMNS}\n{LINE.replace("30.40", "1e400")}\n', 'UTF-16': f'{COLUMNS}\n{LINE}\n'.encode('utf-16'),
            'bytes': COLUMNS.encode() + b'\n\xff\xfe' + LINE.encode(), 'bidi overrides': f'{COLUMNS}\n{LINE.replace("8x", chr(0x202e))}\n',
            'an escape': f'{COLUMNS}\n{LINE.replace("8x", chr(27) + "[31m")}\n', 'a field of forty megabytes': f'{COLUMNS}\n{LINE}{"x" * (40 << 20)}\n',
            'many columns': ','.join(f'c{i}' for i in range(1000000))}.items():
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        bench.fresh()
        bench.refused(f'prices with {what}', bench.run('import-prices', path, '--format', 'sizesheet', '--merge', '--yes'), 'vendor')
        bench.tell(f'after prices with {what}', [] if bench.run('check')[0] == 0 else ['the catalog is not sound any more'], '')
    for what, text in {'Windows ends of lines': f'{COLUMNS}\r\n{LINE}\r\n', 'a byte order mark': f'\ufeff{COLUMNS}\n{LINE}\n', 'no last end': f'{COLUMNS}\n{LINE}', 'carriage returns only': f'{COLUMNS}\r{LINE}\r',
                       'quotes': f'{COLUMNS}\n' + ','.join(f'"{cell}"' for cell in LINE.split(',')) + '\n'}.items():
        path.write_bytes(text.encode())
        code, told = bench.run('import-prices', path, '--format', 'sizesheet')
        bench.tell(f'prices with {what}', [] if (code == 0 and '30.4' in told) or (code == 2 and 'vendor.csv' in told) else [f'exit {code}'], told)


def main(program, catalog):
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(program, catalog, pathlib.Path(folder))
        for part in (facts, sheets, editions, surroundings, tables):
            part(bench)
    print(json.dumps({'hostile situations': bench.tried, 'failed': bench.failed}))
    return 1 if bench.failed else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
