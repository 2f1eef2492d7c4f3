# SPDX-License-Identifier: Apache-2.0
"""Runs the program where it cannot do its work: no rights, no streams, folders of others. Each case ends with exit 2 and
one clear line, and the old edition stays.
    python3 surroundings.py PROGRAM CATALOG
"""

import contextlib
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

from edition_state import manifest_agrees, state_of
from small_catalog import build_command, make_small_catalog

NOBODY = 65534
READER_GONE = 128 + signal.SIGPIPE
REQUEST = '{"model":"llama-3.2-1b","gpu":"h100-sxm","stack":"hf-trl","method":"lora-r16"}\n'
QUESTION = ('{"gpus":8,"gpus_per_node":8,"capex_usd_per_node":250000,"residual_share":0,"life_years":5,'
            '"cost_of_capital":0.08,"node_kw":10.2,"idle_power_share":0.35,"pue":1.3,"usd_per_kwh":0.08,'
            '"colo_usd_per_kw_month":150,"support_share_per_year":0.08,"staff_usd_per_year":0,"utilisation":0.7,'
            '"rent_usd_per_gpu_hour":3.82}\n')


class Bench:
    def __init__(self, program, catalog, scratch):
        self.program, self.scratch = str(shutil.copy(program, scratch)), scratch  # where any user may run it
        self.catalog = make_small_catalog(catalog, scratch / 'catalog', 'New title')
        self.earlier = make_small_catalog(catalog, scratch / 'earlier', 'Old title')
        self.old, self.new = self.edition('old', self.earlier), self.edition('new', self.catalog)
        self.counts, self.failed = {}, 0

    def edition(self, name, catalog):
        subprocess.run(build_command(self.program, catalog, self.scratch / name), check=True, stderr=subprocess.DEVNULL)
        return state_of(self.scratch / name)

    def fresh(self):
        """A copy of the old edition, as a build finds it."""
        shutil.rmtree(self.scratch / 'case', ignore_errors=True)
        (self.scratch / 'case').mkdir()
        shutil.copytree(self.scratch / 'old', self.scratch / 'case/output')
        return self.scratch / 'case/output'

    def expect(self, group, what, holds, detail=''):
        self.counts[group] = self.counts.get(group, 0) + 1
        if not holds:
            self.failed += 1
            print(f'FAILED {group}: {what}: {detail}')

    def refused(self, group, what, done, words, out):
        """Exit 2, the last line of the talk is just this, the old edition untouched."""
        told = (done.stderr or '').splitlines()
        last = told[-1] if told else ''
        self.expect(group, what, done.returncode == 2 and last == f'sizesheet: {words}',
                    f'exit {done.returncode}, said "{last}", expected "sizesheet: {words}"')
        self.expect(group, what, state_of(out) == self.old, 'the old edition changed')

    def build(self, out, catalog=None, **how):
        return subprocess.run(build_command(self.program, catalog or self.catalog, out), text=True,
                              **{'stderr': subprocess.PIPE, 'timeout': 60, **how})


def no_rights(bench):
    """Root may write anywhere, so a plain user tries; the folder is not his."""
    user = {} if os.geteuid() else {'user': NOBODY, 'group': NOBODY, 'extra_groups': []}
    out = bench.fresh()
    out.parent.chmod(0o555)
    done = bench.build(out, **user)
    out.parent.chmod(0o755)
    bench.refused('rights', 'a folder that may not be written', done, f'{out.parent}: cannot write here: Permission denied',
                  out)
    out.chmod(0o000)
    done = bench.build(out, **user)
    out.chmod(0o755)
    bench.refused('rights', 'an edition that may not be read', done, f'{out}: cannot open: Permission denied', out)


def no_temporary_folder(bench):
    out = bench.fresh()
    done = bench.build(out, env=dict(os.environ, TMPDIR='/nonexistent'))
    bench.refused('rights', 'no folder for temporary files', done,
                  'sheet.xlsx: no folder for temporary files (TMPDIR): No such file or directory', out)
    done = bench.build(bench.fresh(), env=dict(os.environ, TMPDIR=''))
    bench.expect('folders', 'a TMPDIR that is empty is as good as none', done.returncode == 0, done.stderr[-200:])


def other_folders(bench):
    out = bench.fresh()
    (out / 'thesis.txt').write_text('mine')
    done = bench.build(out)
    bench.expect('folders', 'a file of somebody else', done.returncode == 2 and done.stderr.endswith(
        f'sizesheet: {out}/thesis.txt: is not part of an edition, so the directory is not replaced\n'), done.stderr[-200:])
    (out / 'thesis.txt').unlink()
    outside = bench.scratch / 'outside'
    outside.mkdir()
    (outside / 'kept').write_text('kept')
    link = out.parent / 'link'
    link.symlink_to(outside)
    bench.refused('folders', 'a symbolic link for a folder', bench.build(link),
                  f'{link}: is a symbolic link; name the directory itself', out)
    for name in ('models', 'index.html'):
        out = bench.fresh()
        target = out / name
        shutil.rmtree(target) if target.is_dir() else target.unlink()
        target.symlink_to(outside)
        done = bench.build(out)
        bench.expect('folders', f'a symbolic link for {name}', done.returncode == 2 and done.stderr.endswith(
            f'{out}/{name}: is not part of an edition, so the directory is not replaced\n'), done.stderr[-200:])
    bench.expect('folders', 'nothing is written through a link', state_of(outside).keys() == {'kept'}, state_of(outside))
    for what, name, text, words in (
            ('a manifest of somebody else', 'manifest.json', '{"files": {"app.js": "main"}}',
             'manifest.json:/schema_version: expected 1, got nothing'),
            ('a file that somebody changed', 'index.html', 'mine',
             'index.html: has changed since the edition was written, so the directory is not replaced')):
        out = bench.fresh()
        (out / name).write_text(text)
        done = bench.build(out)
        bench.expect('folders', what, done.returncode == 2 and done.stderr.endswith(f'sizesheet: {out}/{words}\n')
                     and (out / name).read_text() == text, done.stderr[-200:])
    out = bench.fresh()
    bench.refused('folders', 'the working directory', bench.build(out, cwd=out),
                  f'{out}: is not replaced by an edition: the working directory is there', out)
    bench.refused('folders', 'a home directory', bench.build(out, env=dict(os.environ, HOME=str(out))),
                  f'{out}: is not replaced by an edition: it is a home directory', out)


