# SPDX-License-Identifier: Apache-2.0
"""Whether to rent or to buy is one word of a model and method in every form of an edition:
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
WORDS = ('buy', 'rent', 'close')


def word_of(advice, close):
    return 'close' if close in (True, 'true', 'yes', 'close') else advice or '–'


def of_csv(directory, first):
    """The same on every line of a model and method."""
    with open(directory / 'sheet.csv', newline='', encoding='utf-8') as file:
        for line in csv.DictReader(file):
            if line['scenario_id'] == first and line['verdict'] in HOLDS:
                yield line['model_id'], line['method_id'], word_of(line['advice'], line['close'])


def shown(element):
    """The word that a reader sees behind its mark."""
    words = [word for word in element.text().split() if word in WORDS]
    return words[0] if words else '–'


def of_page(path, inside, key):
    """The advice cells of a page that stand in an element with the attribute `inside`; `key` takes the pair from it."""
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
    """The last word of each line of the table, which has the models and methods in their order."""
    text = subprocess.run(['pdftotext', '-layout', directory / 'sheet.pdf', '-'], capture_output=True, text=True,
                          check=True).stdout
    table = text.partition('h/month')[2].partition('How to read it')[0]
    words = [match[1] for match in re.finditer(r'\s(buy|rent|close|–)$', table, re.M)]
    assert len(words) == len(pairs), f'sheet.pdf: {len(words)} lines end in a word of advice, expected {len(pairs)}'
    return [(*pair, word) for pair, word in zip(pairs, words)]


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


def of_sizing(directory, sheet, first):
    """The sheet Sizing, which has a line a row of sheet.json."""
    columns, rows = table_below(list(workbook_lines(directory / 'sheet.xlsx', 'Sizing')), 'Rent or buy')
    assert len(rows) == len(sheet['rows']), f'Sizing: {len(rows)} lines, expected {len(sheet["rows"])}'
    for row, line in zip(sheet['rows'], rows):
        if row['scenario'] == first and row['verdict'] in HOLDS:
            yield row['model'], row['method'], word_of(line.get(columns['Rent or buy']),
                                                       line.get(columns['Within 10 %']))


def of_answer(directory, sheet):
    """The sheet Answer, which has a line a pick."""
    columns, rows = table_below(list(workbook_lines(directory / 'sheet.xlsx', 'Answer')), 'Advice')
    assert len(rows) == len(sheet['picks']), f'Answer: {len(rows)} lines, expected {len(sheet["picks"])}'
    for pick, line in zip(sheet['picks'], rows):
        yield pick['model'], pick['method'], line.get(columns['Advice']) or '–'


def main(directory):
    directory = pathlib.Path(directory)
    sheet = json.loads((directory / 'sheet.json').read_text())
    first = sheet['scenarios'][0]['id']
    models = sheet['options']['handout_models'] or [model['id'] for model in sheet['models']]
    pairs = [(model, method['id']) for model in models for method in sheet['methods']]
    cards = {f"{method['id']}-h": method['id'] for method in sheet['methods']}
    expected = {(pick['model'], pick['method']): word_of((pick['own'] or {}).get('advice'), (pick['own'] or {}).get('close'))
                for pick in sheet['picks']}
    forms = {'sheet.csv': list(of_csv(directory, first)),
             'sheet.pdf': of_pdf(directory, pairs),
             'sheet.xlsx, Sizing': list(of_sizing(directory, sheet, first)),
             'sheet.xlsx, Answer': list(of_answer(directory, sheet)),
             'index.html': list(of_page(directory / 'index.html', 'data-method', lambda row: next(
                 pair for pair in expected if row.get('id') == 'm-' + '-'.join(pair)))),
             'own.html': of_rows(directory / 'own.html', sheet['rows'])}
    for model in sheet['models']:
        page = f"models/{model['id']}.html"
        forms[page] = list(of_page(directory / page, 'aria-labelledby', lambda part, of=model: (
            (of['id'], cards[part.get('aria-labelledby')]) if part.get('aria-labelledby') in cards else None)))
    for gpu in sheet['gpus']:
        page = f"gpus/{gpu['id']}.html"
        forms[page] = of_rows(directory / page, sheet['rows'])
    faults = 0
    for form, said in forms.items():
        if not said:
            print(f'{form}: has no word of advice')
            faults += 1
        for model, method, word in said:
            if word != expected[model, method]:
                print(f'{form}: {model}, {method}: says {word}, sheet.json {expected[model, method]}')
                faults += 1
    print(f"{sum(map(len, forms.values()))} words of advice in {len(forms)} forms, {faults} others than in sheet.json")
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
