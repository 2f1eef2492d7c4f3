// SPDX-License-Identifier: Apache-2.0
// The page of changes in use: the figures against sheet.json, filters, sorting, no script, paper.

import assert from 'node:assert/strict';
import { check } from './checks.mjs';
import { close, open } from './site.mjs';

const kPage = 'changes.html';

const shownRows = (page) => page.locator('#pick-rows tbody tr:not([hidden])').count();

const texts = (page, selector) => page.locator(selector).allInnerTexts();

/** What the sheet says of its picks, against the cells of the page. */
async function figures(page, site) {
  const { changes } = JSON.parse(site.text('sheet.json'));
  const { totals } = changes.summary.of_picks;
  const moved = await page.evaluate(() => [...document.querySelectorAll('#pick-rows tbody .delta')].map((cell) => cell.dataset.v));
  const known = moved.filter((v) => v !== '').map(Number);
  const listed = changes.changes.filter((change) => change.of === 'pick');
  assert.equal(moved.length, listed.length);
  const sum = known.reduce((all, one) => all + one, 0);
  const quiet = totals.comparable - known.length;
  assert.ok(quiet > 0 || Math.abs(sum - totals.effects_usd.total) < 1e-6, `${sum} is not the total`);
  const sizes = known.map(Math.abs);
  assert.deepEqual(sizes, [...sizes].sort((a, b) => b - a), 'largest first');
  const parts = await texts(page, '#effect-table tbody td:last-child');
  const value = (text) => Number(text.replace('−', '-').replaceAll(',', ''));
  const printed = parts.map(value);
  // Rounded so that they add up as printed: each within a cent of its own figure, the sum exact.
  const told = ['price', 'quantity', 'time', 'mix'].filter((part) => totals.effects_usd[part] !== 0);
  assert.equal(printed.length, told.length, 'a part that is 0 is left out');
  for (const [i, part] of told.entries()) {
    assert.ok(Math.abs(printed[i] - totals.effects_usd[part]) < 0.0101, `${part} is ${printed[i]}, in sheet.json ${totals.effects_usd[part]}`);
  }
  const cents = (usd) => Math.round(usd * 100);
  const wanted = cents(totals.new_usd) - cents(totals.old_usd);
  assert.equal(printed.reduce((sum, usd) => sum + cents(usd), 0), wanted);
  assert.equal(cents(value(await page.textContent('#effect-table tfoot td:last-child'))), wanted);
}

/** Banner and lead say one thing. */
async function banner(browser, site, page) {
  const index = await open(browser, site, 'index.html');
  const [said] = await texts(index, '.notice p span');
  const [lead] = await texts(page, '.lead');
  assert.ok(lead.startsWith(said), `${lead}\n${said}`);
  await index.locator('.notice a[href="changes.html"]').click();
  await index.waitForURL(/changes\.html$/);
  await close(index);
}

async function filtering(page) {
  const all = await shownRows(page);
  assert.ok(all > 5);
  await page.locator('#c-least').fill('15');
  const shares = await page.evaluate(() => [...document.querySelectorAll('#pick-rows tbody tr:not([hidden]) .share')].map((cell) => Math.abs(Number(cell.dataset.v))));
  assert.ok(shares.length > 0 && shares.length < all && shares.every((share) => share >= 15));
  assert.equal((await page.locator('#pick-count').innerText()).trim(), `${shares.length} of ${all} rows`);
  await page.locator('#c-least').fill('');
  await page.locator('#c-model').fill('no such model');
  assert.equal(await shownRows(page), 0);
  await page.locator('#c-model').fill('LLAMA 8b');
  assert.ok((await shownRows(page)) > 0);
  await page.locator('#c-model').fill('');
  for (const level of ['breaking', 'notable', 'detail']) {
    await page.selectOption('#c-level', level);
    const levels = await texts(page, '#pick-rows tbody tr:not([hidden]) .level');
    assert.ok(levels.every((one) => one === level));
  }
  await page.selectOption('#c-level', '');
  assert.equal(await shownRows(page), all);
}

async function sorting(page) {
  await page.getByRole('button', { name: '%', exact: true }).first().click();
  const shares = await page.evaluate(() => [...document.querySelectorAll('#pick-rows tbody .share')].map((cell) => cell.dataset.v));
  const known = shares.filter((v) => v !== '').map(Number);
  assert.deepEqual(known, [...known].sort((a, b) => a - b));
  assert.ok(shares.slice(known.length).every((v) => v === ''), 'unknown stands last');
}

async function withoutScript(browser, site) {
  const page = await open(browser, site, kPage, { script: false });
  assert.equal(await page.locator('#change-filters').isVisible(), false);
  assert.ok(await page.locator('#pick-rows tbody tr').last().isVisible());
  await close(page);
}

async function order(page) {
  const heads = await page.evaluate(() => [...document.querySelectorAll('main section')].map((section) => section.id));
  const wanted = ['effects', 'verdicts', 'picks', 'changed-rows'];
  assert.deepEqual(heads.filter((id) => wanted.includes(id)), wanted);
}

async function paper(browser, site) {
  const page = await open(browser, site, kPage, { scheme: 'dark' });
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('#change-filters').isVisible(), false);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  await close(page);
}

export async function changes(browser, site) {
  const page = await open(browser, site, kPage);
  await check('changes: figures are those of sheet.json', () => figures(page, site));
  await check('changes: verdicts before money', () => order(page));
  await check('changes: the banner says what the page says', () => banner(browser, site, page));
  await check('changes: filters', () => filtering(page));
  await check('changes: sorting', () => sorting(page));
  await check('changes: silent', () => assert.deepEqual(page.complaints, []));
  await close(page);
  await check('changes: without a script', () => withoutScript(browser, site));
  await check('changes: on paper', () => paper(browser, site));
  await check('changes: under 1 MB', () => assert.ok(site.text(kPage).length < 1e6));
}
