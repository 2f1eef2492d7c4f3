// SPDX-License-Identifier: Apache-2.0
// The matrix in use: sorting, filters and their address, another GPU, links to bills, no script, paper.

import assert from 'node:assert/strict';
import { check } from './checks.mjs';
import { addressOf, close, open } from './site.mjs';

const column = (page, name) => page.evaluate((wanted) => {
  const head = [...document.querySelectorAll('#matrix thead tr')][1];
  return [...head.cells].findIndex((cell) => cell.dataset.name === wanted);
}, name);

const values = (page, index) => page.evaluate((i) => [...document.querySelectorAll('#matrix tbody tr:not([hidden])')].map((row) => row.cells[i].dataset.v), index);

const shownRows = (page) => page.evaluate(() => document.querySelectorAll('#matrix tbody tr:not([hidden])').length);

const total = (page) => page.evaluate(() => document.querySelectorAll('#matrix tbody tr').length);

async function sorting(page) {
  const index = await column(page, '$/run');
  const button = page.locator('#matrix thead th[data-name="$/run"] button');
  for (const [order, sign] of [['ascending', 1], ['descending', -1]]) {
    await button.click();
    const head = page.locator('#matrix thead th[data-name="$/run"]');
    assert.equal(await head.getAttribute('aria-sort'), order);
    const all = await values(page, index);
    const known = all.filter((v) => v !== '').map(Number);
    assert.deepEqual(known, [...known].sort((a, b) => sign * (a - b)));
    assert.ok(all.slice(known.length).every((v) => v === ''), 'unknown stands last');
  }
  assert.match(await page.locator('#count').innerText(), /by \$\/run/);
}

async function filtering(browser, site) {
  const page = await open(browser, site, 'gpus-needed.html');
  const rows = await total(page);
  const method = page.locator('input[name=method]').first();
  await method.uncheck();
  const left = await shownRows(page);
  assert.ok(left < rows, 'a method less is fewer rows');
  assert.match(await addressOf(page), /method=/);
  await page.reload();
  assert.equal(await shownRows(page), left, 'the address brings the filter back');
  await page.locator('#f-model').fill('no such model');
  assert.equal(await shownRows(page), 0);
  assert.match(await page.locator('#count').innerText(), /no row passes every filter/);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  assert.equal(await shownRows(page), rows);
  await page.locator('#f-run').fill('1');
  const index = await column(page, '$/run');
  assert.ok((await values(page, index)).every((v) => v !== '' && Number(v) <= 1), 'at most 1 $ per run');
  assert.deepEqual(page.complaints, []);
  await close(page);
}

/** Keys of the rows of sheet.json in the main scenario, without it, with their row. */
function mainRows(site) {
  const sheet = JSON.parse(site.text('sheet.json'));
  const main = sheet.scenarios[0].id;
  return new Map(sheet.rows.filter((row) => row.scenario === main).map((row) => [`${row.model}/${row.method}/${row.gpu}`, row]));
}

async function otherGpu(browser, site) {
  const page = await open(browser, site, 'gpus-needed.html');
  const run = await column(page, '$/run');
  const before = await page.locator('#matrix tbody').innerText();
  const known = mainRows(site);
  const gpus = await page.locator('#f-gpu option').evaluateAll((all) => all.map((one) => one.value).filter(Boolean));
  for (const gpu of [gpus[gpus.length - 1], gpus[0]]) {
    await page.selectOption('#f-gpu', gpu);
    await page.locator(`#matrix thead th.on[data-gpu="${gpu}"]`).waitFor();
    const shown = await page.evaluate(([id, at]) => [...document.querySelectorAll('#matrix tbody tr')].map((row) => {
      const cell = [...row.cells].find((one) => one.id.endsWith(`/${id}`));
      return [cell.id, row.cells[at].dataset.v];
    }), [gpu, run]);
    assert.ok(shown.length > 0);
    for (const [id, v] of shown) {
      const usd = known.get(id).list_usd_per_run;
      assert.equal(v === '' ? null : Number(v), usd, `${id}: the money columns are those of the chosen GPU`);
    }
  }
  await page.reload();
  await page.locator('#matrix thead th.on').waitFor();
  await page.selectOption('#f-gpu', '');
  assert.equal(await page.locator('#matrix tbody').innerText(), before, 'and again those of the cheapest run');
  assert.deepEqual(page.complaints, []);
  await close(page);
}

