// SPDX-License-Identifier: Apache-2.0
// The comparison of answers takes a last digit for the same, and nothing else:  node near_test.mjs
import assert from "node:assert/strict";
import { difference, lineDifference } from "./near.mjs";

const ANSWER = {
  ok: true, hours: { low: 1.5, mid: 2.25 }, gpus: 8, verdict: "fits", offer: null,
  binding: "Fits on 8 × H100, 1,234.5 h at most", terms: [{ name: "weights", value: 16060522496 }],
};

// What `change` makes of a copy.
const changed = (change) => {
  const copy = structuredClone(ANSWER);
  change(copy);
  return copy;
};

const SAME = [
  ["itself", () => {}],
  ["the last digit of a number", (one) => { one.hours.mid *= 1 + 3e-16; }],
  ["the last digit of a number in a text", (one) => { one.binding = "Fits on 8 × H100, 1,234.5000000001 h at most"; }],
];

const DIFFERENT = [
  ["a millionth", (one) => { one.hours.mid = 2.25000225; }, "/hours/mid: 2.25, not 2.25000225"],
  ["a millionth in a text", (one) => { one.binding = "Fits on 8 × H100, 1,234.501235 h at most"; },
   '/binding: "Fits on 8 × H100, 1,234.5 h at most", not "Fits on 8 × H100, 1,234.501235 h at most"'],
  ["a word", (one) => { one.verdict = "tight"; }, '/verdict: "fits", not "tight"'],
  ["a word between numbers", (one) => { one.binding = "Fits on 8 × H200, 1,234.5 h at most"; },
   '/binding: "Fits on 8 × H100, 1,234.5 h at most", not "Fits on 8 × H200, 1,234.5 h at most"'],
  ["a number fewer in a text", (one) => { one.binding = "Fits on × H100, 1,234.5 h at most"; },
   '/binding: "Fits on 8 × H100, 1,234.5 h at most", not "Fits on × H100, 1,234.5 h at most"'],
  ["a sign", (one) => { one.gpus = -8; }, "/gpus: 8, not -8"],
  ["a number for nothing", (one) => { one.offer = 0; }, "/offer: null, not 0"],
  ["a text for a number", (one) => { one.gpus = "8"; }, '/gpus: 8, not "8"'],
  ["an answer that is none", (one) => { one.ok = false; }, "/ok: true, not false"],
  ["a key", (one) => { delete one.terms[0].name; }, '/terms/0: ["name","value"], not ["value"]'],
  ["a line of a list", (one) => { one.terms.push({}); }, '/terms: ["0"], not ["0","1"]'],
];

for (const [what, change] of SAME) {
  const other = changed(change);
  assert.equal(difference(ANSWER, other), "", what);
  assert.equal(lineDifference(JSON.stringify(ANSWER), JSON.stringify(other)), "", what);
}
for (const [what, change, expected] of DIFFERENT) {
  const other = changed(change);
  assert.equal(difference(ANSWER, other), expected, what);
  assert.equal(lineDifference(JSON.stringify(ANSWER), JSON.stringify(other)), expected, what);
}
console.log(`${SAME.length} taken for the same, ${DIFFERENT.length} told apart`);
