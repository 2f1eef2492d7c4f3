// SPDX-License-Identifier: Apache-2.0
// The rows of tests/browser/guides.md that say where a feature of the published guides is to be found.

import assert from 'node:assert/strict';

/** Lines of the list of features, by section. */
export const kLines = [22, 21, 22, 14, 13, 12, 12, 15, 6, 7, 17];
/** Features that may be declined, with the reason. */
export const kDeclined = 5;

const kHead = '| # | what | where | finds |';

function cells(line) {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
}

const parts = (cell) => cell.split('<br>').map((part) => part.trim());

function unquoted(part, number) {
  const [, text] = part.match(/^`(.+)`$/) ?? [];
  assert.ok(text, `${number}: stands not between backticks: ${part}`);
  return text;
}

/** A pattern that says something: it asks for a figure or for words, and finds nothing in nothing. */
function pattern(part, number) {
  const [, source, flags] = unquoted(part, number).match(/^\/(.+)\/(i?)$/) ?? [];
  assert.ok(source, `${number}: no pattern of the form /…/: ${part}`);
  const words = source.replace(/\\[a-zA-Z]/g, '').match(/[\p{L} ,-]{12,}/u);
  assert.ok(/\d|\\d/.test(source) || words, `${number}: ${part} asks neither for a figure nor for a rule's words`);
  const regex = new RegExp(source, flags);
  assert.ok(!regex.test(''), `${number}: ${part} is found in an empty text`);
  return regex;
}

function row(line) {
  const fields = cells(line);
  assert.equal(fields.length, 4, `four cells expected: ${line}`);
  const [number, what, where, finds] = fields;
  assert.match(number, /^\d+\.\d+$/, `no number of a feature: ${line}`);
  assert.ok(what.length >= 4, `${number}: says not what`);
  if (where === 'declined') {
    assert.ok(finds.length >= 40, `${number}: declined without a reason`);
    return { number, what, declined: true, proofs: [] };
  }
  const places = parts(where);
  const patterns = parts(finds);
  assert.equal(places.length, patterns.length, `${number}: ${places.length} places, ${patterns.length} patterns`);
  const proofs = places.map((place, i) => ({ where: unquoted(place, number), finds: pattern(patterns[i], number) }));
  return { number, what, declined: false, proofs };
}

/** Every row of every table with the head above, and what is wrong with those that do not read. */
export function coverageRows(markdown) {
  const rows = [];
  const faults = [];
  const read = (line) => {
    try {
      rows.push(row(line));
    } catch (error) {
      faults.push(error.message);
    }
  };
  let inside = false;
  for (const line of markdown.split('\n')) {
    if (line === kHead) inside = true;
    else if (!line.startsWith('|')) inside = false;
    else if (inside && !/^\|[-|: ]+\|$/.test(line)) read(line);
  }
  return { rows, faults };
}

/** Fails unless the rows name each line of the sections given exactly once. */
export function checkNumbers(rows, sections) {
  const wanted = sections.flatMap((s) => Array.from({ length: kLines[s - 1] }, (_, i) => `${s}.${i + 1}`));
  const given = rows.map((one) => one.number);
  const missing = wanted.filter((number) => !given.includes(number));
  const twice = given.filter((number, i) => given.indexOf(number) !== i);
  const unknown = given.filter((number) => sections.includes(Number(number.split('.')[0])) && !wanted.includes(number));
  assert.deepEqual({ missing, twice, unknown }, { missing: [], twice: [], unknown: [] });
}
