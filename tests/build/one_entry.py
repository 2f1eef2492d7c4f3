# SPDX-License-Identifier: Apache-2.0
"""Adds a tier and a column to a copy of the program, an entry each and a line where a form chooses the column's place, and finds
them in every form of an edition and in a comparison of two. The copy is built with the thread sanitizer, so that what works on
several threads runs in it, too: a second build takes minutes.
    python3 one_entry.py SOURCE
"""

import csv
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
sys.path[:0] = [str(SOURCE / 'tests/xlsx'), str(SOURCE / 'tests/reliability')]
import threads  # noqa: E402
from workbook import sheet_parts  # noqa: E402

TIER, TITLE = 'reserved_2y', 'Two years reserved'
COLUMN, MEMBER = 'own_fixed_usd_per_month', 'fixed_usd_per_month'

# (file, the text before, the new text)
THE_TIER = ('generator/catalog/prices/price.h', 'kPriceTiers = std::to_array<RentTier>({',
            f'{{"{TIER}", "{TIER}", "2 years", "{TITLE}", "Rent on a term of 2y", "Committed", PaidFor::kEveryHour, false, ""}},')
THE_COLUMN = ('generator/sheet/measures.cc', 'void add_own(Measures& put) {',
              f'put.own("{COLUMN}", &OwnLine::{MEMBER}); put.flat(); put.change_kind("spread_moved");')
ITS_PLACES = (
    ('templates/rows.mustache', '<th scope="col">Cheaper to own from, h per month</th>', '<th scope="col">Own, fixed</th>'),
    ('templates/rows.mustache', '{{/owned.decision|any}}</td>', f'<td class="fixed">{{{{{COLUMN}|whole}}}}</td>'),
    ('generator/render/pdf/table/columns.cc', '"the plan’s word", advice},',
     f'{{"own_fixed", Band::kOwn, kRight, Tone::kPlain, "fixed", "$ per month", "fixed", dollars<"{COLUMN}">}},'),
    ('generator/render/xlsx/rent_table.cc', '  const std::vector<Column> speed = {',
     f'measured("{COLUMN}", {{"own_fixed", "", "Own, fixed", "$ per month", 12, Style::kUsd, "", false, ""}}),'),
)


def insert(root, name, before, text):
    path = root / name
    whole = path.read_text()
    assert whole.count(before) == 1, f'{name}: {before!r} stands {whole.count(before)} times'
    path.write_text(whole.replace(before, before + text))


def built(root):
    """The program from a copy of the sources with the entries."""
    for name in ('CMakeLists.txt', 'cmake', 'docs', 'generator', 'templates', 'catalog'):
        copy = shutil.copytree if (SOURCE / name).is_dir() else shutil.copy
        copy(SOURCE / name, root / name)
    for entry in (THE_TIER, THE_COLUMN, *ITS_PLACES):
        insert(root, *entry)
    folder = root / 'build'
    run('cmake', '-S', root, '-B', folder, '-G', 'Ninja', '-DCMAKE_CXX_COMPILER=clang++', '-DCMAKE_BUILD_TYPE=None',
        '-DCMAKE_CXX_FLAGS=-O0 -g1 -fno-omit-frame-pointer -fsanitize=thread', '-DSIZESHEET_UNITY=ROOM')
    run('cmake', '--build', folder, '--target', 'sizesheet')
    return folder / 'sizesheet'


def run(*words, codes=(0,)):
    environment = {name: value for name, value in os.environ.items() if name != 'SOURCE_DATE_EPOCH'}
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment)
    assert done.returncode in codes, f'{words}: {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}'
    return done.stdout


def edit(path, change):
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def add_price(prices):
    prices['rows'].append({'gpu': 'h100-sxm', 'region': 'us-east-1', 'instance': 'p5.48xlarge', 'gpus': 8, 'tier': TIER,
                           'offer': 'list', 'usd_per_instance_hour': 40, 'as_of': '2026-11-01', 'source': 'made up for a test'})


def few(sheet):
    """One GPU and two models are enough to look at."""
    for of_other_models in ('handout', 'plan'):
        sheet.pop(of_other_models, None)
    sheet.update(models=sheet['models'][:2], gpus=['h100-sxm'], highlight_model=sheet['models'][1]['id'])


def dearer_colocation(rates):
    value = next(rate for rate in rates['rates'] if rate['id'] == 'colo-usd-per-kw-month')['value']
    assert value['typical'] < value['high']
    value['typical'] = value['high']


