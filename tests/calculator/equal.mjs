// SPDX-License-Identifier: Apache-2.0
// The same requests to the program and to the calculator's engine: the answers must be the same.
//   node equal.mjs PROGRAM CALCULATOR.js CATALOG [COUNT]
import { spawnSync } from "node:child_process";
import { engineOf, factsOf } from "./engine.mjs";
import { lineDifference } from "./near.mjs";
import { Requests } from "./requests.mjs";

const [program, script, catalog, count = "1000"] = process.argv.slice(2);

const facts = factsOf(catalog, "quarterly");
const requests = new Requests(facts.files, 20261126);
const lines = Array.from({ length: Number(count) }, (_, index) => requests.line(index));

const native = spawnSync(program, ["estimate", "--catalog", catalog], {
  input: `${lines.join("\n")}\n`,
  encoding: "utf8",
  maxBuffer: 2 ** 31 - 1,
});
const expected = native.stdout.split("\n").slice(0, -1);
if (expected.length !== lines.length) throw new Error(`${expected.length} answers: ${native.stderr}`);

const engine = await engineOf(script);
const offered = JSON.parse(engine.load(JSON.stringify(facts)));
if (offered.error) throw new Error(offered.error);

const times = [];
let different = 0;
let refused = 0;
lines.forEach((line, index) => {
  const begun = performance.now();
  const answer = engine.answer(line, index + 1);
  times.push(performance.now() - begun);
  if (answer.includes('"ok":false')) ++refused;
  const difference = lineDifference(answer, expected[index]);
  if (difference !== "" && ++different <= 5) console.log(`${line}\n  the engine says ${difference}`);
});
times.sort((a, b) => a - b);
const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
console.log(`${lines.length} requests, ${refused} refused, ${different} answered differently`);
console.log(`an answer takes ${at(0.5)} ms in the median, ${at(0.95)} ms at 95 %, ${at(1)} ms at most`);
process.exitCode = different === 0 ? 0 : 1;
