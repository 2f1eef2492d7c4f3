// SPDX-License-Identifier: Apache-2.0
// Prints a sheet of every model of a catalog, by the methods, GPUs and rules of the quarterly sheet,
// whose models alone go on the page to print:  node whole_catalog.mjs CATALOG > SPEC.json

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [catalog] = process.argv.slice(2);
if (!catalog) {
  console.error('usage: node whole_catalog.mjs CATALOG');
  process.exit(2);
}
const read = (...names) => JSON.parse(readFileSync(join(catalog, ...names), 'utf8'));

/** "70B" of "Llama 3.3 70B"; the id where the title has no size. */
const sizeOf = (model) => (model.title.match(/[\d.]+[BM]\b/) ?? [model.id])[0];

const sheet = read('sheets', 'quarterly.json');
const known = new Map(sheet.models.map((model) => [model.id, model]));
const all = readdirSync(join(catalog, 'models')).sort().map((file) => read('models', file));
sheet.handout = { models: sheet.models.map((model) => model.id) };
sheet.models = all.map((model) => known.get(model.id) ?? { id: model.id, size: sizeOf(model), note: model.title });
sheet.id = 'whole-catalog';
sheet.title = 'Every model of the catalog';
console.log(JSON.stringify(sheet, null, 2));