def workbook_cells(path, sheet):
    """(column, text or figure) of every cell that has one."""
    with zipfile.ZipFile(path) as book:
        words = [html.unescape(re.sub('<[^>]*>', '', text)) for text in
                 re.findall('<si>(.*?)</si>', book.read('xl/sharedStrings.xml').decode(), re.S)]
        cells = re.findall(r'<c r="([A-Z]+)\d+"([^>]*?)(?:/>|>(.*?)</c>)', book.read(sheet_parts(book)[sheet]).decode(), re.S)
    for letters, how, body in cells:
        value = re.search('<v>(.*?)</v>', body)
        if value:
            yield letters, words[int(value[1])] if 't="s"' in how else value[1] if 't="str"' in how else float(value[1])


class Found:
    """Holds what each form says of a figure against sheet.json."""

    def __init__(self, edition):
        self.edition = edition
        self.rows = [row for row in json.loads((edition / 'sheet.json').read_text())['rows'] if row['own']]
        with open(edition / 'sheet.csv', newline='', encoding='utf-8') as file:
            self.csv = {line['model_id'] + '/' + line['method_id'] + '/' + line['gpu_id'] + '/' + line['scenario_id']: line
                        for line in csv.DictReader(file)}
        assert self.rows, 'no row can be bought'

    def tier(self):
        for row in self.rows:
            rent = row['rent'][TIER]
            hour, month = rent['usd_per_hour'], rent['usd_per_month']
            assert 0 < hour < month, rent
            assert row[f'{TIER}_usd_per_hour'] == hour
            line = self.csv[row['key']]
            assert (float(line[f'{TIER}_usd_per_hour']), float(line[f'{TIER}_usd_per_month'])) == (hour, month), line
            assert any(term['name'] == f'{TIER}_usd_per_month' and term['title'].startswith('Rent on a term of 2y')
                       for term in row['cost_terms'])
        said = {value for column, value in workbook_cells(self.edition / 'sheet.xlsx', 'Rent vs buy')}
        assert TITLE in said and {row['rent'][TIER]['usd_per_month'] for row in self.rows} <= said, 'the workbook'
        charges = (self.edition / 'charges.csv').read_text()
        assert charges.count(f'/{TIER}/') >= len(self.rows), 'charges.csv'
        pages = ''.join(path.read_text() for path in self.edition.glob('models/*.html'))
        assert f'{TITLE}, $/month' in pages, 'the pages of models'

    def column(self):
        figures = {row['key']: row[COLUMN] for row in self.rows}
        assert figures == {row['key']: row['own'][MEMBER] for row in self.rows}
        assert figures == {key: float(self.csv[key][COLUMN]) for key in figures}
        cells = list(workbook_cells(self.edition / 'sheet.xlsx', 'Sizing'))
        place = [column for column, value in cells if value == 'Own, fixed']
        assert len(place) == 1, 'the workbook'
        in_workbook = [value for column, value in cells if column == place[0] and isinstance(value, float)]
        assert sorted(figures.values()) == sorted(in_workbook), 'the workbook'
        page = (self.edition / 'rows.html').read_text()
        assert '<th scope="col">Own, fixed</th>' in page
        written = [cell for cell in re.findall('<td class="fixed">(.*?)</td>', page) if cell[0].isdigit()]
        whole = sorted(f'{round(figure):,}' for figure in figures.values())
        assert sorted(written) == whole, (written, whole)
        paper = run('pdftotext', '-layout', self.edition / 'sheet.pdf', '-')
        on_paper = {f'{float(f"{figure:.3g}"):,.0f}' for figure in figures.values() if figure >= 100}
        assert 'fixed' in paper and on_paper & set(paper.split()), paper


def main():
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        program = built(root)
        catalog, sheet = root / 'catalog', root / 'catalog/sheets/quarterly.json'
        edit(catalog / 'prices/aws.json', add_price)
        edit(sheet, few)
        run(program, 'build', '--catalog', catalog, '--out', root / 'edition')
        found = Found(root / 'edition')
        found.tier()
        found.column()
        edit(catalog / 'purchase/rates.json', dearer_colocation)
        changes = json.loads(run(program, 'diff', root / 'edition/sheet.json', catalog, '--format', 'json', codes=(0, 1)))
        moved = [change for change in changes['changes'] if 'spread_moved' in (change['kind'], *change.get('also', ()))]
        assert len(moved) >= len(found.rows), 'the comparison does not tell the column'
        print(f'one tier and one column in every form, {len(found.rows)} rows')
        return threads.main(program, SOURCE / 'catalog')


sys.exit(main())
