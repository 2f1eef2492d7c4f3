# SPDX-License-Identifier: Apache-2.0
"""A page as a tree of elements, and every number that a reader of it meets."""

import re
from html.parser import HTMLParser

VOID = {'area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'}
SILENT = {'script', 'style', 'head'}  # a page's head has no figures but the title, which repeats h1

# 1,234.5, −3, 0.07; not the digits of a name such as H100, sha256 or m-70b, which \w before them tells.
NUMBER = re.compile(r'(?<![\w.,-])[−-]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?')


class Element:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, dict(attributes), parent
        self.children = []  # elements and texts

    def get(self, name):
        return self.attributes.get(name) or ''

    def classes(self):
        return self.get('class').split()

    def ancestors(self):
        """Itself first, the page's root last."""
        element = self
        while element is not None:
            yield element
            element = element.parent

    def walk(self):
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def text(self):
        return ''.join(c if isinstance(c, str) else c.text() for c in self.children)


class Tree(HTMLParser):
    def __init__(self, markup):
        super().__init__(convert_charrefs=True)
        self.root = self.here = Element('#page', [], None)
        self.feed(markup)

    def handle_starttag(self, tag, attributes):
        element = Element(tag, attributes, self.here)
        self.here.children.append(element)
        if tag not in VOID:
            self.here = element

    def handle_startendtag(self, tag, attributes):
        self.here.children.append(Element(tag, attributes, self.here))

    def handle_endtag(self, tag):
        for element in self.here.ancestors():
            if element.tag == tag and element.parent is not None:
                self.here = element.parent
                return

    def handle_data(self, data):
        self.here.children.append(data)


def read_page(markup):
    return Tree(markup).root


WHOLE = {'td', 'th', 'p', 'li', 'dt', 'dd', 'h1', 'h2', 'h3', 'caption', 'summary', 'text', 'title', 'desc',
         'legend', 'label', 'option', 'button', 'figcaption', 'pre'}


def blocks(root):
    """(element, text) of the smallest pieces that are read as one: a cell, a paragraph, a label of a chart. Text
    beside such pieces belongs to the element around it."""
    for child in root.children:
        if isinstance(child, Element) and child.tag not in SILENT:
            yield from blocks(child)
    own = ''.join(c if isinstance(c, str) else inline_text(c) for c in root.children)
    if own.strip() and (root.tag in WHOLE or not is_inline(root)):
        yield root, own


def is_inline(element):
    """Whether its text is read as part of the piece around it."""
    return element.tag not in WHOLE and any(a.tag in WHOLE for a in element.ancestors())


def inline_text(element):
    if element.tag in WHOLE or element.tag in SILENT or not is_inline(element):
        return ' '
    return ''.join(c if isinstance(c, str) else inline_text(c) for c in element.children)