def swap(out, outside, stop):
    """Puts a link to a folder of somebody else in the place of --out and back, as often as it can."""
    aside = out.parent.parent / 'aside'
    while not stop.is_set():
        try:
            out.rename(aside)
            out.symlink_to(outside)
            out.unlink()
            aside.rename(out)
        except OSError:  # the build was there in between, and what is at --out is its edition
            shutil.rmtree(aside, ignore_errors=True)


def races(bench, rounds=40):
    """Whatever the moment, nothing comes into or leaves the folder that the link leads to."""
    outside = bench.scratch / 'somebody'
    outside.mkdir()
    (outside / 'thesis.txt').write_text('mine')
    kept = state_of(outside)
    codes = []
    for _ in range(rounds):
        out = bench.fresh()
        stop = threading.Event()
        swapper = threading.Thread(target=swap, args=(out, outside, stop))
        swapper.start()
        codes.append(bench.build(out).returncode)
        stop.set()
        swapper.join()
        shutil.rmtree(bench.scratch / 'aside', ignore_errors=True)
        bench.expect('races', 'the folder of somebody else', state_of(outside) == kept, state_of(outside))
    bench.expect('races', 'each build is done or refused', set(codes) <= {0, 2}, codes)


@contextlib.contextmanager
def pipe_nobody_reads():
    """Its end to write to; the other one is closed already, so that no write comes before."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        yield write_end
    finally:
        os.close(write_end)


def streams(bench):
    words = dict.fromkeys(('estimate', 'cost'), 'the answers cannot be written to the output') | \
        {'sweep': 'the rows cannot be written to the output'}
    commands = {'list': (['list', 'models'], ''), 'estimate': (['estimate'], REQUEST * 2000), 'cost': (['cost'], QUESTION * 2000),
                'explain': (['explain', '--model', 'llama-3.2-1b', '--method', 'full', '--gpu', 'h100-sxm'], ''),
                'check': (['check'], ''), 'sweep': (['sweep', '--sheet', 'small'], ''), 'fits': (['fits', '--gpu', 'h100-sxm', '--gpus', '1', '--sheet', 'small'], '')}
    for name, (arguments, text) in commands.items():
        catalog = [] if name == 'cost' else ['--catalog', str(bench.catalog)]
        quoted = ' '.join([bench.program, *arguments, *catalog])
        for what, shell in (('closed', f'{quoted} >&-'), ('full', f'{quoted} >/dev/full'), ('a pipe nobody reads', quoted)):
            with pipe_nobody_reads() as pipe:
                done = subprocess.run(['bash', '-c', shell], input=text, text=True, stdout=pipe, stderr=subprocess.PIPE, timeout=60)
            gone = what == 'a pipe nobody reads'  # ends as every tool in a pipe does, and says nothing
            expected = (READER_GONE, '') if gone else (2, f"sizesheet: {words.get(name, 'stdout: could not be written')}\n")
            bench.expect('streams', f'{name}, stdout {what}', (done.returncode, done.stderr) == expected,
                         f'{done.returncode} {done.stderr[-200:]}')
    out = bench.fresh()
    shell = ' '.join(build_command(bench.program, bench.catalog, out))
    with pipe_nobody_reads() as pipe:
        done = subprocess.run(['bash', '-c', shell], stdout=pipe, stderr=pipe, timeout=60)
    bench.expect('streams', 'build, nobody reads its talk', done.returncode == 0 and state_of(out) == bench.new, done.returncode)
    for what in ('2>&-', '<&-', '>&- 2>&- <&-'):
        out = bench.fresh()
        done = subprocess.run(['bash', '-c', f'{shell} {what}'], capture_output=True, timeout=60)
        bench.expect('streams', f'build {what}', done.returncode == 0 and state_of(out) == bench.new, done.returncode)


def progress(bench):
    """What a terminal is told of a long sweep; nothing else is."""
    command = [bench.program, 'sweep', '--catalog', str(bench.catalog), '--sheet', 'small', '--out',
               str(bench.fresh().parent / 'cells.csv')]
    ours, theirs = pty.openpty()
    done = subprocess.run(command, stderr=theirs, timeout=60)
    os.close(theirs)
    told = os.read(ours, 65536).decode().rstrip('\r\n').split('\r\x1b[K')[-1]
    os.close(ours)
    bench.expect('progress', 'cells, rate and time left', done.returncode == 0 and
                 re.fullmatch(r'([\d,]+) of \1 cells, [\d,]+ per second, 0 s left', told), told)
    quiet = subprocess.run(command, capture_output=True, timeout=60)
    bench.expect('progress', 'nothing off a terminal', (quiet.returncode, quiet.stdout, quiet.stderr) == (0, b'', b''), quiet.stderr)


def main(program, catalog, cases=(no_rights, no_temporary_folder, other_folders, races, streams, progress)):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder).chmod(0o755)
        bench = Bench(program, catalog, pathlib.Path(folder))
        for case in cases:
            case(bench)
    print(json.dumps({**bench.counts, 'failed': bench.failed}))
    return 1 if bench.failed else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
