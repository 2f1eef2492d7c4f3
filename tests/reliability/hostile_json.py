# SPDX-License-Identifier: Apache-2.0
"""Gives every command that reads JSON documents that are none, or worse: nothing but one clear line comes back, in
bounded time and memory.
    python3 hostile_json.py PROGRAM CATALOG
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from small_catalog import build_command, make_small_catalog

LONGEST_SECONDS = 20  # on a busy machine; what is refused is refused at once
MOST_MEMORY = 3 << 30
GIGABYTE = 1 << 30


def documents(sound):
    """name -> bytes of a document that must be refused."""
    text = json.dumps(sound).encode()
    first = next(iter(sound))
    return {
        'nothing': b'', 'a byte order mark': b'\xef\xbb\xbf' + text, 'cut off': text[:-2], 'cut off within a text': text[:7],
        'text behind the end': text + b'{}', 'invalid UTF-8': text.replace(b'"', b'"\xff\xfe', 1),
        'half a surrogate': text.replace(b'"', b'"\\ud800', 1), 'UTF-16': json.dumps(sound).encode('utf-16'),
        'a key twice': b'{"' + first.encode() + b'": 1, ' + text[1:], 'no object': b'[1, 2]', 'a text': b'"x"', 'null': b'null',
        'a number': b'1', 'NaN': b'{"' + first.encode() + b'": NaN}', 'Infinity': b'{"' + first.encode() + b'": -Infinity}',
        'a number out of range': b'{"' + first.encode() + b'": 1e999}', 'a comment': b'/* */' + text,
        'a comment without an end': b'/* ' + text,
        'one quote for two': text.replace(b'"', b"'"), 'a comma too many': text[:-1] + b',}',
        'a hundred thousand levels of lists': b'[' * 100000 + b']' * 100000,
        'a hundred thousand levels of objects': b'{"a":' * 100000 + b'1' + b'}' * 100000,
        'a million digits': b'{"' + first.encode() + b'": ' + b'9' * 1000000 + b'}',
        'zero bytes': b'\0' * 1000, 'a program': pathlib.Path('/bin/true').read_bytes(),
    }


class Bench:
    def __init__(self, program, catalog, scratch):
        self.program, self.scratch = str(pathlib.Path(program).resolve()), scratch
        self.catalog = make_small_catalog(catalog, scratch / 'catalog')
        subprocess.run(build_command(self.program, self.catalog, scratch / 'output'), check=True, stderr=subprocess.DEVNULL)
        self.tried = self.failed = 0

    def expect(self, what, command, names, codes=(2,), text=None):
        """Ends with one of the codes and a message that names the file, soon and in little memory."""
        self.tried += 1
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, input=text, timeout=120, preexec_fn=limit)
        seconds = time.monotonic() - start
        told = (done.stderr + done.stdout).decode('utf-8', 'replace')
        wrong = []
        if done.returncode not in codes:
            wrong.append(f'exit {done.returncode}')
        if names not in told or 'internal error' in told or len(told) > 4000:
            wrong.append('no clear message')
        if seconds > LONGEST_SECONDS:
            wrong.append(f'{seconds:.1f} s')
        if wrong:
            self.failed += 1
            print(f"FAILED {what}: {', '.join(wrong)}: {told[:200]!r}")

    def catalog_file(self, name):
        """The same documents in the place of a file of the catalog."""
        path = self.catalog / name
        sound = path.read_bytes()
        for what, bytes_ in documents(json.loads(sound)).items():
            if what == 'a comment' and name.startswith('sheets/'):
                continue  # people write those files
            path.write_bytes(bytes_)
            self.expect(f'{name}, {what}', build_command(self.program, self.catalog, self.scratch / 'output'), name)
        path.write_bytes(sound)

    def edition(self):
        """In the place of an old edition."""
        sound = json.loads((self.scratch / 'output/sheet.json').read_text())
        path = self.scratch / 'hostile.json'
        for what, bytes_ in documents(sound).items():
            path.write_bytes(bytes_)
            self.expect(f'diff, {what}', [self.program, 'diff', str(path), str(self.scratch / 'output')], 'hostile.json')
        path.unlink()

    def config(self):
        path = self.scratch / 'config.json'
        for what, bytes_ in documents({'model_type': 'llama', 'hidden_size': 64}).items():
            path.write_bytes(bytes_)
            self.expect(f'import-model, {what}', [self.program, 'import-model', str(path), '--id', 'x', '--source', 's', '--date',
                                                  '2026-01-01'], 'config.json')

    def lines(self):
        """A line of `estimate` that is no request gets an answer that says so."""
        for what, bytes_ in documents({'model': 'llama-3.2-1b'}).items():
            if not bytes_.strip():
                continue
            self.expect(f'estimate, {what}', [self.program, 'estimate', '--catalog', str(self.catalog)], '"ok":false', (1,),
                        bytes_.replace(b'\n', b' ') + b'\n')

    def large(self):
        """A gigabyte, of blanks, of one text, of list items."""
        path = self.scratch / 'large.json'
        for what, head, fill, tail in (('blanks', b'{', b' ', b'}'), ('one text', b'{"id":"', b'x', b'"}'),
                                       ('items', b'{"rows":[', b'1,', b'1]}')):
            with path.open('wb') as file:
                file.write(head)
                block = fill * ((1 << 20) // len(fill))
                for _ in range(GIGABYTE >> 20):
                    file.write(block)
                file.write(tail)
            self.expect(f'diff, a gigabyte of {what}', [self.program, 'diff', str(path), str(self.scratch / 'output')], 'large.json')
            place = self.catalog / 'providers.json'
            sound = place.read_bytes()
            place.unlink()
            place.symlink_to(path)
            self.expect(f'catalog, a gigabyte of {what}', build_command(self.program, self.catalog, self.scratch / 'output'), 'providers.json')
            place.unlink()
            place.write_bytes(sound)
            path.unlink()


def main(program, catalog):
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(program, catalog, pathlib.Path(folder))
        for name in ('sheets/small.json', 'models/llama-3.2-1b.json', 'gpus/h100-sxm.json', 'prices/aws.json',
                     'providers.json', 'engine.json', 'stacks/hf-trl.json', 'conventions/sixteen-byte.json'):
            bench.catalog_file(name)
        bench.edition()
        bench.config()
        bench.lines()
        bench.large()
    print(json.dumps({'hostile documents': bench.tried, 'failed': bench.failed}))
    return 1 if bench.failed else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
