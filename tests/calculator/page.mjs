// SPDX-License-Identifier: Apache-2.0
// The calculator's page in a browser, from its files: whole questions as people ask them, each held against the program,
// and random requests to its engine:  node page.mjs EDITION PROGRAM CATALOG [COUNT]
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { check, conclude } from "../browser/checks.mjs";
import { accessible, fits, markup } from "../browser/every_page.mjs";
import { close, open, Site, startBrowser } from "../browser/site.mjs";
import { factsOf } from "./engine.mjs";
import { Requests } from "./requests.mjs";

const [edition, program, catalog, count = "200"] = process.argv.slice(2);

const CONFIG = {
  model_type: "llama", hidden_size: 4096, intermediate_size: 14336, num_hidden_layers: 32, num_attention_heads: 32,
  num_key_value_heads: 8, vocab_size: 128256, tie_word_embeddings: false,
};

// What is typed, and what the page must say of it.
const QUESTIONS = [
  [{ model: "llama-3.1-8b", method: "lora-r16", gpu: "h100-sxm", gpus: "8", seq: "12k", rank: "64" }, /Fits/],
  [{ model: "Llama 3.1 8B", method: "qlora-r16", gpu: "rtx-5090", tokens: "50M" }, /Fits/],
  [{ model: "meta-llama/Llama-3.1-8B", method: "full", gpu: "h200-sxm" }, /Fits/],
  [{ model: "size-70b", method: "full", gpu: "h100-sxm", gpus: "8" }, /Does not fit[^]*It fits on 16.× H100, or with/],
  [{ model: "size-70b", method: "lora-r16", gpu: "b200", deadline: "24", budget: "2000" }, /Fits/],
  [{ model: "size-70b", method: "qlora-r16", gpu: "mi300x", runs: "20" }, /Fits/],
  [{ model: "qwen3-30b-a3b", method: "lora-r16", gpu: "h100-sxm", stack: "hf-trl", batch: "2" }, /Fits/],
  [{ model: "lama-3.1-8b", method: "lora-r16", gpu: "h100-sxm" }, /did you mean/],
  [{ model: "llama-3.1-8b", method: "lora-r16", gpu: "h100-sxm", seq: "1.5x" }, /seq_len/],
  [{ model: "", config: JSON.stringify(CONFIG), method: "lora-r64", gpu: "h100-sxm" }, /Fits/],
];

// Before any script of the page: keeps its engine, and what was asked and answered last.
function listen() {
  let make;
  Object.defineProperty(globalThis, "sizesheetCalculator", {
    set: (value) => { make = value; },
    get: () => async () => {
      const engine = await make();
      globalThis.heard = { engine };
      const answer = (line, number) => {
        const begun = performance.now();
        const text = engine.answer(line, number);
        // What else would fit is asked after the question itself, for its memory alone.
        if (line.includes('"terms"')) Object.assign(globalThis.heard, { line, text, took: performance.now() - begun, at: performance.now() });
        return text;
      };
      return { load: engine.load, answer };
    },
  });
}

function native(lines) {
  const run = spawnSync(program, ["estimate", "--catalog", catalog],
                        { input: `${lines.join("\n")}\n`, encoding: "utf8", maxBuffer: 2 ** 30 });
  return run.stdout.split("\n").slice(0, -1);
}

async function opened(browser, site, options, hash = "") {
  const page = await open(browser, site, "index.html", options);
  await page.addInitScript(listen);
  await page.goto(site.url(`calculator.html${hash}`));
  // The page's policy lets nothing be evaluated in it, as a wait of the driver's own would.
  const end = Date.now() + 20000;
  while (!(await page.evaluate(() => globalThis.heard?.text !== undefined))) {
    if (Date.now() > end) throw new Error("no answer within 20 s");
  }
  return page;
}

async function type(page, said) {
  for (const [name, value] of Object.entries(said)) {
    const field = page.locator(`#ask [name="${name}"]`);
    if (name === "config") await page.locator(".config summary").click();
    if (["method", "gpu", "stack"].includes(name)) await field.selectOption(value);
    else await field.fill(value);
  }
}

async function question(browser, site, [said, expected]) {
  const page = await opened(browser, site, {});
  await type(page, said);
  const heard = await page.evaluate(() => ({ line: heard.line, text: heard.text, took: heard.took }));
  assert.equal(heard.text, native([heard.line])[0]);
  const shown = await page.locator("#answer").innerText();
  assert.match(shown, expected);
  const answer = JSON.parse(heard.text);
  const words = answer.ok ? answer.binding : answer.error;
  assert.ok(shown.replace(/\s/g, "").includes(words.replace(/\s/g, "")), `not shown: ${words}`);
  assert.ok(heard.took < 500, `an answer took ${heard.took} ms`);
  // A link asks the same again.
  if (!said.config) {
    const again = await opened(browser, site, {}, new URL(page.url()).hash);
    assert.equal(await again.evaluate(() => heard.line), heard.line);
    await close(again);
  }
  assert.deepEqual(page.complaints, []);
  await close(page);
}

async function looks(browser, site, width, scheme) {
  const page = await opened(browser, site, { width, scheme });
  await type(page, QUESTIONS[4][0]);
  await fits(page, width);
  assert.deepEqual(page.complaints, []);
  await accessible(page, true);  // its checks of style sheets are refused by the page, aloud
  await close(page);
}

async function random(browser, site) {
  const requests = new Requests(factsOf(catalog, "quarterly").files, 7);
  const lines = Array.from({ length: Number(count) }, (_, index) => requests.line(index));
  const page = await opened(browser, site, {});
  const answers = await page.evaluate((all) => all.map((line, index) => heard.engine.answer(line, index + 1)), lines);
  const expected = native(lines);
  const different = answers.filter((answer, index) => answer !== expected[index]).length;
  assert.equal(different, 0, `${different} of ${lines.length} answered differently`);
  await close(page);
}

const site = new Site(edition);
const browser = await startBrowser();
try {
  await check("markup", () => markup(site, "calculator.html"));
  for (const one of QUESTIONS) await check(JSON.stringify(one[0]).slice(0, 100), () => question(browser, site, one));
  for (const scheme of ["light", "dark"]) {
    for (const width of [1280, 360]) await check(`${scheme} ${width}`, () => looks(browser, site, width, scheme));
  }
  await check("random requests", () => random(browser, site));
  await check("the first answer", async () => {
    const page = await opened(browser, site, {});
    const at = await page.evaluate(() => heard.at);
    console.log(`the first answer after ${Math.round(at)} ms`);
    assert.ok(at < 3000, `the first answer after ${at} ms`);
    await close(page);
  });
} finally {
  await browser.close();
}
process.exitCode = conclude();
