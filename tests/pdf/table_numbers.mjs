// SPDX-License-Identifier: Apache-2.0
// Does the text of the handout hold every number of its table, row by row and in the order of the
// columns, for the models chosen for it?  pdftotext -layout sheet.pdf - | node table_numbers.mjs sheet.json
// The figures are formatted here anew, from sheet.json, in every form a column may choose.
import {readFileSync} from 'node:fs';

const sheet = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const text = readFileSync(0, 'utf8');
const lines = text.split('\n').map((line) => ` ${line.trim().split(/[\s\u00a0]+/).join(' ')} `);
const rows = new Map(sheet.rows.map((row) => [row.key, row]));
const gpus = new Map(sheet.gpus.map((gpu) => [gpu.id, gpu]));
const picks = new Map(sheet.picks.map((pick) => [`${pick.model}/${pick.method}`, pick]));
const GIB = 2 ** 30;

const grouped = (value, places) =>
  value.toLocaleString('en-US', {minimumFractionDigits: places, maximumFractionDigits: places});

/** A figure with up to `places` decimals, or in thousands, millions, billions; "–" when unknown. */
function forms(value, places) {
  if (value === null || value === undefined) return ['–'];
  const out = [];
  for (let i = places; i >= 0; --i) out.push(grouped(value, i));
  for (const [size, name] of [[1e3, 'k'], [1e6, 'M'], [1e9, 'bn']]) {
    if (value >= size) out.push(`${grouped(value / size, 1)} ${name}`, `${grouped(value / size, 0)} ${name}`);
  }
  return out;
}

const prefixed = (all, prefix) => all.map((form) => prefix + form);
const cell = (all) => ` (?:${all.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`;

/** The safe count, else the tight one, else a word. */
function count(row) {
  if (!row || !row.modelled) return ['n/a'];
  const found = row.minimum.rentable ?? row.minimum.tight;
  return [found === null ? 'no' : grouped(found, 0)];
}

/** What is owned for the row's model and method. */
function ownCells(row, optional) {
  const own = row.owned;
  if (!own) return optional(['–']) + cell(['–']) + cell(['–']) + optional(['–']) + cell(['–']);
  const capex = [grouped(own.capex_usd / 1e3, 1), grouped(own.capex_usd / 1e3, 0),
    `$${grouped(own.capex_usd / 1e6, 1)}M`, `$${grouped(own.capex_usd / 1e6, 0)}M`];
  const even = own.break_even_runs_per_month;
  const gpu = gpus.get(own.gpu);
  const count = own.gpus + own.unused_gpus;
  const machine = [gpu.short_name, gpu.tiny_name].map((name) => `${count} × ${name}`);
  return optional([...machine, String(count)]) + cell(capex) + cell(forms(own.usd_per_month, 0)) +
    optional(forms(own.usd_per_run, 2)) + cell(even === null ? [own.advice ? 'never' : '–'] : forms(even, 1)) +
    cell(own.advice === null ? ['–'] : own.close ? ['close'] : [own.advice]);
}

/** A run's or a month's rent, behind a dagger where more GPUs are paid or the price is an older one. */
const marked = (rent, row, figure = 'usd_per_run', places = 2) => prefixed(forms(rent?.[figure], places),
  rent && (rent.gpus_paid > row.layout.gpus || rent.old) && rent[figure] !== null ? '†' : '');

/** The row of a model and method as one pattern; columns may be missing only where the key says so. */
function pattern(model, method, row) {
  const lossy = lines.some((line) => line.includes(' left out '));
  const optional = (all) => (lossy ? `(?:${cell(all)})?` : cell(all));
  const year = `(?:${cell(marked(row.rent.reserved_1y, row, 'usd_per_month', 0))})?`;  // where one is sold
  const counts = sheet.gpus.map((gpu) =>
    cell(count(rows.get(`${model.id}/${method.id}/${gpu.id}/${sheet.scenarios[0].id}`))));
  const gpu = gpus.get(row.gpu);
  const guess = row.throughput.gpu_measured === false && row.hours.mid !== null ? '~' : '';
  return cell([method.short_title]) + cell(forms(row.memory.device / GIB, 1)) +
    optional(forms(row.memory.device * row.layout.gpus / GIB, 0)) + counts.join('') +
    cell([gpu.short_name, gpu.tiny_name].map((name) => `${row.layout.gpus} × ${name}`)) +
    cell(prefixed(forms(row.hours.mid, 2), guess)) + cell(forms(row.rent.list?.usd_per_hour, 2)) +
    cell(marked(row.rent.list, row)) + optional(marked(row.rent.spot, row)) + year +
    ownCells(row, optional) + ' ';
}

let numbers = 0;
let missing = 0;
const chosen = sheet.options.handout_models;
for (const model of sheet.models.filter((one) => chosen.length === 0 || chosen.includes(one.id))) {
  for (const method of sheet.methods) {
    const pick = picks.get(`${model.id}/${method.id}`);
    const row = rows.get(pick?.rent_pick ?? pick?.buy_pick ?? '');
    if (!row) continue;
    const wanted = pattern(model, method, row);
    const at = lines.findIndex((line) => new RegExp(wanted).test(line));
    if (at >= 0) {
      numbers += (wanted.match(/\(\?:/g) ?? []).length;
      lines.splice(at, 1);  // each line stands for one row
      continue;
    }
    ++missing;
    console.log(`${row.key}: no line of the page reads${wanted}`);
  }
}
console.log(`${numbers} cells found, ${missing} rows missing`);
process.exit(missing === 0 && numbers > 0 ? 0 : 1);
