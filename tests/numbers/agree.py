# SPDX-License-Identifier: Apache-2.0
"""Two places of an edition never answer the same question differently. Walks every page, the text of the handout, the
workbook and the CSV for what they say of a job (what is rented, on what machine it is owned, from when owning pays) and of
a set-up (hours, dollars, memory, fewest GPUs), and compares what is said with each other:
    python3 agree.py EDITION            fails where two places disagree
    python3 agree.py EDITION --planted  plants contradictions by hand, one at a time, and fails where one is not found
"""

import collections
import csv
import io
import json
import pathlib
import re
import subprocess
import sys

from advice_word import workbook_lines
from page_tree import Element, read_page

# A head of a column, or of a line, and the question that it answers.
HEADS = {
    'Hours': 'hours', '$/run': 'dollars', '$ per run': 'dollars', 'Cheaper to own from, h per month': 'pays from',
    'Cheaper to own from': 'pays from', 'Machine': 'machine',
    'Machine to own': 'machine', 'Set-up': 'rented', 'GiB per GPU': 'memory', 'Total': 'memory', 'Own, $/run (90 % range)': 'own run',
    'Fewest GPUs needed': 'fewest', 'On demand, $/run': 'dollars', 'One run, rented': 'dollars',
    'Time (90 % range)': 'hours', 'Own': 'own line'}
OF_A_JOB = {'pays from', 'machine', 'rented', 'own run'}
NUMBER = re.compile(r'−?\d[\d,]*(?:\.\d+)?')


def said(element):
    return ' '.join(element.text().split())


def shown(element):
    """What is read by sight: without words for screen readers."""
    parts = (c if isinstance(c, str) else '' if 'vh' in c.classes() else shown(c) for c in element.children)
    return ' '.join(' '.join(parts).split())


class Edition:
    def __init__(self, directory):
        self.directory = directory
        self.sheet = json.loads((directory / 'sheet.json').read_text())
        self.rows = {row['key']: row for row in self.sheet['rows']}
        self.first = self.sheet['scenarios'][0]['id']
        self.gpus = {gpu['short_name']: gpu['id'] for gpu in self.sheet['gpus']}
        self.methods = {method['short_title']: method['id'] for method in self.sheet['methods']}
        self.sizes = {model['size']: model['id'] for model in self.sheet['models']}
        self.titles = {model['title']: model['id'] for model in self.sheet['models']}
        self.jobs = {(pick['model'], pick['method']) for pick in self.sheet['picks']}
        self.machines = {machine['title']: machine for machine in self.sheet['machines']}
        self.pages = {str(path.relative_to(directory)): path.read_text() for path in sorted(directory.rglob('*.html'))}
        self.csv = (directory / 'sheet.csv').read_text()
        self.workbook = list(workbook_lines(directory / 'sheet.xlsx', 'Answer'))
        self.handout = subprocess.run(['pdftotext', '-layout', directory / 'sheet.pdf', '-'], capture_output=True,
                                      text=True, check=True).stdout

    def set_up(self, text):
        """(GPU type, GPUs) of "8 × B200?"; None for another text."""
        found = re.match(r'~?([\d,]+)\s×\s(.*)', text)
        if not found:
            return None
        name = next((n for n in sorted(self.gpus, key=len, reverse=True) if found.group(2).startswith(n)), None)
        return (self.gpus[name], int(found.group(1).replace(',', ''))) if name else None

    def machine(self, text):
        """(GPU type, GPUs) of a machine: "8 × H100, used", "8x H100 SXM node, used", "2 × 8x H100 SXM node"."""
        if self.set_up(text):
            return self.set_up(text)
        found = re.match(r'(?:([\d,]+) × )?(.*)', text)
        title = next((t for t in sorted(self.machines, key=len, reverse=True) if found.group(2).startswith(t)), None)
        each = title and re.match(r'(\d+)x', title)
        if not each:
            return None
        return self.machines[title]['gpu'], int((found.group(1) or '1').replace(',', '')) * int(each.group(1))

    def job_of(self, place, subject):
        """The model and method that a line of a table or a card is about."""
        key = place.get('data-row') or place.get('data-key')
        if key in self.rows:
            row = self.rows[key]
            return (row['model'], row['method'], row['gpu']) if row['scenario'] == self.first else None
        name = place.get('id')
        for model, method in self.jobs:
            if name in (f'm-{model}/{method}', f'j-{model}/{method}') or (subject == model and name == method):
                return model, method, ''
        if name.rpartition('/')[2] == self.first and name in self.rows:
            row = self.rows[name]
            return row['model'], row['method'], row['gpu']
        return None


