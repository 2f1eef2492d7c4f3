// SPDX-License-Identifier: Apache-2.0
// Opens every page of an edition from its files and checks it, and of an edition with a baseline what
// is different there:  node run.mjs DIRECTORY CHANGED_DIRECTORY PROGRAM

import { box } from './box.mjs';
import { changes } from './changes.mjs';
import { coverage } from './coverage.mjs';
import { everyPage } from './every_page.mjs';
import { check, conclude } from './checks.mjs';
import { matrix } from './matrix.mjs';
import { questions } from './questions.mjs';
import { everyRow } from './rows.mjs';
import { Site, startBrowser } from './site.mjs';

const [directory, changed, program] = process.argv.slice(2);
if (!program) {
  console.error('usage: node run.mjs DIRECTORY CHANGED_DIRECTORY PROGRAM');
  process.exit(2);
}
const site = new Site(directory);
const browser = await startBrowser();
try {
  await everyPage(browser, site, site.pages());
  await box(browser, site);
  await matrix(browser, site);
  await everyRow(browser, site);
  await questions(browser, site, false);
  const changedSite = new Site(changed);
  await everyPage(browser, changedSite, ['changes.html', 'index.html']);
  await changes(browser, changedSite);
  await questions(browser, changedSite, true);
  await coverage(browser, site, changedSite, program);
} catch (error) {
  await check('the run itself', () => { throw error; });
} finally {
  await browser.close();
}
process.exitCode = conclude();
