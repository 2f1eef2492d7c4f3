// SPDX-License-Identifier: Apache-2.0
// What the page asks by itself is what the sheet asked: every row of its main scenario, asked of the calculator's engine
// as the page asks, and of those every set-up picked and machine to own:  node rows.mjs EDITION CALCULATOR.js
import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { engineOf } from "./engine.mjs";
import { difference } from "./near.mjs";

const [edition, script] = process.argv.slice(2);
const engine = await engineOf(script);
vm.runInThisContext(readFileSync(join(edition, "calculator-facts.js"), "utf8"));
const offered = JSON.parse(engine.load(JSON.stringify(globalThis.sizesheetFacts)));
const sheet = JSON.parse(readFileSync(join(edition, "sheet.json"), "utf8"));
const faults = [];
const hold = (what, said, expected) => {
  const found = difference(said, expected);
  if (found !== "") faults.push(`${what}${found}`);
};

const deadline = sheet.options.deadline_hours;
const main = sheet.rows.filter((row) => row.scenario === sheet.scenarios[0].id && offered.methods.some((one) => one.id === row.method));
const answers = new Map();
for (const row of main.filter((one) => one.modelled)) {
  const method = offered.methods.find((one) => one.id === row.method);
  const asked = { model: row.model, method: row.method, gpu: row.gpu, objective: "money", answer: ["memory", "money", "frontier", "own", "words"] };
  const answer = JSON.parse(engine.answer(JSON.stringify({
    ...structuredClone(method.request), ...asked, ...(deadline === null ? {} : { deadline_hours: deadline }),
  })));
  answers.set(row.key, answer);
  const rented = (row.candidates || [])[row.chosen];
  hold(row.key, [answer.memory?.device, answer.binding, rented ? answer.usd : null], [row.memory.device, row.binding, rented ? rented.usd : null]);
}

for (const pick of sheet.picks) {
  const rows = main.filter((row) => row.model === pick.model && row.method === pick.method);
  const found = offered.compared.gpus.map((gpu) => answers.get(rows.find((row) => row.gpu === gpu)?.key)).filter((answer) => answer?.ok);
  const cards = found.map((answer) => ({ gpus: answer.layout.gpus, frontier: answer.frontier, own: answer.own }));
  const said = JSON.parse(engine.pick(JSON.stringify({ deadline_hours: deadline, budget_usd: null, cards })));
  delete said.fastest;  // where none ends in time
  const row = rows.find((one) => one.key === pick.rent_pick);
  const rented = row ? row.candidates[pick.candidate] : { gpu: null, gpus: null };
  hold(`${pick.model}/${pick.method}`, said, { gpu: rented.gpu, gpus: rented.gpus, own: pick.own });
}
console.log([`${answers.size} rows and ${sheet.picks.length} picks asked again, ${faults.length} differ`, ...faults.slice(0, 5)].join("\n"));
process.exitCode = answers.size > 0 && faults.length === 0 ? 0 : 1;
