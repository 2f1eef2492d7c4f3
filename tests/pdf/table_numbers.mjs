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

/** A count of a row's GPUs, with the mark of one that is not certain to fit. */
function marked(row, gpus) {
  const { certain } = row.minimum;
  const unsure = gpus === row.layout.gpus ? row.memory.certain === false : certain === null || gpus < certain;
  return unsure ? [`${grouped(gpus, 0)}?`, `${grouped(gpus, 0)} ?`] : [grouped(gpus, 0)];
}

/** The count picked; else the safe one, else the tight one, else a word. */
function count(row, pick) {
  if (!row || !row.modelled) return ['n/a'];
  if (row === pick) return marked(row, row.layout.gpus);
  const { rentable, tight } = row.minimum;
  if (rentable !== null) return marked(row, rentable);
  return [tight === null ? 'no' : grouped(tight, 0)];  // a triangle says that it is tight
}

/** What is owned for the row's model and method. */
function ownCells(row, optional) {
  const own = row.owned;
  if (!own) return cell(['–']) + optional(['–']) + optional(['–']) + cell(['–']) + cell(['–']);
  const capex = [grouped(own.capex_usd / 1e3, 1), grouped(own.capex_usd / 1e3, 0),
    `$${grouped(own.capex_usd / 1e6, 1)}M`, `$${grouped(own.capex_usd / 1e6, 0)}M`];
  const even = own.break_even_runs_per_month;
  const compared = own.rent_usd_per_run !== null;
  const hours = own.break_even_hours_per_month;
  const gpu = gpus.get(own.gpu);
  const count = own.gpus + own.unused_gpus;
  const machine = [gpu.short_name, gpu.tiny_name].map((name) => `${count} × ${name}`);
  return cell([...machine, String(count)]) + optional(capex) + optional(forms(own.usd_per_month, 0)) +
    cell(even === null ? [compared ? 'never' : '–'] : forms(even, 1)) +
    (own.decision === null ? '' : cell([own.decision])) +
    cell(hours === null ? [compared ? 'never' : '–'] : [grouped(hours, 0)]);
}

/** Two significant digits; "27", "2.2", "0.92". */
function roughly(value) {
  const rounded = Number(value.toPrecision(2));
  return grouped(rounded, rounded >= 10 ? 0 : rounded >= 1 ? 1 : 2);
}

/** What the row's set-up costs, from whom, and the next best beside it. */
function rentCells(pick, row, optional) {
  const run = row.chosen === null ? null : row.candidates[row.chosen];
  const usd = row.rent.list?.usd_per_run ?? null;
  if (!run || usd === null) return cell(['–']) + cell(['–']) + optional(['–']) + optional(['–']);
  const wide = run.usd.high > 1.5 * usd || run.usd.low < 0.5 * usd;
  const rent = row.rent.list;
  const mark = rent.gpus_paid > row.layout.gpus || rent.old ? '†' : '';
  const seller = [run.provider, ...[12, 10, 8, 6].map((most) => `${run.provider.slice(0, most)}…`)];
  let next = ['–'];
  if (pick?.runner_up && pick.rent_pick === row.key) {
    const gpu = gpus.get(rows.get(pick.runner_up.row).gpu);
    const share = pick.runner_up.score_share;
    const away = ` ${share < 0 ? '−' : '+'}${grouped(Math.abs(100 * share), 0)} %`;
    next = [gpu.short_name + away, gpu.tiny_name + away, gpu.tiny_name];
  }
  return cell(prefixed(wide ? [roughly(usd)] : forms(usd, 2), mark)) +
    cell([`${roughly(run.usd.low)}–${roughly(run.usd.high)}`]) + optional(seller) + optional(next);
}

/** The row of a model and method as one pattern; columns may be missing only where the key says so. */
function pattern(model, method, pick, row) {
  const lossy = lines.some((line) => line.includes(' left out '));
  const optional = (all) => (lossy ? `(?:${cell(all)})?` : cell(all));
  const counts = sheet.gpus.map((gpu) =>
    cell(count(rows.get(`${model.id}/${method.id}/${gpu.id}/${sheet.scenarios[0].id}`), row)));
  const gpu = gpus.get(row.gpu);
  const guess = row.throughput.gpu_measured === false && row.hours.mid !== null ? '~' : '';
  return cell([method.short_title]) + optional(forms(row.memory.device / GIB, 1)) + counts.join('') +
    cell([gpu.short_name, gpu.tiny_name].map((name) => `${row.layout.gpus} × ${name}`)) +
    cell(prefixed(forms(row.hours.mid, 2), guess)) + rentCells(pick, row, optional) + ownCells(row, optional) + ' ';
}

let numbers = 0;
let missing = 0;
const chosen = sheet.options.handout_models;
for (const model of sheet.models.filter((one) => chosen.length === 0 || chosen.includes(one.id))) {
  for (const method of sheet.methods) {
    const pick = picks.get(`${model.id}/${method.id}`);
    const row = rows.get(pick?.rent_pick ?? pick?.buy_pick ?? '');
    if (!row) continue;
    const wanted = pattern(model, method, pick, row);
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
