// SPDX-License-Identifier: Apache-2.0
// An edition of every model of the catalog: its matrix is whole, small and in use, with and without
// scripts, and every file says the same number of rows.  node whole_catalog.mjs DIRECTORY CATALOG

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { check, conclude } from './checks.mjs';
import { links, markup } from './every_page.mjs';
import { close, open, records, Site, startBrowser } from './site.mjs';

const kMostIndexBytesOfAModel = 6_000;
const [directory, catalog] = process.argv.slice(2);
if (!catalog) {
  console.error('usage: node whole_catalog.mjs DIRECTORY CATALOG');
  process.exit(2);
}
const site = new Site(directory);
const sheet = JSON.parse(site.text('sheet.json'));
const models = readdirSync(join(catalog, 'models')).map((file) => file.replace(/\.json$/, '')).sort();
const cells = models.length * sheet.methods.length * sheet.gpus.length;

function everyModel() {
  assert.deepEqual(sheet.models.map((model) => model.id).sort(), models);
  const main = sheet.rows.filter((row) => row.scenario === sheet.scenarios[0].id);
  assert.equal(main.length, cells);
  for (const model of models) assert.ok(site.has(`models/${model}.html`), model);
  assert.equal(records(site.text('sheet.csv')).length, sheet.rows.length);
}

async function matrixWithoutScript(browser) {
  const page = await open(browser, site, 'gpus-needed.html', { script: false });
  assert.equal(await page.locator('#matrix tbody tr').count(), models.length * sheet.methods.length);
  const ids = await page.locator('#matrix td.g[id] > a').evaluateAll((all) => all.map((link) => link.parentElement.id));
  assert.equal(new Set(ids).size, cells, 'a link and an address for every cell');
  await close(page);
}

async function matrixInUse(browser) {
  const page = await open(browser, site, 'gpus-needed.html');
  const shown = () => page.locator('#matrix tbody tr:not([hidden])').count();
  await page.locator('#f-model').fill('llama 70b');
  const named = sheet.models.filter((model) => /llama/i.test(model.title) && /70b/i.test(`${model.title} ${model.size}`));
  assert.ok(named.length > 1);
  assert.equal(await shown(), named.length * sheet.methods.length);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  assert.equal(await shown(), models.length * sheet.methods.length);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 1280, `${wide} px wide at 1280`);
  assert.deepEqual(page.complaints, []);
  await close(page);
}

const browser = await startBrowser();
try {
  await check('every model, method and GPU, in every file', everyModel);
  const most = kMostIndexBytesOfAModel * models.length;
  await check(`index.html under ${most} bytes`, () => assert.ok(statSync(join(directory, 'index.html')).size < most));
  for (const name of ['index.html', 'gpus-needed.html', 'rows.html', 'own.html']) {
    await check(`${name}: html-validate`, () => markup(site, name));
    await check(`${name}: links lead somewhere`, () => links(site, name));
  }
  await check('the matrix without script', () => matrixWithoutScript(browser));
  await check('the matrix in use', () => matrixInUse(browser));
  for (const name of ['index.html', 'rows.html', 'sheet.json', 'sheet.pdf', 'sheet.xlsx']) {
    console.log(`${name} ${statSync(join(directory, name)).size.toLocaleString('en-US')} bytes`);
  }
} catch (error) {
  await check('the run itself', () => { throw error; });
} finally {
  await browser.close();
}
process.exitCode = conclude();
