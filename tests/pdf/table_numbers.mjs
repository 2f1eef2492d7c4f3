// SPDX-License-Identifier: Apache-2.0
// Does the text of the handout hold every figure of its table, row by row and in the order of the
// columns, for the models chosen for it?  pdftotext -layout sheet.pdf - | node table_numbers.mjs sheet.json
// The figures are formatted here anew, from sheet.json, in every form a column may choose.
import {readFileSync} from 'node:fs';

const sheet = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const text = readFileSync(0, 'utf8');
// The mark of what is not certain is a word of its own.
const words = (line) => line.trim().split(/[\s\u00a0]+/).map((word) => word.replace(/\?$/, '')).filter(Boolean);
const lines = text.split('\n').map((line) => ` ${words(line).join(' ')} `);
const rows = new Map(sheet.rows.map((row) => [row.key, row]));
const gpus = new Map(sheet.gpus.map((gpu) => [gpu.id, gpu]));
const picks = new Map(sheet.picks.map((pick) => [`${pick.model}/${pick.method}`, pick]));
const sellers = new Map((sheet.inputs.providers ?? []).map((one) => [one.id, one.short_title ?? one.title]));
/** The types whose counts the page has, by the names over them: without a choice, as many as it has room for. */
function typesShown() {
  const head = lines.find((line) => / GPUs from /.test(line)) ?? '';
  let at = 0;
  return sheet.gpus.filter((gpu) => {
    const name = [gpu.short_name, gpu.tiny_name].find((one) => head.startsWith(` ${one} `, at));
    if (name) at += name.length + 1;
    return name;
  }).map((gpu) => gpu.id);
}
const chosenTypes = sheet.options.handout_gpus;
const shown = typesShown();
if (shown.length < 5 || chosenTypes.some((id) => !shown.includes(id))) {
  console.log(`the heads of the page name ${shown.join(', ') || 'no GPU type'}`);
  process.exit(1);
}

const grouped = (value, places) =>
  value.toLocaleString('en-US', {minimumFractionDigits: places, maximumFractionDigits: places});

/** Two digits below 100, three above; 2,650 for 2,648. */
function few(value) {
  const digits = value >= 99.5 ? 3 : 2;
  const above = Math.floor(Math.log10(value)) + 1;
  const step = 10 ** (above - digits);
  const rounded = Math.round(value / step) * step;
  return grouped(rounded, rounded >= 10 ** (digits - 1) ? 0 : Math.min(4, Math.max(0, digits - above)));
}

/** As few, and with two places where those are two digits, as on the site. */
function hours(value) {
  return value >= 0.0995 && value < 0.995 ? value.toFixed(2) : few(value);
}

/** "480 k", "3.5 M". */
function machine(value) {
  for (const [least, unit, name] of [[999.5e6, 1e9, 'bn'], [999.5e3, 1e6, 'M'], [999.5, 1e3, 'k']]) {
    if (value >= least) return `${few(value / unit)} ${name}`;
  }
  return few(value);
}

const dollars = (value) => [few(value), machine(value)];
const cell = (all) => ` (?:${all.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`;
const seller = (id) => sellers.get(id) ?? id;
const names = (id) => [gpus.get(id).short_name, gpus.get(id).tiny_name];

/** The fewest that fit; else the fewest that hold, else a word. */
function count(row) {
  if (!row || !row.modelled) return ['n/a'];
  const { rentable, tight } = row.minimum;
  return [rentable !== null ? grouped(rentable, 0) : tight !== null ? grouped(tight, 0) : 'no'];
}

/** Two significant digits; "27", "2.2", "0.92". */
function roughly(value) {
  const rounded = Number(value.toPrecision(2));
  return grouped(rounded, rounded >= 10 ? 0 : rounded >= 1 ? 1 : 2);
}

function rentCells(row) {
  const run = row.candidates[row.chosen];
  const guess = run.measured ? '' : '~';
  return cell(names(row.gpu).map((name) => `${row.layout.gpus} × ${name}`)) + cell([seller(run.provider)]) +
    cell(dollars(row.rent.list.usd_per_run)) +
    cell([`${roughly(run.usd.low)}–${roughly(run.usd.high)}`, `${machine(run.usd.low)}–${machine(run.usd.high)}`]) +
    cell([guess + hours(run.hours.mid)]);
}

function secondCells(pick, row) {
  const second = pick.second_source;
  if (!second || pick.rent_pick !== row.key) return cell(['none']) + cell(['–']);
  const away = 100 * (second.usd / row.rent.list.usd_per_run - 1);
  const sign = away < 0 ? '−' : '+';
  return cell(names(second.gpu).map((name) => `${second.gpus} × ${name}, ${seller(second.provider)}`)) +
    cell([Math.floor(Math.abs(away)), Math.ceil(Math.abs(away))].map((whole) => `${sign}${grouped(whole, 0)} %`));
}

function ownCells(row) {
  const own = row.owned;
  if (!own) return cell(['no quote']) + cell(['–']) + cell(['–']) + cell(['–']);
  const guess = own.measured ? '' : '~';
  const hours = own.break_even_hours_per_month;
  const even = own.rent_usd_per_run === null ? '–' : hours === null ? 'never' : grouped(hours, 0);
  const used = own.used ? ' used' : '';
  return cell(names(own.gpu).map((name) => `${own.gpus + own.unused_gpus} × ${name}${used}`)) +
    cell([machine(own.capex_usd)]) + cell(dollars(own.usd_per_run).map((form) => guess + form)) + cell([even]) +
    (own.decision === null ? '' : cell([own.decision]));
}

/** The row of a model and method as one pattern. */
function pattern(model, method, pick, row) {
  const counts = sheet.gpus.filter((gpu) => shown.includes(gpu.id)).map((gpu) =>
    cell(count(rows.get(`${model.id}/${method.id}/${gpu.id}/${sheet.scenarios[0].id}`))));
  const service = row.service ? dollars(row.service.usd_per_run) : ['–'];
  return cell([method.short_title]) + counts.join('') + rentCells(row) + secondCells(pick, row) + ownCells(row) +
    cell(service) + ' ';
}

let numbers = 0;
let missing = 0;
const chosen = sheet.options.handout_models;
for (const model of sheet.models.filter((one) => chosen.length === 0 || chosen.includes(one.id))) {
  for (const method of sheet.methods) {
    const pick = picks.get(`${model.id}/${method.id}`);
    const row = rows.get(pick?.rent_pick ?? '');
    if (!row) continue;
    const wanted = pattern(model, method, pick, row);
    const at = lines.findIndex((line) => new RegExp(wanted).test(line));
    if (at >= 0) {
      numbers += (wanted.match(/\(\?:/g) ?? []).length;
      lines.splice(at, 1);  // each line is one row
      continue;
    }
    ++missing;
    console.log(`${row.key}: no line of the page reads${wanted}`);
  }
}
console.log(`${numbers} cells found, ${missing} rows missing`);
process.exit(missing === 0 && numbers > 0 ? 0 : 1);
