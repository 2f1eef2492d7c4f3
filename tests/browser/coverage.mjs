// SPDX-License-Identifier: Apache-2.0
// Looks up every feature that tests/browser/guides.md says the edition or a command shows. Alone, for some sections:
//   node tests/browser/coverage.mjs EDITION CHANGED_EDITION PROGRAM [SECTION…]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { check, conclude } from './checks.mjs';
import { checkNumbers, coverageRows, kDeclined, kLines } from './coverage_rows.mjs';
import { close, open, Site, startBrowser } from './site.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const collapsed = (text) => text.replace(/\s+/g, ' ').trim();

/** Where features are looked up: pages are opened once, commands run once. */
class Places {
  constructor(browser, site, changedSite, program) {
    Object.assign(this, { browser, site, changedSite, program, pages: new Map(), answers: new Map() });
  }

  /** The text of all that a selector finds: `page.html selector`, or `changed/page.html selector`. */
  async pageText(where) {
    const [name, ...rest] = where.split(' ');
    const selector = rest.join(' ');
    assert.ok(selector, `${where}: a page without a selector`);
    if (!this.pages.has(name)) {
      const changed = name.startsWith('changed/');
      const site = changed ? this.changedSite : this.site;
      this.pages.set(name, await open(this.browser, site, changed ? name.slice('changed/'.length) : name, { script: false }));
    }
    const texts = await this.pages.get(name).$$eval(selector, (found) => found.map((one) => one.textContent));
    assert.ok(texts.length > 0, `${where}: the selector finds nothing`);
    return collapsed(texts.join(' '));
  }

  /** What a command prints: `sizesheet … < 'one line of stdin'`; {edition} and {changed} are the editions. */
  commandText(where) {
    if (!this.answers.has(where)) {
      const [, words, input] = where.match(/^sizesheet (.*?)(?: < '(.*)')?$/);
      const paths = { '{edition}': this.site.directory, '{changed}': this.changedSite.directory };
      const args = words.split(' ').map((word) => paths[word] ?? word);
      const ran = spawnSync(this.program, args, { cwd: root, input: input ?? '', encoding: 'utf8', maxBuffer: 1 << 28 });
      assert.ok(ran.status === 0 || ran.status === 1, `${where}: exit code ${ran.status}, ${ran.stderr}`);
      this.answers.set(where, collapsed(ran.stdout));
    }
    return this.answers.get(where);
  }

  text(where) {
    return where.startsWith('sizesheet ') ? this.commandText(where) : this.pageText(where);
  }

  async close() {
    for (const page of this.pages.values()) await close(page);
  }
}

/** Checks the rows of the sections given, all by default. */
export async function coverage(browser, site, changedSite, program, sections = kLines.map((_, i) => i + 1)) {
  const { rows, faults } = coverageRows(readFileSync(`${root}/tests/browser/guides.md`, 'utf8'));
  await check('coverage: the tables read', () => assert.deepEqual(faults, []));
  await check('coverage: every feature once', () => checkNumbers(rows, sections));
  await check('coverage: few are declined', () => {
    const declined = rows.filter((row) => row.declined).map((row) => row.number);
    assert.ok(declined.length <= kDeclined, `declined: ${declined}`);
  });
  const places = new Places(browser, site, changedSite, program);
  for (const row of rows.filter((one) => sections.includes(Number(one.number.split('.')[0])))) {
    for (const { where, finds } of row.proofs) {
      await check(`coverage ${row.number} (${row.what}): ${where}`, async () => {
        const text = await places.text(where);
        assert.ok(finds.test(text), `${finds} is not found in: ${text.slice(0, 300)}`);
      });
    }
  }
  await places.close();
}

async function alone([directory, changed, program, ...sections]) {
  const browser = await startBrowser();
  try {
    const chosen = sections.length > 0 ? sections.map(Number) : undefined;
    await coverage(browser, new Site(directory), new Site(changed), program, chosen);
  } finally {
    await browser.close();
  }
  process.exitCode = conclude();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await alone(process.argv.slice(2));
