# SPDX-License-Identifier: Apache-2.0
"""Every number on every page of an edition is one of its sheet.json, in the part that its place is about:
    python3 page_numbers.py EDITION TEMPLATES
"""

import pathlib
import re
import sys

from edition import Edition
from figures import numbers_in, rounds
from page_tree import blocks, read_page


def is_tick(element):
    return element.tag == 'text' and 'tick' in element.classes()


def faults_of(edition, page, root):
    """(walked, [(number, its surroundings)]) of one page."""
    walked, faults = 0, []
    static = edition.static_words(root)
    for element, text in blocks(root):
        if is_tick(element):
            continue  # the round numbers of an axis
        for printed, value, decimals in numbers_in(text):
            walked += 1
            known = edition.scope(page, element)
            if not known.says(printed, value, decimals) and not static.says(printed, value, decimals):
                faults.append((printed, place_words(element, text)))
    return walked, faults


def place_words(element, text):
    return f'<{element.tag}> ' + ' '.join(text.split())[:120]


def is_word(edition, text):
    """Whether a cell shows a name or a verdict, which sort by a number of their own."""
    name = text.strip().removesuffix('?')  # the mark of what is not certain to fit
    verdict = text.strip()[:1] in '●▲○◐' and ('% free' in text or 'not certain' in text)
    return name in edition.names or verdict or 'over by' in text


def raw_faults_of(edition, page, root):
    """Likewise of the raw values that cells carry for sorting: stored ones, which their text rounds."""
    walked, faults = 0, []
    for element in root.walk():
        raw = element.get('data-v')
        if not re.fullmatch(r'-?\d+(\.\d+)?(e[+-]?\d+)?', raw):
            continue  # none, or words to sort by
        walked += 1
        text = element.text()
        if not edition.scope(page, element).holds(raw):
            faults.append((f'data-v {raw}', place_words(element, text)))
        elif any(numbers_in(text)) and not is_word(edition, text) and not rounds(float(raw), text):
            faults.append((f'data-v {raw}, printed otherwise,', place_words(element, text)))
    return walked, faults


def main(directory, templates):
    edition = Edition(pathlib.Path(directory), pathlib.Path(templates))
    walked, bad = 0, 0
    for path in sorted(edition.directory.rglob('*.html')):
        page = str(path.relative_to(edition.directory))
        root = read_page(path.read_text())
        for count, faults in (faults_of(edition, page, root), raw_faults_of(edition, page, root)):
            walked, bad = walked + count, bad + len(faults)
            for printed, where in faults:
                print(f'{page}: {printed} is not in sheet.json: {where}')
    print(f'{walked} numbers walked, {bad} not in sheet.json')
    return 0 if walked and not bad else 1


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
