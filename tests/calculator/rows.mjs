// SPDX-License-Identifier: Apache-2.0
// What the page asks by itself is what the sheet asked: every row of its main scenario, asked of the calculator's engine
// as the page asks:  node rows.mjs EDITION CALCULATOR.js
import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { engineOf } from "./engine.mjs";

const [edition, script] = process.argv.slice(2);
const engine = await engineOf(script);
vm.runInThisContext(readFileSync(join(edition, "calculator-facts.js"), "utf8"));
const offered = JSON.parse(engine.load(JSON.stringify(globalThis.sizesheetFacts)));
const sheet = JSON.parse(readFileSync(join(edition, "sheet.json"), "utf8"));

let rows = 0;
const faults = [];
for (const row of sheet.rows) {
  const method = offered.methods.find((one) => one.id === row.method);
  if (row.scenario !== sheet.scenarios[0].id || !row.modelled || !method) continue;
  ++rows;
  const asked = { model: row.model, method: row.method, gpu: row.gpu, objective: "money", answer: ["memory", "money", "words"] };
  const deadline = sheet.options.deadline_hours === null ? {} : { deadline_hours: sheet.options.deadline_hours };
  const answer = JSON.parse(engine.answer(JSON.stringify({ ...structuredClone(method.request), ...asked, ...deadline })));
  const rented = (row.candidates || [])[row.chosen];
  const said = [answer.memory?.device, answer.binding, rented ? answer.usd : null];
  const expected = [row.memory.device, row.binding, rented ? rented.usd : null];
  if (JSON.stringify(said) !== JSON.stringify(expected)) faults.push(`${row.key}: ${JSON.stringify(said)}, not ${JSON.stringify(expected)}`);
}
console.log([`${rows} rows asked again, ${faults.length} differ`, ...faults.slice(0, 5)].join("\n"));
process.exitCode = rows > 0 && faults.length === 0 ? 0 : 1;
