# SPDX-License-Identifier: Apache-2.0
"""From how many hours owning pays is one figure of a model and method in every form of an edition, and the word rent,
close or buy stands behind it only where a demand is stated:
    python3 advice_word.py EDITION
"""

import csv
import html
import json
import pathlib
import re
import subprocess
import sys
import zipfile

from page_tree import read_page

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'xlsx'))
from workbook import sheet_parts  # noqa: E402

HOLDS = ('fits', 'tight')  # any other row says nothing

def pays_from(hours, compared, word):
    """As a cell has it: "214", "never", "214, buy"."""
    figure = '–' if not compared else 'never' if hours in (None, '', 'never') else f'{float(hours):,.0f}'
    return figure + (f', {word}' if word else '')


def of_csv(directory, first):
    """The same on every line of a model and method."""
    with open(directory / 'sheet.csv', newline='', encoding='utf-8') as file:
        for line in csv.DictReader(file):
            if line['scenario_id'] == first and line['verdict'] in HOLDS:
                yield line['model_id'], line['method_id'], pays_from(
                    line['buy_from_hours_per_month'], line['buy_against_usd_per_run'], line['decision'])


def shown(element):
    """What a reader sees."""
    return ' '.join(element.text().split())


def of_page(path, inside, key):
    """The cells of a page that say from when owning pays, in an element with the attribute `inside`; `key` takes the pair
    from it."""
    for cell in read_page(path.read_text()).walk():
        if 'advice' not in cell.classes():
            continue
        around = next((a for a in cell.ancestors() if a.get(inside)), None)
        pair = key(around) if around else None
        if pair and cell.tag in ('td', 'dd'):
            yield *pair, shown(cell)


def of_rows(path, rows):
    """Of tables with a line a row of sheet.json, those that hold."""
    held = {row['key']: (row['model'], row['method']) for row in rows if row['verdict'] in HOLDS}
    return list(of_page(path, 'data-row', lambda line: held.get(line.get('data-row'))))


def of_pdf(directory, pairs):
    """Of each line of the table, which has the models and methods in their order: hours, the plan's word, and behind them
    the price of a service."""
    text = subprocess.run(['pdftotext', '-layout', directory / 'sheet.pdf', '-'], capture_output=True, text=True,
                          check=True).stdout
    table = text.partition('even, h')[2].partition('break-even')[0]
    found = re.findall(r'\s~?([\d,]+|never|–)(?:\s+(buy|rent|close))?\s+(?:[\d,.]+|–)(?:\s[kM])?$', table, re.M)
    assert len(found) == len(pairs), f'sheet.pdf: {len(found)} lines end in hours and a service, expected {len(pairs)}'
    return [(*pair, hours + (f', {word}' if word else '')) for pair, (hours, word) in zip(pairs, found)]


def workbook_lines(path, sheet):
    """The lines of a sheet of the workbook: column -> what it says, constants and results of formulas alike."""
    with zipfile.ZipFile(path) as archive:
        texts = [html.unescape(''.join(re.findall(r'<t[^>]*>([^<]*)</t>', one)))
                 for one in re.findall(r'<si>(.*?)</si>', archive.read('xl/sharedStrings.xml').decode(), re.S)]
        cells = archive.read(sheet_parts(archive)[sheet]).decode()
    for line in re.findall(r'<row .*?</row>', cells, re.S):
        yield {column: texts[int(value)] if kind == 's' else value for column, kind, value in
               re.findall(r'<c r="([A-Z]+)\d+"[^>]*? t="(s|str)"[^>]*>(?:<f>[^<]*</f>)?<v>([^<]*)</v>', line)}


def table_below(lines, heading):
    """Column of each heading, and the lines under the one that has `heading`."""
    head = next(i for i, line in enumerate(lines) if heading in line.values())
    return {title: column for column, title in lines[head].items()}, lines[head + 2:]


def of_answer(directory, sheet):
    """The sheet Answer, which has a line a pick and, below, one of the whole quarter."""
    columns, rows = table_below(list(workbook_lines(directory / 'sheet.xlsx', 'Answer')), 'h per month')
    assert len(rows) == len(sheet['picks']) + 1, f'Answer: {len(rows)} lines, expected {len(sheet["picks"])} and a total'
    for pick, line in zip(sheet['picks'], rows):
        yield pick['model'], pick['method'], line.get(columns.get('By the plan')) or ''


def main(directory):
    directory = pathlib.Path(directory)
    sheet = json.loads((directory / 'sheet.json').read_text())
    first = sheet['scenarios'][0]['id']
    models = sheet['options']['handout_models'] or [model['id'] for model in sheet['models']]
    pairs = [(model, method['id']) for model in models for method in sheet['methods']]

    def cell(own):
        own = own or {}
        return pays_from(own.get('break_even_hours_per_month'), own.get('rent_usd_per_run') is not None,
                         own.get('decision'))

    expected = {(pick['model'], pick['method']): cell(pick['own']) for pick in sheet['picks']}
    words = {pair: said.partition(', ')[2] for pair, said in expected.items()}
    stated = sheet['plan'] and not sheet['plan']['demand']['example']
    assert stated or not any(words.values()), 'a word of advice without a stated demand'
    forms = {'sheet.csv': list(of_csv(directory, first)),
             'sheet.pdf': of_pdf(directory, pairs),
             'index.html': list(of_page(directory / 'index.html', 'data-method', lambda row: next(
                 pair for pair in expected if row.get('id') == 'j-' + '/'.join(pair)))),
             'gpus-needed.html': list(of_page(directory / 'gpus-needed.html', 'data-method', lambda row: next(
                 pair for pair in expected if row.get('id') == 'm-' + '/'.join(pair)))),
             'own.html': of_rows(directory / 'own.html', sheet['rows'])}
    for model, method, word in of_answer(directory, sheet):
        assert word == words[model, method], f'sheet.xlsx, Answer: {model}, {method}: {word}'
    for gpu in sheet['gpus']:
        page = f"gpus/{gpu['id']}.html"
        forms[page] = of_rows(directory / page, sheet['rows'])
    faults = 0
    for form, said in forms.items():
        if not said:
            print(f'{form}: says nowhere from when owning pays')
            faults += 1
        for model, method, word in said:
            if word != expected[model, method]:
                print(f'{form}: {model}, {method}: says {word}, sheet.json {expected[model, method]}')
                faults += 1
    print(f"{sum(map(len, forms.values()))} cells in {len(forms)} forms, {faults} others than in sheet.json")
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
