// SPDX-License-Identifier: Apache-2.0
// Whether two answers are the same: the same structure, the same words, and numbers within 1e-9 of each other. The C
// libraries of the program and of a page differ in the last digit.

const WITHIN = 1e-9;
const NUMBER = /\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?/g;

const near = (one, other) => Math.abs(one - other) <= WITHIN * Math.max(Math.abs(one), Math.abs(other));
const valueOf = (number) => Number(number.replaceAll(",", ""));

// A text is its words, and the numbers between them by value.
function sameText(one, other) {
  if (one === other) return true;
  if (one.replace(NUMBER, "#") !== other.replace(NUMBER, "#")) return false;
  const numbers = other.match(NUMBER) || [];
  return (one.match(NUMBER) || []).every((number, index) => near(valueOf(number), valueOf(numbers[index])));
}

const kindOf = (value) => (value === null ? "null" : Array.isArray(value) ? "list" : typeof value);

/** Where two values differ first, in words; "" where they are the same. */
export function difference(one, other, path = "") {
  const differ = `${path || "/"}: ${JSON.stringify(one)}, not ${JSON.stringify(other)}`;
  const kind = kindOf(one);
  if (kind !== kindOf(other)) return differ;
  if (kind === "number") return near(one, other) ? "" : differ;
  if (kind === "string") return sameText(one, other) ? "" : differ;
  if (kind !== "list" && kind !== "object") return one === other ? "" : differ;
  const keys = Object.keys(one);
  if (JSON.stringify(keys) !== JSON.stringify(Object.keys(other))) {
    return `${path || "/"}: ${JSON.stringify(keys)}, not ${JSON.stringify(Object.keys(other))}`;
  }
  for (const key of keys) {
    const found = difference(one[key], other[key], `${path}/${key}`);
    if (found !== "") return found;
  }
  return "";
}

/** The same of two lines of JSON. */
export const lineDifference = (one, other) => (one === other ? "" : difference(JSON.parse(one), JSON.parse(other)));
