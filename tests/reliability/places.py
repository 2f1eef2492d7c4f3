# SPDX-License-Identifier: Apache-2.0
"""Places in a JSON document, as tuples of keys."""


def every_leaf(value, at=()):
    """(place, value) of what is no object and no list."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from every_leaf(part, (*at, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from every_leaf(part, (*at, index))
    else:
        yield at, value


def every_place(value, at=()):
    """Objects and lists as well, but for the document itself."""
    if at:
        yield at, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from every_place(part, (*at, key))


def put(document, place, value):
    for key in place[:-1]:
        document = document[key]
    document[place[-1]] = value
