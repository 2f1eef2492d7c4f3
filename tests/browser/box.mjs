// SPDX-License-Identifier: Apache-2.0
// The box of the first page: it answers each job as the sheet picks it, knows what fits on the GPUs that somebody has, marks
// what cannot be read, and keeps the question in the address.

import assert from 'node:assert/strict';
import { check } from './checks.mjs';
import { addressOf, close, open } from './site.mjs';

const plain = (text) => text.replace(/[\s\u00a0]+/g, ' ').trim();

async function said(page) {
  await page.waitForTimeout(50);
  return plain(await page.locator('#box-answer').innerText());
}

/** The first answer comes once its script is read, which takes longer on a busy machine. */
async function firstSaid(page, pattern) {
  await page.locator('#box-answer', { hasText: pattern }).waitFor();
  return said(page);
}

/** The line of a job in the table: what is rented, from whom. */
const line = (page, model, method) => page.evaluate((id) => {
  const cells = [...document.getElementById(id).cells].map((cell) => {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll('.unsure, .one, .vh').forEach((one) => one.remove());
    return copy.textContent.replace(/[\s\u00a0]+/g, ' ').trim();
  });
  return { setUp: cells[2], usd: cells[3], seller: cells[6] };
}, `j-${model}/${method}`);

/** In another order than the page begins with, so that every answer is worked out anew. */
async function everyJob(browser, site, sheet) {
  const page = await open(browser, site, 'index.html');
  await page.fill('#b-tokens', '1M');
  await page.locator('#box-figures').waitFor();
  for (const pick of sheet.picks.filter((one) => one.rent_pick)) {
    await page.selectOption('#b-model', pick.model);
    await page.selectOption('#b-method', pick.method);
    const tokens = sheet.methods.find((one) => one.id === pick.method).tokens;
    await page.fill('#b-tokens', String(tokens));
    const { setUp, seller, usd } = await line(page, pick.model, pick.method);
    const text = await said(page);
    assert.ok(text.includes(`${setUp} from ${seller} ${usd} (`), `${pick.model} ${pick.method}: ${text.slice(0, 160)}\nlacks ${setUp} from ${seller} ${usd}`);
  }
  assert.deepEqual(page.complaints, []);
  await close(page);
}

async function onOwnGpus(browser, site, sheet) {
  const page = await open(browser, site, 'index.html');
  const all = sheet.rows.filter((row) => row.scenario === sheet.scenarios[0].id);
  const main = all.filter((row) => row.minimum.rentable > 1);
  const row = main[main.length - 1];
  await page.selectOption('#b-model', row.model);
  await page.selectOption('#b-method', row.method);
  await page.selectOption('#b-gpu', row.gpu);
  await page.fill('#b-gpus', String(row.minimum.rentable));
  assert.match(await said(page), /Fits on /, 'the fewest that fit do fit');
  const fit = new Set(all.filter((one) => one.gpu === row.gpu && one.minimum.rentable && one.minimum.rentable <= row.minimum.rentable)
    .map((one) => one.model + '/' + one.method));
  const summary = plain(await page.locator('#box-all summary').innerText());
  assert.equal(summary, `Every job of this sheet on the same GPUs: ${fit.size} of ${sheet.picks.length} fit`);
  await page.fill('#b-gpus', String(row.minimum.rentable - 1));
  assert.match(await said(page), /Does not fit on /);
  await page.fill('#b-gpus', '');
  assert.ok(!(await page.locator('#box-all').isVisible()), 'without GPUs of one’s own there is no such table');
  await close(page);
}

/** Runs per month decide between rent and own where the sheet has a break-even. */
async function demand(browser, site, sheet) {
  const page = await open(browser, site, 'index.html');
  const pick = sheet.picks.find((one) => one.own && one.own.break_even_runs_per_month && one.own.rent_usd_per_run);
  await page.selectOption('#b-model', pick.model);
  await page.selectOption('#b-method', pick.method);
  const even = pick.own.break_even_runs_per_month;
  await page.fill('#b-runs', String(Math.max(1, Math.floor(even) - 1)));
  assert.match(await firstSaid(page, /Rent: /), new RegExp(`Rent: [\\s\\S]*Owning is cheaper from ${even.toFixed(even < 10 ? 1 : 0)} runs per month\\.`));
  await page.fill('#b-runs', String(Math.ceil(even) + 1));
  assert.match(await firstSaid(page, /Own: /), /Own: [\s\S]* per month cost \$[\d,]+ if you rent/);
  // Three months' work in one takes more than three machines.
  await page.fill('#b-runs', String(Math.ceil(3 * 730 / pick.own.hours.mid) + 1));
  const many = /These runs need 4 such machines\./;
  assert.match(await firstSaid(page, many), many);
  // Beside GPUs of one's own the deadline and the runs stay in the question.
  await page.fill('#b-gpus', String(pick.own.gpus));
  await page.selectOption('#b-gpu', pick.own.gpu);
  await page.fill('#b-deadline', '60');
  const kept = /within 60 h[\s\S]*Runs per month [\d,]+ runs take [\d,.]+ h of the 730 h of a month/;
  assert.match(plain(await firstSaid(page, /runs take/)), kept);
  await close(page);
}

