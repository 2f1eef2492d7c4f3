# SPDX-License-Identifier: Apache-2.0
"""What stands in a folder, and whether it is a whole edition."""

import hashlib
import json
import pathlib


def state_of(folder):
    """path -> SHA-256 of everything in it; None where there is no folder."""
    folder = pathlib.Path(folder)
    if not folder.exists():
        return None
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob('*')) if path.is_file()}


def manifest_agrees(folder):
    state = state_of(folder)
    listed = json.loads((pathlib.Path(folder) / 'manifest.json').read_text())['files']
    return listed == {name: digest for name, digest in state.items() if name != 'manifest.json'}