/** Nothing passes: the page names the filters that are to blame, and a press on one brings rows back. */
async function nothingLeft(browser, site) {
  const page = await open(browser, site, 'gpus-needed.html');
  await page.locator('#f-run').fill('0.0001');
  assert.equal(await shownRows(page), 0);
  assert.match(await page.locator('.empty').innerText(), /No row passes every filter\. Loosen one:/);
  const blamed = page.locator('.empty button');
  assert.deepEqual(await blamed.evaluateAll((all) => all.map((one) => one.textContent)), [`$/run, at most (${await total(page)} rows)`, 'Clear all']);
  await blamed.first().focus();
  await page.keyboard.press('Enter');
  assert.equal(await shownRows(page), await total(page));
  assert.equal(await page.evaluate(() => document.activeElement.id), 'f-run', 'the focus is where the value was');
  assert.ok(!(await page.locator('.empty').isVisible()));
  await page.locator('#f-run').fill('0.0001');
  await page.locator('#f-model').fill('no such model');
  assert.match(await page.locator('.empty').innerText(), /No single filter is to blame/);
  await page.getByRole('button', { name: 'Clear all' }).click();
  assert.equal(await shownRows(page), await total(page));
  assert.deepEqual(page.complaints, []);
  await close(page);
}

/** The address of a cell marks it, and every cell with a count has one. */
async function cellAddress(browser, site) {
  const page = await open(browser, site, 'gpus-needed.html');
  const ids = await page.locator('#matrix tbody td.g:has(a)').evaluateAll((all) => all.map((one) => one.id));
  assert.deepEqual(new Set(ids), new Set(mainRows(site).keys()));
  await page.goto(`${site.url('gpus-needed.html')}#${ids[ids.length - 1]}`);
  assert.equal(await page.evaluate(() => document.querySelector('td:target')?.id), ids[ids.length - 1]);
  await close(page);
}

async function bill(browser, site) {
  const page = await open(browser, site, 'gpus-needed.html');
  const links = page.locator('#matrix tbody td.g a');
  for (const index of [0, (await links.count()) - 1]) {
    const href = await links.nth(index).getAttribute('href');
    await links.nth(index).click();
    await page.waitForLoadState('load');
    // Fails by its own time limit when the bill stays folded.
    await page.locator(`[id="${href.split('#')[1]}"]`).waitFor({ state: 'visible', timeout: 10000 });
    await page.goBack();
  }
  assert.deepEqual(page.complaints, []);
  await close(page);
}

/** From a bill, Back leads to the matrix as it was filtered and sorted. */
async function backAgain(browser, site) {
  const page = await open(browser, site, 'gpus-needed.html');
  await page.locator('#f-model').fill('70b');
  await page.locator('#matrix thead th[data-name="$/run"] button').click();
  const index = await column(page, '$/run');
  const left = await values(page, index);
  assert.ok(left.length > 0 && left.length < (await total(page)));
  await page.locator('#matrix tbody tr:not([hidden]) td.g a').first().click();
  await page.waitForURL(/models\//);
  await page.goBack();
  assert.equal(await page.locator('#f-model').inputValue(), '70b');
  assert.deepEqual(await values(page, index), left);
  assert.deepEqual(page.complaints, []);
  await close(page);
}

async function withoutScript(browser, site) {
  const page = await open(browser, site, 'gpus-needed.html', { script: false });
  assert.ok(!(await page.locator('#filters').isVisible()), 'no filters that would do nothing');
  assert.equal(await page.locator('#matrix button').count(), 0, 'no buttons that would do nothing');
  const rows = page.locator('#matrix tbody tr');
  assert.ok((await rows.count()) > 0 && (await rows.last().isVisible()), 'all rows are there');
  await close(page);
}

async function keyboard(browser, site) {
  const page = await open(browser, site, 'gpus-needed.html');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press('Tab');
    const [what, width] = await page.evaluate(() => {
      const style = getComputedStyle(document.activeElement);
      return [document.activeElement.outerHTML.slice(0, 80), style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth)];
    });
    assert.ok(width >= 2, `no focus ring on ${what}`);
  }
  await page.locator('#matrix thead th[data-name="Hours"] button').focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#matrix thead th[data-name="Hours"]').getAttribute('aria-sort'), 'ascending');
  await close(page);
}

async function onPaper(browser, site) {
  const page = await open(browser, site, 'gpus-needed.html', { scheme: 'dark' });
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  assert.ok(!(await page.locator('#filters').isVisible()), 'no filters on paper');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.locator('#matrix thead button').count(), 0, 'heads are plain text on paper');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  assert.ok((await page.locator('#matrix thead button').count()) > 0, 'and buttons again on the screen');
  await close(page);
}

export async function matrix(browser, site) {
  const page = await open(browser, site, 'gpus-needed.html');
  await check('sorting by $/run, both ways', () => sorting(page));
  await check('sorting is silent', () => assert.deepEqual(page.complaints, []));
  await close(page);
  await check('filters, their address, and Clear', () => filtering(browser, site));
  await check('another GPU in the money columns', () => otherGpu(browser, site));
  await check('a count leads to its bill', () => bill(browser, site));
  await check('Back from a bill: filters and order as they were', () => backAgain(browser, site));
  await check('complete without script', () => withoutScript(browser, site));
  await check('keyboard: skip link, rings, sorting', () => keyboard(browser, site));
  await check('paper: light, no controls, plain heads', () => onPaper(browser, site));
  await check('no row left: what to loosen, and Clear', () => nothingLeft(browser, site));
  await check('every cell has an address', () => cellAddress(browser, site));
}
