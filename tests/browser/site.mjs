// SPDX-License-Identifier: Apache-2.0
// The edition as files, and a browser that may read nothing else.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export class Site {
  constructor(directory) {
    this.directory = resolve(directory);
    this.root = pathToFileURL(this.directory).href + '/';
    this.texts = new Map();
  }

  /** Every page, as paths relative to the edition. */
  pages() {
    return readdirSync(this.directory, { recursive: true }).filter((name) => name.endsWith('.html')).sort();
  }

  has(name) {
    return existsSync(join(this.directory, name));
  }

  text(name) {
    if (!this.texts.has(name)) this.texts.set(name, readFileSync(join(this.directory, name), 'utf8'));
    return this.texts.get(name);
  }

  url(name) {
    return this.root + name;
  }
}

export async function startBrowser() {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
}

/** Opens a page; `page.complaints` collects console output, errors and requests outside the edition. */
export async function open(browser, site, name, options = {}) {
  const { width = 1280, scheme = 'light', script = true } = options;
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: scheme,
    javaScriptEnabled: script,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => page.complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => page.complaints.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => page.complaints.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(site.root) && !url.startsWith('data:')) page.complaints.push(`outside: ${url}`);
  });
  await page.goto(site.url(name));
  return page;
}

/** The page's address as the page itself knows it: `page.url()` lags behind `history.replaceState`. */
export function addressOf(page) {
  return page.evaluate(() => location.href);
}

export async function close(page) {
  await page.context().close();
}

/** The records of a CSV text (RFC 4180) as objects by header name. */
export function records(csv) {
  const rows = [[]];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < csv.length; i += 1) {
    const c = csv[i];
    if (quoted && c === '"' && csv[i + 1] === '"') {
      cell += '"';
      i += 1;
    } else if (c === '"') {
      quoted = !quoted;
    } else if (!quoted && (c === ',' || c === '\n')) {
      rows[rows.length - 1].push(cell);
      cell = '';
      if (c === '\n') rows.push([]);
    } else if (quoted || c !== '\r') {
      cell += c;
    }
  }
  const [head, ...body] = rows.filter((row) => row.length > 1);
  return body.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
}
