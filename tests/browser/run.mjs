// SPDX-License-Identifier: Apache-2.0
// Opens every page of an edition from its files and checks it:  node run.mjs DIRECTORY

import { everyPage } from './every_page.mjs';
import { check, conclude } from './checks.mjs';
import { matrix } from './matrix.mjs';
import { Site, startBrowser } from './site.mjs';

const [directory] = process.argv.slice(2);
if (!directory) {
  console.error('usage: node run.mjs DIRECTORY');
  process.exit(2);
}
const site = new Site(directory);
const browser = await startBrowser();
try {
  await everyPage(browser, site);
  await matrix(browser, site);
} catch (error) {
  await check('the run itself', () => { throw error; });
} finally {
  await browser.close();
}
process.exitCode = conclude();
