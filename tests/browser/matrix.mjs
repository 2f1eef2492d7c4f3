// SPDX-License-Identifier: Apache-2.0
// The matrix in use: sorting, filters and their address, another GPU, links to bills, no script, paper.

import assert from 'node:assert/strict';
import { check } from './checks.mjs';
import { close, open, records } from './site.mjs';

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
  const page = await open(browser, site, 'index.html');
  const rows = await total(page);
  const method = page.locator('input[name=method]').first();
  await method.uncheck();
  const left = await shownRows(page);
  assert.ok(left < rows, 'a method less is fewer rows');
  assert.match(page.url(), /method=/);
  await page.reload();
  assert.equal(await shownRows(page), left, 'the address brings the filter back');
  await page.locator('#f-model').fill('no such model');
  assert.equal(await shownRows(page), 0);
  assert.match(await page.locator('#count').innerText(), /no row passes every filter/);
  await page.getByRole('button', { name: 'Clear' }).click();
  assert.equal(await shownRows(page), rows);
  await page.locator('#f-run').fill('1');
  const index = await column(page, '$/run');
  assert.ok((await values(page, index)).every((v) => v !== '' && Number(v) <= 1), 'at most 1 $ a run');
  assert.deepEqual(page.complaints, []);
  await close(page);
}

async function otherGpu(browser, site) {
  const page = await open(browser, site, 'index.html');
  const choices = await page.locator('#f-gpu option').count();
  await page.selectOption('#f-gpu', { index: choices - 1 });
  const differing = await page.evaluate(() => {
    const gpu = document.getElementById('f-gpu').value;
    const heads = [...document.querySelectorAll('#matrix thead tr')[1].cells];
    const at = heads.findIndex((head) => head.dataset.gpu === gpu);
    const run = heads.findIndex((head) => head.dataset.name === '$/run');
    const list = new Map([...document.querySelectorAll('#rows tr[data-row]')].map((row) => [row.dataset.row, row]));
    return [...document.querySelectorAll('#matrix tbody tr')].filter((row) => {
      const line = list.get(row.cells[at].dataset.key);
      return line && row.cells[run].textContent !== line.cells[10].textContent;
    }).length;
  });
  assert.equal(differing, 0, 'the money columns are those of the chosen GPU');
  await page.selectOption('#f-gpu', '');
  assert.deepEqual(page.complaints, []);
  await close(page);
}

async function bill(browser, site) {
  const page = await open(browser, site, 'index.html');
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

async function withoutScript(browser, site) {
  const page = await open(browser, site, 'index.html', { script: false });
  assert.ok(!(await page.locator('#filters').isVisible()), 'no filters that would do nothing');
  assert.equal(await page.locator('#matrix button').count(), 0, 'no buttons that would do nothing');
  const rows = page.locator('#matrix tbody tr');
  assert.ok((await rows.count()) > 0 && (await rows.last().isVisible()), 'all rows are there');
  await close(page);
}

async function keyboard(browser, site) {
  const page = await open(browser, site, 'index.html');
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
  const page = await open(browser, site, 'index.html', { scheme: 'dark' });
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  assert.ok(!(await page.locator('#filters').isVisible()), 'no filters on paper');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.locator('#matrix thead button').count(), 0, 'heads are plain text on paper');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  assert.ok((await page.locator('#matrix thead button').count()) > 0, 'and buttons again on the screen');
  await close(page);
}

async function exportEqualsTable(browser, site) {
  const page = await open(browser, site, 'index.html');
  const table = await page.evaluate(() => [...document.querySelectorAll('#rows tr[data-row]')].map((row) => [row.dataset.row, row.cells[10].dataset.v]));
  const csv = records(site.text('sheet.csv')).map((r) => [`${r.model_id}/${r.method_id}/${r.gpu_id}/${r.scenario_id}`, r.list_usd_per_run]);
  assert.equal(csv.length, table.length, 'as many lines as rows');
  const number = (rows) => rows.map(([key, usd]) => [key, usd === '' ? null : Number(usd)]).sort();
  assert.deepEqual(number(csv), number(table));
  await close(page);
}

export async function matrix(browser, site) {
  const page = await open(browser, site, 'index.html');
  await check('sorting by $/run, both ways', () => sorting(page));
  await check('sorting is silent', () => assert.deepEqual(page.complaints, []));
  await close(page);
  await check('filters, their address, and Clear', () => filtering(browser, site));
  await check('another GPU in the money columns', () => otherGpu(browser, site));
  await check('a count leads to its bill', () => bill(browser, site));
  await check('complete without script', () => withoutScript(browser, site));
  await check('keyboard: skip link, rings, sorting', () => keyboard(browser, site));
  await check('paper: light, no controls, plain heads', () => onPaper(browser, site));
  if (site.has('sheet.csv')) await check('sheet.csv has the rows of the table', () => exportEqualsTable(browser, site));
}
