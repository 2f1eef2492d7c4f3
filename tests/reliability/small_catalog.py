# SPDX-License-Identifier: Apache-2.0
"""A catalog of the project's own files that builds an edition with every kind of file in a tenth of a second."""

import json
import pathlib
import shutil

MODELS = {'llama-3.2-1b', 'llama-3.2-3b', 'llama-2-70b'}  # the last is measured by PEFT's own runs
KEPT = {'measured': {'peft'}, 'conventions': {'sixteen-byte'}, 'models': MODELS, 'frameworks': set(),
        'advice': set(), 'worksheets': set(), 'labels': set()}  # the last four may be absent


def cut(folder, kept):
    for path in folder.rglob('*.json'):
        if path.parent.name != 'differences' and path.stem not in kept:
            path.unlink()
    if not any(folder.rglob('*.json')):
        shutil.rmtree(folder)


def keep_aliases(file):
    """Those of the models that are kept."""
    if not file.exists():
        return
    table = json.loads(file.read_text())
    table['aliases'] = [alias for alias in table['aliases'] if alias['model'] in MODELS]
    file.write_text(json.dumps(table, indent=2))


def keep_services(folder):
    """Rates for a size, and those for models that are kept."""
    for file in folder.glob('*.json'):
        table = json.loads(file.read_text())
        table['rows'] = [row for row in table['rows'] if MODELS.issuperset(row.get('models', []))]
        if table['rows']:
            file.write_text(json.dumps(table, indent=2))
        else:
            file.unlink()


def small_spec(quarterly, title):
    spec = dict(quarterly, id='small', title=title, highlight_model='llama-3.2-3b', methods=['lora-r16', 'full'],
                gpus=['h100-sxm'], max_gpus=8, series_seq_lens=[1024, 4096])
    spec['models'] = [{'id': 'llama-3.2-3b', 'size': '3B', 'note': 'Llama 3.2 3B'}]
    spec['scenarios'] = [dict(quarterly['scenarios'][0])]
    for of_other_models in ('handout', 'plan'):
        spec.pop(of_other_models, None)
    return spec


def make_small_catalog(catalog, target, title='Small sheet'):
    """Copies what a small sheet needs of `catalog` to `target`, with one sheet, `small`."""
    target = pathlib.Path(target)
    shutil.copytree(catalog, target)
    for name, kept in KEPT.items():
        if (target / name).is_dir():
            cut(target / name, kept)
    keep_aliases(target / 'model_aliases.json')
    keep_services(target / 'services')
    quarterly = json.loads((target / 'sheets/quarterly.json').read_text())
    (target / 'sheets/quarterly.json').unlink()
    (target / 'sheets/small.json').write_text(json.dumps(small_spec(quarterly, title), indent=2))
    return target


def build_command(program, catalog, out):
    return [str(program), 'build', '--catalog', str(catalog), '--sheet', 'small', '--out', str(out)]
