# SPDX-License-Identifier: Apache-2.0
"""An edition in another currency, with a sheet.json whose amounts are converted here anew, so that the checks of
dollar editions hold its forms against that; and what may still say dollars on its pages:
    python3 in_currency.py EDITION TARGET
"""

import decimal
import html
import json
import pathlib
import re
import shutil
import sys

ESTIMATES = ('low', 'typical', 'high', 'value')
PROVEN = ('capital', 'colo', 'depreciation', 'energy', 'licence', 'network', 'staff', 'support', 'full_load_energy',
          'own_at_zero_hours', 'rent_less_energy_at_full_use')
RATIOS = ('usd_share', 'usd_high_share', 'm_tokens_per_usd')  # of or to dollars: no amounts


class Rate:
    def __init__(self, exchange):
        self.per_unit = decimal.Decimal(str(exchange['usd_per_unit']))
        self.unit = exchange['currency'].lower()

    def amount(self, usd):
        units = decimal.Decimal(str(usd)) / self.per_unit
        return float(units.quantize(decimal.Decimal('0.000001'), decimal.ROUND_HALF_UP))

    def converted(self, value, key=''):
        if isinstance(value, list):
            return [self.converted(part, key) for part in value]
        if isinstance(value, dict):
            return self.members(value, key)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return self.amount(value) if number and 'usd' in key and key not in RATIOS else value

    def members(self, value, above):
        if 'formula' in value and 'inputs' in value and 'unit' in value:
            return self.proof(value)
        if str(value.get('unit', '')).startswith(('USD', '$')) and ('basis' in value or 'old_as_of' in value):
            return self.estimate(value)
        inherits = above if 'usd' in above and above not in RATIOS else ''
        return {key: self.converted(part, inherits + key if key not in RATIOS else key) for key, part in value.items()}

    def estimate(self, value):
        out = {key: self.converted(part, key) for key, part in value.items()}
        for key in ESTIMATES:
            if isinstance(value.get(key), (int, float)):
                out[key] = self.amount(value[key])
        for key in ('old', 'new'):
            if re.fullmatch(r'[\d.]+', str(value.get(key, ''))):
                out[key] = repr(self.amount(value[key]))
        return out

    def proof(self, line):
        def named(name, number):
            return self.amount(number) if 'usd' in name or name in PROVEN else number

        def renamed(words):
            return words.replace('usd', self.unit)
        out = {key: self.converted(part, key) for key, part in line.items() if key not in ('inputs', 'steps')}
        out['formula'] = renamed(line['formula'])
        out['inputs'] = {renamed(name): named(name, number) for name, number in line['inputs'].items()}
        out['steps'] = [{'name': renamed(step['name']), 'formula': renamed(step['formula']),
                         'value': named(step['name'], step['value'])} for step in line['steps']]
        return out


def quoted_dollars(sheet):
    """Every text of sheet.json that says dollars and is not of the program's making."""
    texts = [f"$ {sheet['meta']['exchange']['usd_per_unit']}"]

    def walk(value, key=''):
        for name, part in value.items() if isinstance(value, dict) else ((key, one) for one in value):
            if isinstance(part, (dict, list)):
                walk(part, name)
            elif isinstance(part, str) and '$' in part and name not in ('why', 'rent_why', 'hourly_why', 'buy_why', 'headline'):
                texts.append(part)
    walk({key: part for key, part in sheet.items() if key != 'inputs'})
    return texts


def words_of(page):
    return html.unescape(re.sub(r'\s+', ' ', re.sub(r'<[^>]*>', ' ', page)))


def strays(edition, sheet):
    """Dollars on pages that stand in no quoted text."""
    quoted = {' '.join(text.split()) for text in quoted_dollars(sheet)}
    rate = f"= ${sheet['meta']['exchange']['usd_per_unit']}"
    for path in sorted(edition.rglob('*.html')):
        words = words_of(path.read_text()).replace(rate, '')
        for text in sorted(quoted, key=len, reverse=True):
            words = words.replace(text, '')
        yield from (f'{path.relative_to(edition)}: …{words[max(at.start() - 60, 0):at.end() + 30]}…'
                    for at in re.finditer(r'\$', words))


def main(source, target):
    source, target = pathlib.Path(source), pathlib.Path(target)
    sheet = json.loads((source / 'sheet.json').read_text())
    shutil.copytree(source, target)
    converted = Rate(sheet['meta']['exchange']).converted({key: part for key, part in sheet.items() if key != 'inputs'})
    converted['meta']['exchange'] = sheet['meta']['exchange']
    converted['inputs'] = sheet['inputs']
    (target / 'sheet.json').write_text(json.dumps(converted))
    found = list(strays(source, sheet))
    for stray in found:
        print(stray)
    print(f'{len(found)} dollars that nothing quoted says')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
