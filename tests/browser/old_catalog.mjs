// SPDX-License-Identifier: Apache-2.0
// Writes a catalog as it might have been a quarter ago:  node old_catalog.mjs CATALOG DIRECTORY
// Prices are higher or lower, a GPU has none, one has more memory, a constant is another and a model
// goes by another name, so that a page of changes has something of every kind to show.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [from, to] = process.argv.slice(2);
if (!to) {
  console.error('usage: node old_catalog.mjs CATALOG DIRECTORY');
  process.exit(2);
}
cpSync(from, to, { recursive: true });

function change(name, edit) {
  const path = join(to, name);
  const value = JSON.parse(readFileSync(path, 'utf8'));
  edit(value);
  writeFileSync(path, JSON.stringify(value, null, 2));
}

const factors = { 'h100-sxm': 1.12, mi300x: 1.2, 'a100-80-sxm': 0.93, 'h200-sxm': 1.05, b200: 0.97 };
for (const file of readdirSync(join(to, 'prices'))) {
  change(`prices/${file}`, (prices) => {
    if (!Array.isArray(prices.rows)) return;
    prices.rows = prices.rows.filter((row) => row.gpu !== 'l40s');
    for (const row of prices.rows) {
      const factor = factors[row.gpu];
      if (factor && row.usd_per_instance_hour) row.usd_per_instance_hour = Number((row.usd_per_instance_hour * factor).toFixed(4));
    }
  });
}
change('gpus/rtx-5090.json', (gpu) => {
  for (const key of ['memory_gb', 'torch_total_gib', 'driver_total_gib']) {
    if (gpu[key]) gpu[key] = 2 * gpu[key];
  }
});
change('engine.json', (engine) => {
  engine.constants.find((constant) => constant.id === 'overhead.dynamic_share').current = 0.12;
});
const renamed = { from: 'llama-3.2-3b', to: 'llama-3.2-3b-draft' };
cpSync(join(to, 'models', `${renamed.from}.json`), join(to, 'models', `${renamed.to}.json`));
change(`models/${renamed.to}.json`, (model) => { model.id = renamed.to; });
change('sheets/quarterly.json', (sheet) => {
  sheet.edition = '2026-Q3';
  sheet.as_of = '2026-10-20';
  sheet.models.find((model) => model.id === renamed.from).id = renamed.to;
  sheet.handout.models = sheet.handout.models.map((id) => (id === renamed.from ? renamed.to : id));
});