class Claims:
    """What is said of each question, by place."""

    def __init__(self):
        self.of = collections.defaultdict(list)

    def add(self, question, subject, value, place):
        if value not in (None, '', '–'):
            self.of[question, subject].append((value, place))

    def number(self, question, subject, text, place):
        found = NUMBER.search(text.replace('~', ''))
        if 'never' in text:
            self.add(question, subject, 'never', place)
        elif found:
            self.add(question, subject, found.group().replace(',', ''), place)

    def contradictions(self):
        for (question, subject), values in sorted(self.of.items(), key=str):
            first, where = max(values, key=lambda one: len(str(one[0])))
            for value, place in values:
                if not agree(value, first):
                    yield f'{question} of {" ".join(map(str, subject))}: {show(first)} ({where}), {show(value)} ({place})'


def show(value):
    return ' × '.join(map(str, reversed(value))) if isinstance(value, tuple) else value


def step(text):
    return 10.0 ** -len(text.partition('.')[2])


def agree(one, other):
    """Whether two texts can be the same figure, each rounded as it is printed; large amounts have two digits."""
    if isinstance(one, tuple) or isinstance(other, tuple) or 'never' in (one, other):
        return one == other
    a, b = float(one), float(other)
    return abs(a - b) <= 0.5001 * (step(one) + step(other))


def tables(root):
    return (element for element in root.walk() if element.tag == 'table')


def cells(line):
    return [c for c in line.children if isinstance(c, Element) and c.tag in ('td', 'th')]


def lines_of(table, part):
    return [line for body in table.walk() if body.tag == part for line in body.walk() if line.tag == 'tr']


def heads_of(table):
    lines = [line for line in lines_of(table, 'thead') if 'sub' not in line.classes() and 'groups' not in line.classes()]
    return [' '.join((head.get('data-name') or said(head)).split()) for head in cells(lines[-1])] if lines else []


def put(edition, claims, question, job, set_up, text, place):
    """One cell: of a job, or of the set-up in its line."""
    model, method, gpu = job
    own_line = gpu != ''  # of one GPU type, where a job has a row for each
    if question == 'rented':
        if not own_line:
            claims.add(question, (model, method), edition.set_up(text), place)
    elif question == 'machine':
        claims.add(question, (model, method), edition.machine(text), place)
    elif question in OF_A_JOB:
        claims.number(question, (model, method), text, place)
    elif set_up:
        claims.number(question, (model, method, *set_up), text, place)


def of_line(edition, claims, heads, line, job, place):
    texts = [shown(cell) for cell in cells(line)]
    pairs = [(head, text) for i, (head, text) in enumerate(zip(heads, texts)) if head not in heads[:i]]  # a service has dollars too
    set_up = next((edition.set_up(text) for head, text in pairs if HEADS.get(head) == 'rented' and edition.set_up(text)), None)
    for head, text in pairs:
        if head in HEADS:
            put(edition, claims, HEADS[head], job, set_up, text, place)


def of_methods(edition, claims, table, model, place):
    """A table with a column a method, or a line a method, on the page of a model."""
    heads = heads_of(table)
    columns = [edition.methods.get(head.partition(' ')[0]) for head in heads]
    for line in lines_of(table, 'tbody'):
        texts = [shown(cell) for cell in cells(line)]
        question = HEADS.get(texts[0]) if texts else None
        for method, text in zip(columns, texts):
            if method and question:
                put(edition, claims, question, (model, method, ''), None, text, f'{place}, {texts[0]}')
        method = edition.methods.get(texts[0]) if texts else None
        if method and heads[0] == 'Method':
            pick = picked(edition, model, method)
            for head, text in zip(heads, texts):
                if head in HEADS and HEADS[head] not in OF_A_JOB and pick:
                    put(edition, claims, HEADS[head], (model, method, ''), pick, text, f'{place}, {head}')


def picked(edition, model, method):
    pick = next(p for p in edition.sheet['picks'] if (p['model'], p['method']) == (model, method))
    row = edition.rows.get(pick['rent_pick'])
    return (row['gpu'], row['layout']['gpus']) if row else None


def of_choice(edition, claims, table, model, place):
    """The set-ups of one method, named in the caption."""
    title = next((said(e) for e in table.walk() if e.tag == 'caption'), '')
    method = next((m for name, m in edition.methods.items() if title.startswith((name + ' on every', name + ': the counts'))), None)
    heads = heads_of(table)
    for line in lines_of(table, 'tbody') if method else []:
        set_up = edition.set_up(shown(cells(line)[0]))
        for head, cell in zip(heads[1:], cells(line)[1:]):
            if set_up and HEADS.get(head) in ('hours', 'dollars'):
                put(edition, claims, HEADS[head], (model, method, ''), set_up, shown(cell), f'{place}, {title}')


