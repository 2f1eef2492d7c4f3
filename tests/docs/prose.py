# SPDX-License-Identifier: Apache-2.0
"""Finds wording that readers misunderstood (prose_rules.py) in the documents, the pages' templates, the program's messages and the
printed texts of the catalog, and sentences of over 30 words in the documents.

    python3 prose.py               exit 1 with every finding
    python3 prose.py list [PATH …] prints the findings in these paths
"""

import html
import json
import pathlib
import re
import sys

from prose_rules import PLAIN, RULES, WORST

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MOST_WORDS = 30

GENERATED = re.compile(r'<!-- (\w+): begin -->.*?<!-- \1: end -->|<!-- refit -->.*?<!-- /refit -->', re.DOTALL)
FENCE = re.compile(r'^```.*?^```', re.DOTALL | re.MULTILINE)
SENTENCE_END = re.compile(r'(?<=[.!?])["”)*]*\s+(?=["“(*`\[]*[A-Z0-9$~–`])')
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
COMMENT = re.compile(r'//[^\n]*|^#include[^\n]*', re.MULTILINE)
PRINTED_KEYS = set('note words title description what reason summary cause remedy trap warnings guides sheet capacity_rule basis measured '
                   'said take mind setting'.split())
CATALOG = ['advice', 'conventions', 'frameworks', 'gpus', 'methods', 'purchase', 'services', 'sheets', 'stacks', 'worksheets',
           'project.json', 'providers.json', 'validation.json', 'price_age.json', 'intervals.json', 'speed_intervals.json']


def blanked(text, pattern):
    """`text` without what the pattern finds, its lines kept."""
    return pattern.sub(lambda found: '\n' * found[0].count('\n'), text)


def line_of(text, position):
    return text.count('\n', 0, position) + 1


def paragraphs(text):
    """(line, text, whether it is a cell of a table) of Markdown; code is X, a link its words."""
    text = blanked(blanked(text, GENERATED), FENCE)
    text = re.sub(r'`[^`\n]*`', 'X', text)
    text = re.sub(r'!?\[([^\]]*)\]\([^)]*\)', r'\1', text).replace('**', '')
    start, lines = 0, []
    for number, line in enumerate([*text.split('\n'), ''], 1):
        table = line.startswith('|')
        if lines and (table or not line.strip() or re.match(r'\s*(?:[-*]|\d+\.) |#', line)):
            yield start, ' '.join(lines), False
            lines = []
        if table:
            for cell in re.split(r'(?<!\\)\|', line)[1:-1]:
                yield number, cell.strip(), True
        elif line.strip() and not line.startswith(('    ', '#')):
            start = start if lines else number
            lines.append(re.sub(r'^\s*(?:[-*]|\d+\.) ', '', line).strip())


def template_texts(text):
    """(line, text) of what a template shows: between tags, what is filled in as X."""
    text = blanked(text, re.compile(r'<(script|style)\b.*?</\1>|<!--.*?-->', re.DOTALL))
    text = re.sub(r'\{\{[#^/>!][^}]*\}\}', '', text)
    text = re.sub(r'\{\{\{?[^}]*\}\}\}?', 'X', text)
    text = re.sub(r'</?(?:b|i|em|strong|span|a|code|abbr|sub|sup|small|time|var)\b[^>]*>', '', text)
    for found in re.finditer(r'[^<>]+(?=<|$)', re.sub(r'<[^<>]*>', lambda tag: '<' + '\n' * tag[0].count('\n') + '>', text)):
        if len(found[0].split()) > 1:
            yield line_of(text, found.start()), html.unescape(' '.join(found[0].split()))


def message_texts(text):
    """(line, text) of the string literals that are words: at least three, with a blank between."""
    for found in LITERALS.finditer(blanked(text, COMMENT)):
        words = ''.join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found[0]))
        words = re.sub(r'\\[nt"]', ' ', re.sub(r'\{[^}]*\}', 'X', words))
        if len(re.findall(r'[A-Za-z]{2,}', words)) >= 3 and ' ' in words.strip():
            yield line_of(text, found.start()), ' '.join(words.split())


def catalog_texts(text):
    """(line, text) of the texts under keys that pages and commands print."""
    for found in re.finditer(r'"(\w+)": ("(?:[^"\\]|\\.)*")', text):
        if found[1] in PRINTED_KEYS:
            yield line_of(text, found.start()), json.loads(found[2])


def findings_of(text, length_counts=False):
    """(rule's name, the words, what to write) in a text."""
    for rule in RULES:
        for found in rule.pattern.finditer(text):
            yield rule.name, found[0].strip(), f'{rule.why}; write {rule.better}'
    for sentence in SENTENCE_END.split(text) if length_counts else []:
        words = len(re.findall(r"[^\s]*[A-Za-z][^\s]*", sentence))
        if words > MOST_WORDS:
            yield 'long', sentence[:60] + ' …', f'{words} words; write sentences of at most {MOST_WORDS}'


def files():
    """(path, texts as (line, text, whether its sentences may not be long))."""
    for path in sorted([*SOURCE.glob('*.md'), *SOURCE.glob('docs/*.md')]):
        yield path, [(line, text, not cell) for line, text, cell in paragraphs(path.read_text())]
    for folder, ends, reader in [('templates', ('.mustache',), template_texts), ('generator', ('.cc', '.h'), message_texts)]:
        for path in sorted(path for path in (SOURCE / folder).rglob('*') if path.suffix in ends):
            yield path, [(line, text, False) for line, text in reader(path.read_text())]
    for name in CATALOG:
        place = SOURCE / 'catalog' / name
        for path in [place] if place.suffix else sorted(place.rglob('*.json')):
            yield path, [(line, text, False) for line, text in catalog_texts(path.read_text())]


def found_in_files():
    """path -> (line, rule, words, advice) of each finding."""
    found = {}
    for path, texts in files():
        hits = [(line, *hit) for line, text, length_counts in texts for hit in findings_of(text, length_counts)]
        if hits:
            found[str(path.relative_to(SOURCE))] = hits
    return found


def faults_of_rules():
    """Rules that miss their own examples, worst sentences that no rule finds, plain ones that one finds."""
    for rule in RULES:
        for example in rule.examples:
            if not rule.pattern.search(example):
                yield f'rule "{rule.name}" does not find its example: {example}'
    for sentence in WORST:
        if not list(findings_of(sentence)):
            yield f'no rule finds: {sentence}'
    for sentence in PLAIN:
        for name, words, _ in findings_of(sentence, length_counts=True):
            yield f'rule "{name}" finds "{words}" in a plain sentence: {sentence}'
    if 'long' not in [name for name, *_ in findings_of('word ' * 31 + '.', length_counts=True)]:
        yield 'a sentence of 31 words is not found'


def check(found):
    faults = list(faults_of_rules())
    faults += [f'{path}:{line}: "{words}" ({rule}): {advice}' for path, hits in found.items() for line, rule, words, advice in hits]
    print('\n'.join(faults) if faults else f'every text is plain by {len(RULES)} rules')
    return 1 if faults else 0


def main(what='check', *paths):
    found = found_in_files()
    if what == 'check':
        return check(found)
    for path, hits in found.items():
        for line, rule, words, _ in hits if not paths or path.startswith(paths) else []:
            print(f'{path}:{line}: {rule}: {words}')
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
