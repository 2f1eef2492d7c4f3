# SPDX-License-Identifier: Apache-2.0
"""sheet.json cut into the parts that places on pages are about."""

import json
import re

import derived
from figures import Figures

NAMES = ('id', 'title', 'name', 'short_name', 'tiny_name', 'size', 'short_note', 'short_title')


SECTIONS = {  # pages about a part of the sheet; any other page is about all of it
    'accuracy.html': ('accuracy',),
    'changes.html': ('changes', 'rows'),
    'frameworks.html': ('frameworks', 'advice', 'worksheets'),
    'guides.html': ('guides', 'guide_differences', 'worksheets'),
    'plan.html': ('plan',),
    'own.html': ('picks', 'ownership', 'rates', 'purchase_nodes', 'machines'),
    'advice.html': ('advice', 'rows', 'models', 'gpus'),
    'prices.html': ('prices', 'gpus', 'price_histories', 'rates', 'purchase_nodes', 'machines'),
}


def slug(text):
    return re.sub('[^A-Za-z0-9]', '-', text)


class Edition:
    def __init__(self, directory, templates):
        self.directory = directory
        self.sheet = json.loads((directory / 'sheet.json').read_text())
        self.rows = {row['key']: row for row in self.sheet['rows']}
        self.month = self.sheet['options']['hours_per_month']
        self.first = self.sheet['scenarios'][0]['id'] if self.sheet['scenarios'] else ''
        self.templates = {path.stem: path.read_text() for path in templates.glob('*.mustache')}
        self.bills = {(row['model'], self.bill_id(row)): key for key, row in self.rows.items()}
        self.prices = {'price-' + slug(price['key']): price for price in self.sheet['prices']}
        self.matrix = {f"{page}-{model['id']}/{method['id']}": (model['id'], method['id']) for page in 'mj'
                       for model in self.sheet['models'] for method in self.sheet['methods']}
        self.cache = {}
        names = [[entry.get(field, '') for field in NAMES]
                 for part in ('models', 'methods', 'gpus', 'scenarios') for entry in self.sheet[part]]
        self.names = {name for entry in names for name in entry if name}
        self.names |= {f"{model['size']} {model.get('short_note', '')}".strip() for model in self.sheet['models']}
        self.common = Figures(names, self.sheet['meta'], self.sheet['options'], self.sheet['scenarios'])

    def bill_id(self, row):
        tail = '' if row['scenario'] == self.first else '-' + row['scenario']
        return f"bill-{row['method']}-{row['gpu']}{tail}"

    def part(self, name, make):
        if name not in self.cache:
            self.cache[name] = make()
        return self.cache[name]

    def entries(self, part, **fields):
        found = self.sheet[part] or []
        return [e for e in found if all(e[name] == value for name, value in fields.items())]

    # -- parts -----------------------------------------------------------------------------------

    def whole(self):
        return self.part('whole', lambda: Figures(
            self.sheet, derived.of_decision(self.sheet['picks']), derived.of_certain(self.sheet), derived.of_two_digits(self.sheet['picks']), derived.of_cards([self.sheet['worksheets'], self.sheet['advice']]), parents=(self.common,)))

    def sections(self, page):
        shown = [self.row(key) for key in self.rows if page == 'own.html' and
                 key.startswith(self.sheet['options']['highlight_model'] + '/')]
        return self.part(page, lambda: Figures(
            [self.sheet[name] for name in SECTIONS[page]], self.worked_out(page), parents=shown + [self.common]))

    def worked_out(self, page):
        rules = {'accuracy.html': derived.of_accuracy, 'advice.html': derived.of_advice, 'changes.html': derived.of_changes,
                 'frameworks.html': derived.of_frameworks, 'guides.html': derived.of_guides, 'plan.html': derived.of_plan,
                 'prices.html': derived.of_used}
        own = rules[page](self.sheet[SECTIONS[page][0]]) if page in rules else []
        if page == 'prices.html':
            own += derived.of_histories(self.sheet['price_histories'])
        return own + derived.of_cards([self.sheet[name] for name in SECTIONS[page]])

    def row(self, key):
        return self.part('row ' + key, lambda: self.make_row(self.rows[key]))

    def make_row(self, row):
        cell = {'model': row['model'], 'method': row['method']}
        picks = self.entries('picks', **cell)
        about = [row, derived.of_row(row, self.month), picks, derived.of_second(picks, self.rows)]
        about += [self.entries(part, row_key=row['key']) for part in ('offers', 'series', 'what_if')]
        about.append([e for e in (self.sheet['ownership'] or {}).get('uses', []) if e['row_key'] == row['key']])
        about += [self.entries('gpus', id=row['gpu']), self.entries('models', id=row['model'])]
        return Figures(*about, parents=(self.common,))

    def row_and_twins(self, key):
        """With the same cell under the other stacks, which a line may compare it to."""
        cell = key.rpartition('/')[0] + '/'
        twins = [self.row(other) for other in self.rows if other.startswith(cell)]
        return self.part('twins ' + cell, lambda: Figures(parents=twins))

    def model(self, model, method=None):
        name = f'model {model} {method or ""}'
        return self.part(name, lambda: self.make_model(model, method))

    def make_model(self, model, method):
        rows = [row for row in self.sheet['rows'] if row['model'] == model and method in (None, row['method'])]
        ranks = self.entries('adapter_ranks', model=model)
        stages = self.entries('zero_stages', model=model)
        swaps = [e for e in (self.sheet['ownership'] or {}).get('buy_or_rent', []) if e['model'] == model]
        services = [e for e in self.entries('services', model=model) if method in (None, e['method'])]
        return Figures(self.entries('models', id=model), services, swaps, ranks, derived.of_ranks(ranks), stages,
                       derived.of_stages(stages),
                       parents=[self.row(row['key']) for row in rows] + [self.common])

    def gpu(self, gpu):
        return self.part('gpu ' + gpu, lambda: self.make_gpu(gpu))

    def make_gpu(self, gpu):
        prices = self.entries('prices', gpu=gpu)
        about = [self.entries('gpus', id=gpu), self.entries('machines', gpu=gpu), prices,
                 derived.of_prices(prices), derived.of_history(prices)]
        rows = [self.row(row['key']) for row in self.sheet['rows'] if row['gpu'] == gpu]
        return Figures(*about, parents=rows + [self.common])

    def price(self, price):
        return self.part('price ' + price['key'], lambda: Figures(price, parents=(self.common,)))

    # -- places ----------------------------------------------------------------------------------

    def scope(self, page, element):
        """The part of the sheet that this place is about, the narrowest that its markup tells."""
        if page == 'changes.html':
            return self.sections(page)
        subject = page.removeprefix('models/').removesuffix('.html') if page.startswith('models/') else ''
        for place in element.ancestors():
            if not hasattr(place, 'about'):
                place.about = self.of_place(place, subject)
            if place.about:
                return place.about
        if subject:
            return self.model(subject)
        if page.startswith('gpus/'):
            return self.gpu(page.removeprefix('gpus/').removesuffix('.html'))
        return self.sections(page) if page in SECTIONS else self.whole()

    def of_place(self, place, subject):
        key = place.get('data-row') or place.get('data-key')
        if key in self.rows:
            return self.row(key)
        if place.get('id') in self.prices:
            return self.price(self.prices[place.get('id')])
        if place.tag not in ('tr', 'td') and 'proof' not in place.classes():
            return None
        bills = {self.bill_of(e, subject) for e in place.walk()} - {None}
        if len(bills) == 1:
            return self.row_and_twins(bills.pop()) if place.tag == 'tr' else self.row(bills.pop())
        prices = {e.get('href').rpartition('#')[2] for e in place.walk() if e.tag == 'a'} & self.prices.keys()
        if len(prices) == 1:
            return self.part('gpu of ' + min(prices), lambda: self.gpu(self.prices[min(prices)]['gpu']))
        return self.of_matrix_row(place)

    def bill_of(self, element, subject):
        """The row whose bill an element is, or links to."""
        if element.get('id').startswith('bill-'):
            return self.bills.get((subject, element.get('id')))
        href, _, anchor = element.get('href').partition('#')
        model = re.fullmatch(r'(?:\.\./)?models/(.*)\.html', href)
        return self.bills.get((model.group(1) if model else subject, anchor)) if anchor.startswith('bill-') else None

    def of_matrix_row(self, place):
        cell = self.matrix.get(place.get('id'))
        return self.model(*cell) if cell else None

    def static_words(self, root):
        """Figures that the templates say themselves."""
        return self.part('static', lambda: Figures(
            [re.sub(r'<[^>]*>|{{[^}]*}}', ' ', text) for text in self.templates.values()]))