def of_card(edition, claims, card, job, place):
    set_up = next((edition.set_up(shown(e)) for e in card.walk() if 'card-setup' in e.classes()), None)
    claims.add('rented', job[:2], set_up, place)
    memory = re.search(r'\(([\d.,]+) of [\d.,]+\sGiB per GPU\)', said(card))
    if memory and set_up:
        claims.add('memory', (*job[:2], *set_up), memory.group(1).replace(',', ''), place)
    for line in card.walk():
        parts = [c for c in line.children if isinstance(c, Element)]
        if [c.tag for c in parts] == ['dt', 'dd']:
            title, text = shown(parts[0]), shown(parts[1])
            of_answer(edition, claims, title, text, job, place)
            question = HEADS.get(title)
            if question and question not in ('fewest', 'own line') and set_up:
                put(edition, claims, question, job, set_up, text.replace('$', ''), f'{place}, {title}')


def of_answer(edition, claims, title, text, job, place):
    """A line of an answer: "8 × H100, used, $160,000: $37 per run at 438 h per month; owning is cheaper from 339 h per
    month"."""
    if title in ('Second source', 'Faster', 'Cheaper on average') and edition.set_up(text):
        figures = re.search(r': \$([\d,.]+) \([^)]*\), ~?([\d.,]+)\sh', text)
        if figures:
            subject = (*job[:2], *edition.set_up(text), re.search(r' from (.*?):', text).group(1))
            claims.number('dollars from', subject, figures.group(1), place)
            claims.number('hours from', subject, figures.group(2), place)
    if title.startswith('Own') and '; owning is ' in text:
        claims.add('machine', job[:2], edition.machine(text), place)
        run, hours = re.search(r'\$([\d,.]+) per run', text), re.search(r'owning is cheaper from ([\d,]+)', text)
        if run:
            claims.number('own run', job[:2], run.group(1), place)
        if hours or 'never cheaper' in text:
            claims.number('pays from', job[:2], hours.group(1) if hours else 'never', place)
    elif title.startswith('Own, ') and edition.machine(title[5:]):
        claims.add('machine', job[:2], edition.machine(title[5:]), place)


def of_counts(edition, claims, root, page):
    """The fewest GPUs of a type: of the cells of the matrix."""
    for cell in root.walk():
        key = cell.get('id').split('/')
        if cell.tag == 'td' and len(key) == 3:
            claims.number('fewest', tuple(key), shown(cell), page)


def of_page(edition, claims, page, markup):
    root = read_page(markup)
    subject = page.removeprefix('models/').removesuffix('.html') if page.startswith('models/') else ''
    for place in root.walk():
        job = edition.job_of(place, subject) if place.tag in ('tr', 'section') else None
        if job and place.tag == 'section':
            of_card(edition, claims, place, job, f'{page}, card')
        elif job:
            table = next(a for a in place.ancestors() if a.tag == 'table')
            of_line(edition, claims, heads_of(table), place, job, page)
    if subject:
        for table in tables(root):
            of_methods(edition, claims, table, subject, page)
            of_choice(edition, claims, table, subject, page)
    for box in root.walk():
        if box.get('id') == 'box-page':
            model, _, method = box.get('href').removeprefix('models/').partition('.html#')
            for line in (e for e in root.walk() if e.tag == 'div' and e.parent.get('id') == 'box-lines'):
                title, text = [shown(c) for c in line.children if isinstance(c, Element)]
                of_answer(edition, claims, title, text, (model, method, ''), f'{page}, box')
    of_counts(edition, claims, root, page)
    of_sentences(edition, claims, said(root), page)


def of_sentences(edition, claims, text, place):
    """"70B full from 352 h (8 × B200 for $480,000)"."""
    sizes = '|'.join(re.escape(size) for size in sorted(edition.sizes, key=len, reverse=True))
    for size, method, hours, rest in re.findall(rf'\b({sizes}) (full|LoRA|QLoRA)(?: only)? from ([\d,]+) h((?: \([^)]*\))?)', text):
        job = edition.sizes[size], edition.methods[method]
        claims.number('pays from', job, hours, f'{place}, a sentence')
        if rest:
            claims.add('machine', job, edition.machine(rest.strip(' ()')), f'{place}, a sentence')


