// SPDX-License-Identifier: Apache-2.0
// What must hold of every page: clean markup, accessible in both schemes and at both widths, silent,
// and nothing fetched from outside the edition.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { HtmlValidate } from 'html-validate';
import { check } from './checks.mjs';
import { close, open } from './site.mjs';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // Written by hand here: boolean attributes, void elements without slash, and regions as <div>.
    'attribute-boolean-style': ['error', { style: 'omit' }],
    'form-dup-name': ['error', { shared: ['radio', 'checkbox'] }],
    'wcag/h32': 'off',  // filters act as one types; there is nothing to submit
    'long-title': 'off',
    'valid-id': ['error', { relaxed: true }],  // catalog ids hold dots
    'no-trailing-whitespace': 'off',
    'prefer-native-element': 'off',
  },
});

export async function markup(site, name) {
  const report = await validator.validateString(site.text(name), name);
  const messages = report.results.flatMap((result) =>
    result.messages.map((m) => `${name}:${m.line}:${m.column} ${m.ruleId}: ${m.message}`));
  assert.equal(messages.length, 0, `${messages.length} faults\n${messages.slice(0, 8).join('\n')}`);
}

/** Every link into the edition leads to a file that is there, and to an id that is there. */
export function links(site, name) {
  const missing = [];
  for (const [, href] of site.text(name).matchAll(/ href="([^"]*)"/g)) {
    if (/^(https:|data:)/.test(href)) continue;
    const target = new URL(href.replaceAll('&amp;', '&'), site.url(name));
    const file = decodeURIComponent(target.href.split('#')[0].slice(site.root.length));
    const id = decodeURIComponent(target.hash.slice(1));
    if (!site.has(file)) missing.push(href);
    else if (id && !site.text(file).includes(` id="${id}"`)) missing.push(href);
  }
  assert.deepEqual([...new Set(missing)].slice(0, 5), []);
}

const kWide = 1280;
const kNarrow = 360;

// A page has dozens of bills, and may have thousands of rows, that are alike. The first bills are looked at, all rows
// once, and in the other views the first of each table. The rest is taken out before: what is there costs time even unseen.
const kMoreBills = '#every-bill details:nth-of-type(n+4)';
const kMoreRows = 'tbody tr:nth-child(n+40)';

// What another scheme can break.
const kOfColours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

export async function accessible(page, { everyRow = false, colours = false } = {}) {
  await page.addScriptTag({ path: axePath }).catch(() => null);
  const present = await page.evaluate(() => typeof window.axe);
  if (present === 'undefined') {
    // The page's own policy forbids foreign scripts; axe then runs through the debugger.
    const { readFileSync } = await import('node:fs');
    await page.evaluate(readFileSync(axePath, 'utf8'));
  }
  const alike = everyRow ? kMoreBills : `${kMoreBills}, ${kMoreRows}`;
  await page.evaluate((selector) => document.querySelectorAll(selector).forEach((one) => one.remove()), alike);
  const options = { resultTypes: ['violations'], ...(colours ? { runOnly: kOfColours } : {}) };
  const result = await page.evaluate((how) => window.axe.run(how), options);
  const found = result.violations.map((v) => `${v.id} (${v.nodes.length}): ${v.nodes[0].target} ${v.nodes[0].failureSummary}`);
  assert.equal(found.length, 0, found.join('\n'));
}

export async function fits(page, width) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= width, `the page is ${wide} px wide at ${width}`);
}

/** Pages of one folder are drawn from one template: axe looks at the first and the last in every view, at others in one. */
function alike(names) {
  const folders = {};
  for (const name of names.filter((one) => one.includes('/'))) (folders[name.split('/')[0]] ??= []).push(name);
  return new Set(Object.values(folders).flatMap((some) => some.slice(1, -1)));
}

/** One page in both schemes: silent, in its width, accessible; `brief` with one view for axe. */
async function lookAt(browser, site, name, width, brief) {
  const page = await open(browser, site, name, { width });
  for (const scheme of ['light', 'dark']) {
    const label = `${name} ${scheme} ${width}`;
    await page.emulateMedia({ colorScheme: scheme });
    await check(`${label}: no sideways scrolling`, () => fits(page, width));
    await check(`${label}: silent, nothing from outside`, () => assert.deepEqual(page.complaints, []));
  }
  await check(`${name} ${width}: one h1, one main, a title`, async () => {
    const counts = await page.evaluate(() => [document.querySelectorAll('h1').length, document.querySelectorAll('main').length, document.title.length > 0]);
    assert.deepEqual(counts, [1, 1, true]);
  });
  await page.emulateMedia({ colorScheme: 'light' });
  if (!brief || width === kWide) {
    await check(`${name} light ${width}: axe`, () => accessible(page, { everyRow: width === kWide }));
  }
  // Dark and narrow has the elements of light and narrow in the colours of dark and wide.
  if (!brief && width === kWide) {
    await page.emulateMedia({ colorScheme: 'dark' });
    await check(`${name} dark ${width}: axe`, () => accessible(page, { colours: true }));
  }
  await close(page);
}

export async function everyPage(browser, site, names) {
  const brief = alike(names);
  for (const name of names) {
    await check(`${name}: html-validate`, () => markup(site, name));
    if (site.has('sheet.json')) await check(`${name}: links lead somewhere`, () => links(site, name));
    for (const width of [kWide, kNarrow]) await lookAt(browser, site, name, width, brief.has(name));
  }
}
