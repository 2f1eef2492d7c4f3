# SPDX-License-Identifier: Apache-2.0
"""The numbers of a part of sheet.json, and whether a printed one is one of them."""

import bisect

from page_tree import NUMBER

GIB = 2.0 ** 30
LARGE = 1_000_000  # bytes and parameters begin here; they are printed in GiB, GB, B or M
EXACT = 3  # decimals of a raw value that was rounded to be kept short
SHARE = 25  # shares and errors lie below it; they are printed in per cent


def scales(value):
    """What a stored number may be multiplied by before it is printed."""
    if abs(value) >= LARGE:
        return (1, 1 / GIB, 1e-9, 1e-6, 1e-12)
    return (1, 100) if abs(value) < SHARE and value != int(value) else (1,)


def numbers_in(text):
    """(value, decimals) of each number in a text; signs are left out, commas read as thousands."""
    for match in NUMBER.finditer(text):
        digits = match.group().lstrip('−-').replace(',', '')
        mantissa = digits.split('e')[0]
        decimals = len(mantissa.partition('.')[2])
        if 'e' in digits:
            decimals -= int(digits.split('e')[1])
        yield match.group(), float(digits), decimals


class Figures:
    """Every number of some JSON values, and every number inside their strings."""

    def __init__(self, *values, parents=()):
        self.values, self.texts, self.parents = [], set(), parents
        for value in values:
            self.add(value)
        self.values.sort()

    def add(self, value):
        if isinstance(value, dict):
            for key, part in value.items():
                self.add(key)
                self.add(part)
        elif isinstance(value, list):
            self.values.append(float(len(value)))  # "27 rows"
            for part in value:
                self.add(part)
        elif isinstance(value, str):
            self.texts.update(text for text, _, _ in numbers_in(value))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            self.values.extend(abs(value) * scale for scale in scales(value))

    def says(self, text, value, decimals):
        """Whether a stored number rounds to this printed one, or a stored text says it."""
        if text in self.texts or text.lstrip('−-') in self.texts:
            return True
        half = 0.5 * 10.0 ** -decimals * (1 + 1e-9) + 1e-12
        return self.near(value, half) or any(parent.says(text, value, decimals) for parent in self.parents)

    def holds(self, raw):
        """Whether a raw value is a stored number, whole or to its three decimals or more."""
        value = abs(float(raw))
        decimals = len(raw.partition('.')[2])
        distance = max(value * 1e-9, 0.5 * 10.0 ** -max(decimals, EXACT) * (1 + 1e-9) if decimals > 0 else 0)
        return raw in self.texts or self.near(value, distance) or any(parent.holds(raw) for parent in self.parents)

    def near(self, value, distance):
        low = bisect.bisect_left(self.values, value - distance)
        return low < len(self.values) and self.values[low] <= value + distance


def rounds(value, text):
    """Whether a text prints this raw value, in a unit that pages use."""
    printed = list(numbers_in(text))
    return any(abs(abs(value) * scale - number) <= 0.5 * 10.0 ** -decimals * (1 + 1e-9) + 1e-12
               for _, number, decimals in printed for scale in (*scales(value), 100, 1 / GIB))
