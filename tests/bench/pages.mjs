// SPDX-License-Identifier: Apache-2.0
// Measures the first paint of a page, the time of its filter, and the first answer of the calculator if the edition
// has one. Prints medians over fresh pages in headless Chromium.  node pages.mjs DIRECTORY [RUNS]

import { cpus } from 'node:os';
import { Site, startBrowser } from '../browser/site.mjs';

const [directory, asked = '15'] = process.argv.slice(2);
const runs = Number(asked);
if (!directory || !(runs >= 9)) {
  console.error('usage: node pages.mjs DIRECTORY [RUNS]   at least 9 runs');
  process.exit(2);
}
const median = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];

/** Milliseconds from the navigation to the first content on the screen. */
async function firstPaint(page) {
  return page.evaluate(() => new Promise((resolve) => {
    const tell = (list) => { for (const entry of list) if (entry.name === 'first-contentful-paint') resolve(entry.startTime); };
    tell(performance.getEntriesByType('paint'));
    new PerformanceObserver((list) => tell(list.getEntries())).observe({ type: 'paint', buffered: true });
  }));
}

/** Milliseconds from the event of a keystroke or a choice to the layout that follows it, with the rows
    of the first screens; and to the frame in which the last row stands. */
async function filterTimes(page, edit) {
  return page.evaluate(async (what) => {
    const field = document.querySelector(what.selector);
    const table = document.querySelector('table[data-filtered]');
    if (what.click) field.checked = !field.checked; else field.value = what.value;
    document.body.offsetHeight;
    const start = performance.now();
    field.dispatchEvent(new Event('input', { bubbles: true }));
    table.offsetHeight;
    const first = performance.now() - start;
    while (table.querySelector('tr[data-later]')) await new Promise((resolve) => { requestAnimationFrame(resolve); });
    table.offsetHeight;
    return [first, performance.now() - start];
  }, edit);
}

const kEdits = [
  ['filter by name', { selector: '#f-model', value: 'llama' }],
  ['filter by name, back to all', { selector: '#f-model', value: '' }],
  ['filter by method', { selector: 'input[name=method]', click: true }],
  ['filter by $/run', { selector: '#f-run', value: '500' }],
];

async function measure(browser, site, name) {
  const times = new Map([['first paint', []], ...kEdits.flatMap(([words]) => [[words, []], [`${words}, last row`, []]])]);
  for (let run = 0; run < runs; run += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(site.url(name), { waitUntil: 'load' });
    times.get('first paint').push(await firstPaint(page));
    for (const [words, edit] of kEdits) {
      const [first, last] = await filterTimes(page, edit);
      times.get(words).push(first);
      times.get(`${words}, last row`).push(last);
    }
    await context.close();
  }
  for (const [words, all] of times) print(name, words, all);
}

function print(name, words, all) {
  console.log(`${name.padEnd(15)} ${words.padEnd(38)} ${median(all).toFixed(1).padStart(7)} ms  (${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)})`);
}

/** Milliseconds from the navigation to the calculator's first answer, its engine loaded on the way. */
async function measureCalculator(browser, site, name) {
  const times = [];
  for (let run = 0; run < runs; run += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(site.url(name), { waitUntil: 'load' });
    // The page's content policy blocks waitForFunction.
    while (await page.evaluate(() => document.getElementById('answer').hidden)) await page.waitForTimeout(1);
    times.push(await page.evaluate(() => performance.now()));
    await context.close();
  }
  print(name, 'first answer', times);
}

const browser = await startBrowser();
try {
  const [cpu] = cpus();
  console.log(`${cpus().length} × ${cpu.model.trim()}, headless Chromium ${browser.version()}, medians of ${runs} runs`);
  const site = new Site(directory);
  for (const name of ['index.html', 'rows.html']) {
    console.log(`${name.padEnd(15)} ${Buffer.byteLength(site.text(name)).toLocaleString('en-US')} bytes`);
    await measure(browser, site, name);
  }
  if (site.has('calculator.html')) await measureCalculator(browser, site, 'calculator.html');
} finally {
  await browser.close();
}
