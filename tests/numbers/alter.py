# SPDX-License-Identifier: Apache-2.0
"""Whether the walk of page_numbers.py would notice: alters printed numbers one at a time, in memory.
    python3 alter.py EDITION TEMPLATES
"""

import json
import pathlib
import random
import sys

from edition import Edition
from figures import numbers_in
from page_numbers import is_tick
from page_tree import blocks, read_page

ALTERED = 4000
DIGITS = 4  # fewer are often a neighbour's figure: 12 GiB is altered to 13, and another term has 13
LEAST = 0.9


def significant(printed):
    return len(printed.lstrip('−-').replace(',', '').replace('.', '').lstrip('0'))


def places(edition):
    for path in sorted(edition.directory.rglob('*.html')):
        page = str(path.relative_to(edition.directory))
        root = read_page(path.read_text())
        for element, text in blocks(root):
            if is_tick(element):
                continue
            for printed, value, decimals in numbers_in(text):
                if significant(printed) >= DIGITS and 'e' not in printed:
                    yield edition.scope(page, element), edition.static_words(root), value, decimals


def main(directory, templates):
    edition = Edition(pathlib.Path(directory), pathlib.Path(templates))
    chance = random.Random(20261121)
    every = list(places(edition))
    tried = chance.sample(every, min(ALTERED, len(every)))
    noticed = 0
    for scope, static, value, decimals in tried:
        other = value + chance.choice((-2, -1, 1, 2)) * 10.0 ** -decimals
        text = f'{other:,.{max(decimals, 0)}f}'
        noticed += not scope.says(text, other, decimals) and not static.says(text, other, decimals)
    failed = not tried or noticed < LEAST * len(tried)
    print(json.dumps({'numbers altered': len(tried), 'noticed': noticed, 'failed': int(failed)}))
    return int(failed)


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
