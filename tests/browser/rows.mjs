// SPDX-License-Identifier: Apache-2.0
// The list of every row in use: filters, address, sorting, links, the export beside it.

import assert from 'node:assert/strict';
import { check } from './checks.mjs';
import { addressOf, close, open, records } from './site.mjs';

const shown = (page) => page.evaluate(() => [...document.querySelectorAll('#all-rows tbody tr:not([hidden])')].map((row) => row.id));

async function filtering(browser, site) {
  const sheet = JSON.parse(site.text('sheet.json'));
  const page = await open(browser, site, 'rows.html');
  assert.deepEqual(await shown(page), sheet.rows.map((row) => row.key));
  const gpu = sheet.gpus[sheet.gpus.length - 1];
  await page.selectOption('#f-gpu', gpu.short_name);
  await page.selectOption('#f-verdict', 'fits');
  const wanted = sheet.rows.filter((row) => row.gpu === gpu.id && row.verdict === 'fits' && row.memory.certain).map((row) => row.key);
  assert.ok(wanted.length > 0);
  assert.deepEqual(await shown(page), wanted);
  await page.reload();
  assert.deepEqual(await shown(page), wanted, 'the address brings the filters back');
  await page.locator('#f-model').fill('no such model');
  assert.match(await page.locator('.empty').innerText(), /Loosen one:/);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  assert.deepEqual(await shown(page), sheet.rows.map((row) => row.key));
  assert.deepEqual(page.complaints, []);
  await close(page);
}

async function sorting(browser, site) {
  const page = await open(browser, site, 'rows.html');
  await page.getByRole('button', { name: 'Spot, $/run' }).click();
  const values = await page.evaluate(() => [...document.querySelectorAll('#all-rows tbody tr')].map((row) => row.cells[12].dataset.v));
  const known = values.filter((v) => v !== '').map(Number);
  assert.ok(known.length > 0);
  assert.deepEqual(known, [...known].sort((a, b) => a - b));
  assert.ok(values.slice(known.length).every((v) => v === ''), 'unknown stands last');
  assert.match(await addressOf(page), /sort=12/);
  await close(page);
}

async function links(browser, site) {
  const sheet = JSON.parse(site.text('sheet.json'));
  const key = sheet.rows[sheet.rows.length - 1].key;
  const page = await open(browser, site, `rows.html#${key}`);
  assert.equal(await page.evaluate(() => document.querySelector('tr:target')?.id), key);
  await page.locator(`[id="${key}"] a`).click();
  await page.waitForLoadState('load');
  const id = decodeURIComponent(new URL(await addressOf(page)).hash.slice(1));
  await page.locator(`[id="${id}"]`).waitFor({ state: 'visible', timeout: 10000 });
  await page.goto(`${site.url('index.html')}#every-row`);
  await page.locator('#every-row a').first().click();
  await page.waitForURL(/rows\.html$/);
  assert.deepEqual(page.complaints, []);
  await close(page);
}

async function withoutScript(browser, site) {
  const page = await open(browser, site, 'rows.html', { script: false });
  assert.ok(!(await page.locator('#filters').isVisible()), 'no filters that would do nothing');
  assert.ok(await page.locator('#all-rows tbody tr').last().isVisible(), 'all rows are there');
  await close(page);
}

async function exportEqualsTable(browser, site) {
  const page = await open(browser, site, 'rows.html');
  const table = await page.evaluate(() => [...document.querySelectorAll('#all-rows tbody tr')].map((row) => [row.id, row.cells[11].dataset.v]));
  const csv = records(site.text('sheet.csv')).map((r) => [`${r.model_id}/${r.method_id}/${r.gpu_id}/${r.scenario_id}`, r.list_usd_per_run]);
  assert.equal(csv.length, table.length, 'as many lines as rows');
  const number = (rows) => rows.map(([key, usd]) => [key, usd === '' ? null : Number(usd)]).sort();
  assert.deepEqual(number(csv), number(table));
  await close(page);
}

async function prices(browser, site) {
  const sheet = JSON.parse(site.text('sheet.json'));
  const page = await open(browser, site, 'prices.html');
  const standing = (selector) => page.evaluate((s) => document.querySelectorAll(s + ' tbody tr:not([hidden])').length, selector);
  const counting = sheet.prices.filter((price) => price.excluded === '');
  assert.equal(await standing('#price-rows'), counting.length);
  assert.equal(await standing('#other-prices'), sheet.prices.length - counting.length);
  const used = counting.find((price) => price.used);
  await page.selectOption('#f-gpu', sheet.gpus.find((gpu) => gpu.id === used.gpu).short_name);
  await page.selectOption('#f-tier', { index: 1 });
  await page.locator('#f-model').fill(used.provider);
  const wanted = counting.filter((price) => price.gpu === used.gpu && price.tier === 'on_demand' && price.provider.includes(used.provider));
  assert.equal(await standing('#price-rows'), wanted.length);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  assert.equal(await standing('#price-rows'), counting.length);
  assert.deepEqual(page.complaints, []);
  await close(page);
}

export async function everyRow(browser, site) {
  await check('prices: filters of the offers that count', () => prices(browser, site));
  await check('rows: filters, their address, and Clear', () => filtering(browser, site));
  await check('rows: sorting', () => sorting(browser, site));
  await check('rows: an address a row, its bill, and the way from the matrix', () => links(browser, site));
  await check('rows: complete without script', () => withoutScript(browser, site));
  await check('rows: sheet.csv has the rows of the table', () => exportEqualsTable(browser, site));
}
