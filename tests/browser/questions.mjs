// SPDX-License-Identifier: Apache-2.0
// The five questions of a newcomer: each from the first page, by real clicks, at most two of them, and the
// answer read with the figures of sheet.json.

import assert from 'node:assert/strict';
import { check } from './checks.mjs';
import { addressOf, close, open } from './site.mjs';

const GIB = 2 ** 30;
const grouped = (value, places = 0) => value.toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places });
const plain = (text) => text.replace(/[\s\u00a0]+/g, ' ');

/** Clicks what `locator` finds and counts the click. */
async function click(page, locator) {
  page.clicks = (page.clicks ?? 0) + 1;
  await locator.click();
  await page.waitForLoadState('load');
}

async function ask(browser, site, question, answer) {
  const page = await open(browser, site, 'index.html');
  await click(page, page.locator('.questions a', { hasText: question }));
  await answer(page);
  assert.ok(page.clicks <= 2, `${page.clicks} clicks`);
  assert.deepEqual(page.complaints, []);
  await close(page);
}

/** What stands in the element that the address names, which must be seen. */
async function target(page) {
  const id = decodeURIComponent(new URL(await addressOf(page)).hash.slice(1));
  const element = page.locator(`[id="${id}"]`);
  await element.waitFor({ state: 'visible', timeout: 10000 });
  return plain(await element.innerText());
}

/** The rows of the highlighted model in the main scenario, by method. */
function asked(sheet) {
  const model = sheet.models.find((one) => one.id === sheet.options.highlight_model);
  const rows = sheet.rows.filter((row) => row.model === model.id && row.scenario === sheet.scenarios[0].id && row.modelled);
  const trains = (method) => rows.find((row) => row.method === method.id)?.parameters_trainable ?? Infinity;
  const method = sheet.methods.find((one) => trains(one) < model.parameters / 2);
  const setUp = (gpu, gpus) => `${grouped(gpus)} × ${sheet.gpus.find((one) => one.id === gpu).short_name}`;
  const shown = (id) => {
    const pick = sheet.picks.find((one) => one.model === model.id && one.method === id);
    return sheet.rows.find((row) => row.key === (pick.rent_pick ?? pick.buy_pick));
  };
  return { model, method, rows, setUp, shown };
}

async function smallest(page, sheet) {
  const { method, rows, setUp } = asked(sheet);
  const fitting = rows.filter((row) => row.method === method.id && row.minimum.rentable !== null);
  const run = (row) => row.list_usd_per_run ?? Infinity;
  fitting.sort((a, b) => a.minimum.rentable - b.minimum.rentable || run(a) - run(b));
  assert.match(await target(page), new RegExp(`Fewest GPUs needed ${setUp(fitting[0].gpu, fitting[0].minimum.rentable)}( |$)`));
}

async function fewer(page, sheet) {
  const { method, setUp, shown } = asked(sheet);
  const row = [method, ...sheet.methods].map((one) => shown(one.id)).find((one) => one?.fewer);
  const words = `${setUp(row.gpu, row.fewer.gpus)} needs ${grouped(row.fewer.device / GIB, 1)} GiB per GPU (`;
  const text = await target(page);
  assert.ok(text.includes(words), `${text.slice(0, 200)}\nlacks: ${words}`);
}

async function rentOrBuy(page, sheet) {
  const { model, method, shown } = asked(sheet);
  assert.match(await target(page), /^Rent or own, by hours of use per month/);
  const row = shown(method.id);
  const month = sheet.ownership.uses.find((use) => use.row_key === row.key).months.find((one) => one.hours_per_month === 200);
  const heads = await page.locator('#use-rows thead th').allInnerTexts();
  const at = heads.findIndex((head) => plain(head) === '200 h');
  const line = page.locator(`#use-rows tr[data-row="${row.key}"]`);
  assert.ok(plain(await line.locator('th').innerText()).startsWith(model.title));
  const cell = plain(await line.locator(':scope > *').nth(at).innerText());
  assert.equal(cell, `${grouped(month.rent_usd_per_month)} or ${grouped(month.own_usd_per_month)}`);
}

async function changed(page, sheet) {
  assert.match(await addressOf(page), /changes\.html$/);
  const counts = sheet.changes.summary.of_picks;
  assert.match(plain(await page.locator('h1').innerText()), new RegExp(sheet.changes.old.edition));
  const text = plain(await page.locator('main').innerText());
  assert.ok(text.includes(`${grouped(counts.picks)} picks compared: ${grouped(counts.breaking)} breaking, ${grouped(counts.notable)} notable`), text.slice(0, 300));
}

/** Without a baseline nobody is led to a page that has no answer. */
async function notAsked(browser, site) {
  const page = await open(browser, site, 'index.html');
  assert.equal(await page.locator('.questions a', { hasText: /What changed/ }).count(), 0);
  await close(page);
}

async function wrong(page, sheet) {
  const errors = sheet.accuracy.all.errors;
  const text = plain(await page.locator('main').innerText());
  const words = `median error ${(100 * errors.median).toFixed(1)} %, 90th percentile ${(100 * errors.p90).toFixed(1)} %`;
  assert.ok(text.includes(words), words);
}

export async function questions(browser, site, hasBaseline) {
  const sheet = JSON.parse(site.text('sheet.json'));
  const name = hasBaseline ? 'with a baseline' : 'without a baseline';
  await check(`${name}: smallest set-up for 70B LoRA`, () => ask(browser, site, /^Smallest set-up for 70B LoRA\?/, (page) => smallest(page, sheet)));
  await check(`${name}: why not one GPU fewer`, () => ask(browser, site, /^Why not fewer GPUs\?/, (page) => fewer(page, sheet)));
  await check(`${name}: rent or own at 200 h per month`, () => ask(browser, site, /^Rent or own at 200.h per month\?/, (page) => rentOrBuy(page, sheet)));
  await check(`${name}: what changed since last quarter`, () => (hasBaseline ? ask(browser, site, /^What changed since last quarter\?/, (page) => changed(page, sheet)) : notAsked(browser, site)));
  await check(`${name}: how wrong could this be`, () => ask(browser, site, /^How wrong could this be\?/, (page) => wrong(page, sheet)));
}
