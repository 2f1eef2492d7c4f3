# SPDX-License-Identifier: Apache-2.0
"""What a fuzzer starts from beside the corpora: the catalog's own entries and the configs of the tests, always as they
are now, and a dictionary of their keys.
    python3 seeds.py SOURCE FOLDER
"""

import json
import pathlib
import sys

LARGEST = 16 << 10  # bytes; a fuzzer is slow with more
KINDS = {'models': 'model', 'gpus': 'gpu', 'methods': 'method', 'stacks': 'stack', 'prices': 'prices', 'measured': 'measured',
         'conventions': 'convention', 'worksheets': 'worksheet', 'advice': 'advice', 'frameworks': 'frameworks'}
FILES = {'engine.json': 'engine', 'providers.json': 'providers', 'intervals.json': 'intervals'}
TOKENS = ['{', '}', '[', ']', ',', ':', 'null', 'true', 'false', '-1', '0', '1e308', '9007199254740993', '9223372036854775807',
          '18446744073709551616', '1000000000000', '0.5', '""', '\\u0000', '\\ud800', '{{#', '{{/', '{{>', '{{^', '}}', '\n---\n']


def shortened(value, longest):
    """A document with at most so many elements in each list."""
    if isinstance(value, dict):
        return {key: shortened(part, longest) for key, part in value.items()}
    if isinstance(value, list):
        return [shortened(part, longest) for part in value[:longest]]
    return value


def keys_of(value):
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from keys_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from keys_of(part)


def entry_seeds(catalog):
    """(name, kind, document) of every entry of the catalog that fits."""
    for path in sorted(catalog.rglob('*.json')):
        place = path.relative_to(catalog)
        kind = FILES.get(str(place)) or KINDS.get(place.parts[0]) if len(place.parts) < 3 else None
        if kind is None or path.stem == 'excluded':
            continue
        for longest in (100, 3, 1):
            document = shortened(json.loads(path.read_text()), longest)
            if len(json.dumps(document)) <= LARGEST:
                yield '-'.join(place.with_suffix('').parts), kind, document
                break


def pointers(value, at=''):
    yield at
    if isinstance(value, dict):
        for key, part in value.items():
            yield from pointers(part, f'{at}/{key.replace("~", "~0").replace("/", "~1")}')
    elif isinstance(value, list) and value:
        yield from pointers(value[0], f'{at}/0')


def dictionary(words):
    """In the form that libFuzzer reads."""
    for number, word in enumerate(sorted(words)):
        escaped = ''.join(chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f'\\x{byte:02x}' for byte in word.encode())
        if word and len(word.encode()) <= 128:
            yield f'w{number}="{escaped}"\n'


def write(folder, name, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def main(source, folder):
    source, folder = pathlib.Path(source), pathlib.Path(folder)
    words = set(TOKENS)
    for name, kind, document in entry_seeds(source / 'catalog'):
        write(folder / 'catalog_entry', name, f'{kind}\n{json.dumps(document)}')
        words.update(f'"{key}"' for key in keys_of(document))
    for path in sorted((source / 'tests/catalog/import').glob('*.json')):
        config = json.loads(path.read_text())['config']
        write(folder / 'hf_config', path.stem, json.dumps(config))
        words.update(f'"{key}"' for key in keys_of(config))
    oracle = json.loads((source / 'tests/oracles/estimate_keys.json').read_text())
    for name, request in oracle['bases'].items():
        write(folder / 'request_lines', f'base-{name}', json.dumps(request) + '\n')
    words.update(f'"{key}"' for key in keys_of(list(oracle.values())))
    for case in json.loads((source / 'tests/oracles/ownership.json').read_text())['cases']:
        write(folder / 'request_lines', f'cost-{case["name"].replace(" ", "-").replace("/", "-")}', 'cost\n' + json.dumps(case['request']) + '\n')
        words.update(f'"{key}"' for key in keys_of(case['request']))
    sheet = json.loads((source / 'output/sheet.json').read_text())
    for name, value in (('0', -1), ('1', '1e308'), ('2', 'null'), ('3', '[]'), ('4', '')):
        lines = [f'{pointer} {value}\n' for pointer in pointers(sheet) if pointer]
        for number in range(0, len(lines), 25):
            write(folder / 'sheet_json', f'{name}-{number}', lines[number])
            write(folder / 'sheet_pair', f'{name}-{number}', f'{lines[number]}\n---\n{lines[-number - 1]}')
    words.update(f'{pointer} ' for pointer in pointers(sheet) if pointer)
    (folder / 'words.dict').write_text(''.join(dictionary(words)))


if __name__ == '__main__':
    main(*sys.argv[1:])
