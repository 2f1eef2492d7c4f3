#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how easily code is found: house.py [ROOT] [--check]

Prints three figures of generator/: functions that X.h declares and another file than X.cc defines, folders that need
each other in a circle, and how many of our headers a source includes. With --check it lists each fault and exits with
1 where there is one: a function defined elsewhere, a circle, an include of a higher layer, a folder without a layer, or
a call of a function whose header is not included. Sources of one folder or room are compiled as one, so the compiler
finds the last of these in some builds only. The layers are a table of docs/design.md.
"""

import argparse
import re
import statistics
import sys
from collections import defaultdict
from pathlib import Path

LITERALS = re.compile(r'''R"(\w*)\((?:.|\n)*?\)\1"|//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+\'''')
SCOPE = re.compile(r'^(?:template\s*<.*>\s*)?(?:inline\s+)?(namespace|struct|class|union|enum(?:\s+class)?)\b\s*([\w:]*)')
NAME = re.compile(r'((?:~|operator\s*)?[^\s(:]+)\s*\($')
CALL = re.compile(r'(?<![\w.:>])(\w+)\s*\(')
WORDS_BEFORE_CALLS = {'return', 'else', 'throw', 'case', 'new', 'delete', 'not', 'and', 'or'}
WORDS_THAT_CALL = {'if', 'for', 'while', 'switch', 'return', 'catch', 'sizeof', 'decltype', 'static_assert', 'requires'}
LAYER_ROW = re.compile(r'^\| `([a-z_]+(?:/[a-z_]+)*)` \| layer (\d+) of `([a-z_]+)` \|')


def code_of(text):
    """The text with comments gone and literals empty, as many lines as before."""
    def blank(match):
        literal = match[0]
        lines = '\n' * literal.count('\n')
        return lines if literal[0] == '/' else '""' + lines
    text = LITERALS.sub(blank, text)
    return re.sub(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', '', text, flags=re.M)


def without_angles(text):
    """A declaration without its template arguments, so that the first parenthesis is the one of its parameters."""
    kept, depth = [], 0
    for at, letter in enumerate(text):
        if letter == '<' and not text[:at].rstrip().endswith('operator'):
            depth += 1
        elif letter == '>' and depth > 0 and text[at - 1] != '-':
            depth -= 1
        elif depth == 0:
            kept.append(letter)
    return ''.join(kept)


def function_name(head):
    """The name of the function that `head` declares, with its class if it says one; None if it declares another thing."""
    head = re.sub(r'\[\[[^\]]*\]\]', '', head).strip()
    if re.match(r'(using|typedef|friend|extern|return|BOOST_|static_assert)\b', head):
        return None
    plain = without_angles(head)
    paren = plain.find('(')
    if paren < 0 or '=' in plain[:paren]:
        return None
    match = re.search(r'((?:\w+::)*(?:~?\w+|operator\s*\S+?))\s*$', plain[:paren])
    if not match or match[1] in WORDS_THAT_CALL or plain[:match.start()].strip() == '' and '::' not in match[1]:
        return None
    return match[1].replace(' ', '')


def statements(text):
    """(scopes, head, end): each declaration or definition outside function bodies; `end` is ';' or '{'."""
    code = code_of(text)
    scopes, head, at = [], '', 0
    parens = 0
    while at < len(code):
        letter = code[at]
        parens += (letter == '(') - (letter == ')')
        if parens > 0 or letter not in ';{}':
            head += letter
        elif letter == '}':
            if scopes:
                scopes.pop()
            head = ''
        elif letter == ';':
            yield list(scopes), head.strip(), ';'
            head = ''
        else:
            scope = SCOPE.match(head.strip())
            if scope and not re.search(r'\)\s*(const|noexcept|override)?\s*$', head):
                kind = scope[1].split()[0]
                name = scope[2]
                if kind == 'enum':
                    at = end_of_block(code, at)
                else:
                    scopes.append((kind, name))
            else:
                yield list(scopes), head.strip(), '{'
                at = end_of_block(code, at)
                if re.match(r'\s*[;,]', code[at + 1:]):  # a value in braces, or the first of several initialisers
                    head += '{}'
                    at += 1
                    continue
            head = ''
        at += 1


def end_of_block(code, at):
    depth = 0
    while at < len(code):
        depth += (code[at] == '{') - (code[at] == '}')
        if depth == 0:
            return at
        at += 1
    return at


def functions(text, end):
    """Of declarations (';') or definitions ('{'): names with their classes, those of anonymous namespaces left out."""
    found = set()
    for scopes, head, closed in statements(text):
        if closed != end or any(kind == 'namespace' and name == '' for kind, name in scopes):
            continue
        if end == ';' and re.search(r'=\s*(default|delete|0)$', head):
            continue
        head = re.sub(r'\b(public|private|protected)\s*:', '', head)
        name = function_name(head)
        if name is None:
            continue
        classes = [scope for kind, scope in scopes if kind != 'namespace']
        found.add('::'.join([*classes, name]))
    return found


def declares(code, name):
    """Whether the source itself has a function, a variable or a parameter of the name."""
    before = re.finditer(r'([\w>&*\]]+)[\s&*]+' + name + r'\b\s*[=({;,)]', code)
    return any(found[1] not in WORDS_BEFORE_CALLS for found in before) or re.search(r'\(\*' + name + r'\)', code) is not None


class House:
    def __init__(self, root):
        folder = Path(root) / 'generator'
        self.files = {str(path.relative_to(folder)): path.read_text(encoding='utf-8')
                      for path in sorted(folder.rglob('*')) if path.suffix in ('.h', '.cc')}
        self.includes = {name: re.findall(r'^#include "([^"]+)"', text, flags=re.M) for name, text in self.files.items()}
        design = Path(root) / 'docs' / 'design.md'
        self.layers = {}
        for line in design.read_text(encoding='utf-8').splitlines() if design.exists() else []:
            if row := LAYER_ROW.match(line):
                self.layers[row[1]] = (row[3], int(row[2]))

    def defined_elsewhere(self):
        """(header, function, source) for each function that another file than its header's own defines."""
        sources = defaultdict(set)
        for name, text in self.files.items():
            # A page has no files and one thread: it defines some functions anew.
            if name.endswith('.cc') and not name.startswith('calculator/web/'):
                for function in functions(text, '{'):
                    sources[function].add(name)
        declared = 0
        faults = []
        for name, text in self.files.items():
            if not name.endswith('.h'):
                continue
            for function in sorted(functions(text, ';')):
                if function not in sources:
                    continue
                declared += 1
                if name[:-2] + '.cc' not in sources[function]:
                    faults.append((name, function, min(sources[function])))
        return faults, declared

    def needs(self):
        """Folder -> the other folders that its files include."""
        folders = defaultdict(set)
        for name, includes in self.includes.items():
            for other in includes:
                here, there = str(Path(name).parent), str(Path(other).parent)
                if here != there:
                    folders[here].add(there)
        return folders

    def circles(self):
        """Sets of folders that need each other."""
        needs = self.needs()

        def reached(start):
            seen, waiting = set(), [start]
            while waiting:
                for other in needs.get(waiting.pop(), ()):
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
            return seen
        reach = {folder: reached(folder) for folder in needs}
        return sorted({tuple(sorted(other for other in reach[folder] if folder in reach.get(other, ())))
                       for folder in needs if folder in reach[folder]})

    def against_layers(self):
        """(file, include) for each include of a higher layer of the same room."""
        faults = []
        for name, includes in self.includes.items():
            here = self.layers.get(str(Path(name).parent))
            for other in includes:
                there = self.layers.get(str(Path(other).parent))
                if here and there and here[0] == there[0] and there[1] > here[1]:
                    faults.append((name, other))
        return faults

    def without_layer(self):
        """Folders of a room of several that the table of docs/design.md does not have."""
        folders = {str(Path(name).parent) for name in self.files if '/' in name}
        rooms = [folder.split('/')[0] for folder in folders]
        return sorted(folder for folder in folders
                      if rooms.count(folder.split('/')[0]) > 1 and folder not in self.layers)

    def headers_of(self, name):
        """Our headers that a file includes, those of headers among them."""
        seen, waiting = set(), [name]
        while waiting:
            for other in self.includes.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    def headers_of_sources(self):
        """For each source, how many of our headers it includes."""
        return [len(self.headers_of(name)) for name in self.files if name.endswith('.cc')]

    def unseen_calls(self):
        """(source, function, header) for each call of a free function whose header the source does not include."""
        declared, members = defaultdict(set), defaultdict(set)
        for name, text in self.files.items():
            for function in functions(text, ';') | functions(text, '{'):
                *classes, own = function.split('::')
                if classes:
                    members[name].add(own)
                elif name.endswith('.h'):
                    declared[own].add(name)
        faults = []
        for name, text in self.files.items():
            if not name.endswith('.cc'):
                continue
            seen = self.headers_of(name) | {name}
            of_classes = set().union(*(members[other] for other in seen))
            code = code_of(text)
            for function in sorted(set(CALL.findall(code))):
                if function not in declared or declared[function] & seen or function in of_classes:
                    continue
                if not declares(code, function):
                    faults.append((name, function, min(declared[function])))
        return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('root', nargs='?', default=Path(__file__).resolve().parent.parent)
    parser.add_argument('--check', action='store_true', help='list each fault; exit code 1 where there is one')
    options = parser.parse_args()
    house = House(options.root)
    elsewhere, declared = house.defined_elsewhere()
    circles = house.circles()
    counts = house.headers_of_sources()
    print(f'declared in X.h, defined in another file than X.cc: {len(elsewhere)} of {declared} functions '
          f'({100 * len(elsewhere) / max(declared, 1):.1f} %)')
    print(f'circles of folders: {len(circles)}')
    print(f'our headers that a source includes: {statistics.median(counts):.0f} in the median, at most {max(counts)}')
    if not options.check:
        return 0
    against = house.against_layers()
    unknown = house.without_layer()
    unseen = house.unseen_calls()
    for header, function, source in elsewhere:
        print(f'generator/{header}: {function} is defined in generator/{source}')
    for circle in circles:
        print('folders that need each other: ' + ', '.join(circle))
    for name, other in against:
        print(f'generator/{name} includes {other}, of a higher layer of its room')
    for folder in unknown:
        print(f'generator/{folder} has no layer in docs/design.md')
    for name, function, header in unseen:
        print(f'generator/{name} calls {function} without {header}')
    return 1 if elsewhere or circles or against or unknown or unseen else 0


if __name__ == '__main__':
    sys.exit(main())