async function address(browser, site) {
  const page = await open(browser, site, 'index.html');
  const before = await said(page);
  await page.fill('#b-deadline', 'soon');
  const refusal = /Deadline, h: "soon" is no number/;
  assert.match(await firstSaid(page, refusal), refusal);
  await page.fill('#b-deadline', '20');
  assert.match(await addressOf(page), /#deadline=20$/);
  const asked = await said(page);
  await page.reload();
  await page.waitForTimeout(300);
  assert.equal(await said(page), asked, 'the address asks again');
  await page.fill('#b-deadline', '');
  assert.equal(await said(page), before, 'and without a question the page is as it was');
  await page.fill('#b-seq', '12345');
  assert.match(await said(page), /picks for sequences of [\d,]+( and [\d,]+)* tokens\./);
  assert.deepEqual(page.complaints, []);
  await close(page);
}

/** The pick at each other length that the sheet has picks for. */
async function otherLengths(browser, site, sheet) {
  const page = await open(browser, site, 'index.html');
  let asked = 0;
  for (const pick of sheet.picks) {
    for (const at of pick.at_lengths) {
      await page.selectOption('#b-model', pick.model);
      await page.selectOption('#b-method', pick.method);
      await page.fill('#b-seq', String(at.seq_len));
      const gpu = sheet.gpus.find((one) => one.id === at.gpu).short_name;
      const text = await said(page);
      assert.ok(text.includes(`${at.gpus.toLocaleString('en-US')} × ${gpu} from `), `${pick.model} ${pick.method} at ${at.seq_len}: ${text.slice(0, 160)}`);
      asked += 1;
    }
  }
  assert.ok(asked > 0 || sheet.picks.every((pick) => pick.at_lengths.length === 0));
  await close(page);
}

/** All but its start takes as long as its tokens: of the pick and of its second source. */
async function otherTokens(browser, site, sheet) {
  const page = await open(browser, site, 'index.html');
  const dollars = (text) => Number(/\$([\d,.]+)/.exec(text)[1].replace(/,/g, ''));
  let compared = 0;
  for (const pick of sheet.picks.filter((one) => one.second_source)) {
    await page.selectOption('#b-model', pick.model);
    await page.selectOption('#b-method', pick.method);
    const { usd, startup_share: start, gpu, gpus } = pick.second_source;
    const name = `${gpus.toLocaleString('en-US')} × ${sheet.gpus.find((one) => one.id === gpu).short_name}`;
    for (const factor of [0.02, 3]) {
      await page.fill('#b-tokens', String(factor * sheet.methods.find((one) => one.id === pick.method).tokens));
      const other = page.locator('#box-lines div', { hasText: 'Another seller' });
      const text = (await other.count()) > 0 ? plain(await other.innerText()) : '';
      if (!text.includes(`${name} from`)) continue;
      const expected = usd * (start + (1 - start) * factor);
      if (Math.abs(dollars(text) / expected - 1) < 0.06) compared += 1;
      else assert.ok(dollars(text) < expected, `${pick.model} ${pick.method} × ${factor}: ${text}, expected $${expected}`);
    }
  }
  assert.ok(compared > 0, 'no second source was compared');
  await close(page);
}

/** What somebody types by mistake, or a link brings: told, and never a fault of the script. */
async function oddAddresses(browser, site) {
  const page = await open(browser, site, 'index.html');
  const told = async (hash, pattern) => {
    await page.goto(site.url(`index.html${hash}`));
    assert.match(await firstSaid(page, pattern), pattern, hash);
  };
  await told('#gpus=1%2C5&gpu=h100-sxm', /How many GPUs I have: "1,5" can be read as 1\.5 or as 15/);
  await told('#gpus=eight&gpu=h100-sxm', /How many GPUs I have: "eight" is no number/);
  await told('#gpus=1e400', /is no whole number/);
  await told('#tokens=0', /Tokens: "0" is not from 1 to 1,000,000,000,000,000/);
  await told('#deadline=0', /Deadline, h: "0" is not from/);
  await told('#model=nothing', /Model: this sheet has no "nothing"/);
  await told('#gpu=nothing', /this sheet has no "nothing"/);
  await told('#gpu=H100&gpus=8', /8 × H100|Fits on 8/);
  await told('#deadline=90min', /within 90min/);
  for (const name of ['index.html', 'rows.html', 'prices.html', 'gpus-needed.html', 'method.html']) {
    for (const hash of ['#%', '#%E0%A4%A', '#=', '#__proto__=1', '#constructor', '#x=%']) {
      await page.goto(site.url(name + hash));
      await page.waitForTimeout(20);
    }
  }
  assert.deepEqual(page.complaints, []);
  await close(page);
}

async function menu(browser, site) {
  const page = await open(browser, site, 'index.html');
  assert.ok((await page.locator('.bar nav > ul > li').count()) <= 6, 'six entries at most');
  await page.click('.menu summary');
  assert.ok(await page.locator('.menu a').first().isVisible());
  await page.keyboard.press('Escape');
  assert.ok(!(await page.locator('.menu a').first().isVisible()));
  await close(page);
}

export async function box(browser, site) {
  const sheet = JSON.parse(site.text('sheet.json'));
  await check('the box answers every job as the sheet picks it', () => everyJob(browser, site, sheet));
  await check('the box on GPUs that somebody has', () => onOwnGpus(browser, site, sheet));
  await check('the box at other sequence lengths', () => otherLengths(browser, site, sheet));
  await check('the box at other tokens', () => otherTokens(browser, site, sheet));
  await check('odd addresses', () => oddAddresses(browser, site));
  await check('the box: runs per month decide between rent and own', () => demand(browser, site, sheet));
  await check('the box: what cannot be read, and its address', () => address(browser, site));
  await check('the bar and its menu', () => menu(browser, site));
}
