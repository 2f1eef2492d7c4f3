# SPDX-License-Identifier: Apache-2.0
"""Texts and numbers that nobody means well with, by what they are called."""

import re

TEXTS = {
    'markup': '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&amp;',
    'a template': '{{>head}}{{{meta.title}}}',
    'a script address': 'javascript:alert(1)',
    'a plain address': 'http://example.org/',
    'an address and no place': 'https://',
    'an address with a password': 'https://user:secret@example.org/',
    'an address in capitals': 'HTTP://EXAMPLE.ORG/',
    'a path upwards': '../../../../tmp/outside',
    'an absolute path': '/tmp/outside',
    'a path of another system': '..\\..\\outside',
    'a device': '/dev/stdin',
    'a name of a device': 'con',
    'two dots': '..',
    'a zero byte': 'a\0b',
    'control characters': 'a\x07\x1b[31m\r\nb',
    'bidi overrides': 'a\u202egnp.exe\u2066b',
    'ten thousand characters': 'x' * 10000,
    'a formula': '=HYPERLINK("https://example.org","x")',
    'a formula with @': '@SUM(1+1)*cmd|"/C calc"!A0',
    'a formula with +': '+1+cmd|"/C calc"!A0',
    'a formula with -': '-1+cmd|"/C calc"!A0',
    'a wide formula': '＝1+1',
    'a character spelt out': 'a_x202E_b',
    'a blank of no width': 'us\u200b-east',
    'a mark of direction': 'us\u200e-east',
    'a joiner that joins nothing': 'us\u200d-east',
    'a soft hyphen': 'us\u00ad-east',
    'a filler': 'a\u3164b',
    'a character not assigned': 'a\u0378b',
    'nothing': '',
    'spaces': '   ',
    'another script': 'модель 模型 🙂 e\u0301',
}
REFUSED_TEXTS = {'a plain address', 'an address and no place', 'an address with a password', 'an address in capitals',
                 'a zero byte', 'control characters', 'bidi overrides', 'ten thousand characters', 'a blank of no width',
                 'a mark of direction', 'a joiner that joins nothing', 'a soft hyphen', 'a filler', 'a character not assigned'}

NUMBERS = {
    'below zero': -1, 'zero': 0, 'a fraction': 0.5, 'huge': 1e308, 'tiny': 1e-308, 'least': 5e-324, 'minus zero': -0.0,
    '2^53 + 1': 2 ** 53 + 1, '2^63': 2 ** 63, '2^64': 2 ** 64, '10^12': 10 ** 12, '10^18': 10 ** 18,
    'negative huge': -1e308, 'a text': '12', 'a truth': True, 'a list': [], 'nothing': None,
}
CONTROL = re.compile('[\x00-\x08\x0b-\x1f\x7f\x85\u2028-\u202e\u2066-\u2069]')
NOT_A_NUMBER = re.compile(r'(?<![\w.])[-+]?(?:nan|inf|infinity)(?![\w.])', re.IGNORECASE)
