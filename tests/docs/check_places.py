# SPDX-License-Identifier: Apache-2.0
"""Compares the table of docs/reliability.md of every place where the program meets the system with the sources: a call that the
table does not have, or one that it has and the sources do not, is a fault.
    python3 check_places.py
"""

import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = SOURCE / 'docs/reliability.md'
TABLE = re.compile(r'<!-- places: begin -->\n(.*?)<!-- places: end -->', re.DOTALL)

# Functions of the system, of the standard library and of other libraries that read, write, print, wait, start something or
# ask for what the caller set. The first few are ordinary words too, so the house writes them with ::.
WORDS = 'open close read write'.split()
CALLS = ('openat creat fopen freopen fread fgets fwrite puts fputs printf fprintf dprintf fsync flock poll fcntl isatty stat '
         'renameat2 remove_all unlink rmdir mkdir mkdtemp mkstemp memfd_create tmpfile create_directory create_directories '
         'create_symlink copy_file permissions chmod temp_directory_path current_path canonical weakly_canonical absolute '
         'directory_iterator recursive_directory_iterator getenv setenv system popen fork execv execve posix_spawn socket '
         'connect bind listen kill raise signal sigaction pthread_sigmask pthread_create sigtimedwait sigwait abort _exit exit workbook_new '
         'workbook_new_opt HPDF_LoadTTFontFromFile HPDF_SaveToFile HPDF_LoadPngImageFromFile').split()
STANDARD = 'rename remove thread jthread async cin cout cerr clog ifstream ofstream fstream'.split()
HEADERS = 'fcntl.h unistd.h poll.h signal.h csignal fstream iostream thread future'.split()
CALL = re.compile(rf"(?<![\w.>\"-])(?:::|std::|fs::|std::filesystem::)*({'|'.join(CALLS)})(?:\s+\w+)?[({{]|"
                  rf"(?<![\w>])::({'|'.join(WORDS)})\(|\b(?:std|fs)::({'|'.join(STANDARD)})\b|\b((?:out|err)_? <<)|\b(?:in|in_)\.(get|getline|read|readsome|rdbuf|peek)\(")
HEADER = re.compile(rf"^#include <({'|'.join(HEADERS)}|sys/[a-z]+\.h)>", re.MULTILINE)
COMMENT = re.compile(r'//.*|"(?:[^"\\\n]|\\.)*"')


def calls_of(text):
    """What is called, and the headers without which the rest could not be; only calls stand in the table."""
    plain = COMMENT.sub('""', text)
    return {word for words in CALL.findall(plain) for word in words if word}, set(HEADER.findall(text))


def found():
    places = {}
    for path in sorted([*SOURCE.glob('generator/**/*.cc'), *SOURCE.glob('generator/**/*.h')]):
        calls, headers = calls_of(path.read_text())
        if calls or headers:
            places[str(path.relative_to(SOURCE / 'generator'))] = calls
    return places


def listed():
    rows = re.findall(r'^\| `([^`]+)` \| ([^|]*) \| ([^|]+) \|$', TABLE.search(DOCUMENT.read_text())[1], re.MULTILINE)
    return {name: set(re.findall(r'`([^`]+)`', calls)) for name, calls, _ in rows}


def main():
    ours, theirs = found(), listed()
    faults = []
    for name in sorted(ours.keys() | theirs.keys()):
        faults += [f'generator/{name}: calls {call}, which the table of places in docs/reliability.md does not have'
                   for call in sorted(ours.get(name, set()) - theirs.get(name, set()))]
        faults += [f'docs/reliability.md: the table of places has {call} in {name}, where nothing calls it'
                   for call in sorted(theirs.get(name, set()) - ours.get(name, set()))]
    print('\n'.join(faults + [f'{len(ours)} places, {len(faults)} faults']))
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