def of_csv(edition, claims):
    for line in csv.DictReader(io.StringIO(edition.csv)):
        if line['scenario_id'] != edition.first or line['verdict'] not in ('fits', 'tight'):
            continue
        job = line['model_id'], line['method_id']
        if line.get('buy_against_usd_per_run'):
            hours = line['buy_from_hours_per_month']
            claims.add('pays from', job, f'{float(hours):.0f}' if hours not in ('', 'never') else 'never', 'sheet.csv')


def of_workbook(edition, claims):
    for line in edition.workbook:
        job = edition.titles.get(line.get('A')), edition.methods.get(line.get('B'))
        if job in edition.jobs:
            claims.add('rented', job, edition.set_up(line.get('C', '')), 'sheet.xlsx, Answer')
            claims.add('machine', job, edition.machine(line.get('L', '')), 'sheet.xlsx, Answer')


def of_handout(edition, claims):
    """Its lines have the models and methods in their order; the first set-up of a line is the one to rent."""
    models = edition.sheet['options']['handout_models'] or list(edition.sizes.values())
    pairs = [(model, method['id']) for model in models for method in edition.sheet['methods']]
    found = re.findall(r'^[^\n]{0,40}?\b(?:full|LoRA|QLoRA)\s{2,}[^\n]*?\s(\d+ × [^\n]*)', edition.handout, re.M)
    if len(found) >= len(pairs):
        for job, text in zip(pairs, found):
            claims.add('rented', job, edition.set_up(text), 'sheet.pdf')
    of_sentences(edition, claims, ' '.join(edition.handout.split()), 'sheet.pdf')


def claims_of(edition):
    claims = Claims()
    for page, markup in edition.pages.items():
        of_page(edition, claims, page, markup)
    of_csv(edition, claims)
    of_workbook(edition, claims)
    of_handout(edition, claims)
    return claims


def planted(edition):
    """(what, edition with it): contradictions that people once met."""
    model = edition.sheet['options']['highlight_model']
    page = f'models/{model}.html'
    whole = edition.pages[page]

    def put_in(pattern, change, name=page, text=whole):
        found = re.search(pattern, text, re.S)
        assert found, f'{name} has no {pattern}'
        edition.pages[name] = text[:found.start(1)] + change(found.group(1)) + text[found.end(1):]

    def more(number):
        return str(int(number.replace(',', '')) + 40)

    yield 'another machine in the card than in the table', lambda: put_in(
        r'<dt>Own, \d+\W+([A-Z]\w*)', lambda name: 'L40S' if name != 'L40S' else 'H100')
    yield 'another break-even in the table', lambda: put_in(
        r'Cheaper to own from, h per month</th><td[^>]*>([\d,]+)<', more)
    index = edition.pages['index.html']
    yield 'other dollars of a set-up on the first page', lambda: put_in(
        rf'id="j-{re.escape(model)}/full".*?class="answer" data-v="[^"]*">\$([\d,]+)<', more, 'index.html', index)
    yield 'other memory of a set-up', lambda: put_in(r'\(([\d.]+) of [\d.]+\sGiB per GPU\)', lambda number: str(float(number) + 3))
    needed = edition.pages['gpus-needed.html']
    yield 'another set-up to rent among the counts', lambda: put_in(
        rf'id="m-{re.escape(model)}/full".*?class="left gap setup"[^>]*><strong>(\d+)', more, 'gpus-needed.html', needed)


def main(directory, how=''):
    edition = Edition(pathlib.Path(directory))
    claims = claims_of(edition)
    faults = list(claims.contradictions())
    for fault in faults:
        print(fault)
    several = sum(len({place for _, place in values}) > 1 for values in claims.of.values())
    print(f'{sum(map(len, claims.of.values()))} answers to {len(claims.of)} questions, {several} of them in several places, '
          f'{len(faults)} contradictions')
    missed = 0
    for what, plant in planted(edition) if how == '--planted' else ():
        kept = dict(edition.pages)
        plant()
        again = Claims()  # only the page that was changed is read again
        changed = [page for page in kept if edition.pages[page] != kept[page]]
        for key, values in claims.of.items():
            again.of[key] = [one for one in values if not one[1].startswith(tuple(changed))]
        for page in changed:
            of_page(edition, again, page, edition.pages[page])
        again.of = {key: values for key, values in again.of.items() if values}
        found = [fault for fault in again.contradictions() if fault not in faults]
        edition.pages = kept
        print(f'planted: {what}: ' + (f'found, {found[0]}' if found else 'NOT FOUND'))
        missed += not found
    return 1 if faults or missed or not several else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
