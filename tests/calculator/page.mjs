// SPDX-License-Identifier: Apache-2.0
// The calculator's page in a browser, from its files: whole questions as people ask them, each held against the program,
// and random requests to its engine:  node page.mjs EDITION PROGRAM CATALOG [COUNT]
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { check, conclude } from "../browser/checks.mjs";
import { accessible, fits, markup } from "../browser/every_page.mjs";
import { addressOf, close, open, Site, startBrowser } from "../browser/site.mjs";
import { factsOf } from "./engine.mjs";
import { difference, lineDifference } from "./near.mjs";
import { Requests } from "./requests.mjs";

const [edition, program, catalog, count = "200"] = process.argv.slice(2);

const facts = factsOf(catalog, "quarterly");

const CONFIG = {
  model_type: "llama", hidden_size: 4096, intermediate_size: 14336, num_hidden_layers: 32, num_attention_heads: 32,
  num_key_value_heads: 8, vocab_size: 128256, tie_word_embeddings: false,
};

// What is typed, and what the page must say of it.
const QUESTIONS = [
  [{ model: "llama-3.1-8b", method: "lora-r16", gpu: "h100-sxm", gpus: "8", seq: "12k", rank: "64" }, /Fits/],
  [{ model: "Llama 3.1 8B", method: "qlora-r16", gpu: "rtx-5090", tokens: "50M" }, /Fits/],
  [{ model: "meta-llama/Llama-3.1-8B", method: "full", gpu: "h200-sxm" }, /Fits/],
  [{ model: "size-70b", method: "full", gpu: "h100-sxm", gpus: "8" }, /Does not fit[^]*It fits on 24.× H100, or with/],
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
        const text = engine.answer(line, number);
        // What else would fit is asked after the question itself, for its memory alone.
        if (line.includes('"terms"')) Object.assign(globalThis.heard, { line, text });
        return text;
      };
      return { ...engine, answer };
    },
  });
}

function native(lines) {
  const run = spawnSync(program, ["estimate", "--catalog", catalog],
                        { input: `${lines.join("\n")}\n`, encoding: "utf8", maxBuffer: 2 ** 30 });
  return run.stdout.split("\n").slice(0, -1);
}

// Until all of an answer stands. The page's policy lets nothing be evaluated in it, as a wait of the driver's own would.
async function settled(page) {
  const end = Date.now() + 20000;
  while (!(await page.evaluate(() => globalThis.heard?.text !== undefined && document.getElementById("answer").ariaBusy === "false"))) {
    if (Date.now() > end) throw new Error("no answer within 20 s");
  }
}

async function opened(browser, site, options, hash = "") {
  const page = await open(browser, site, "index.html", options);
  await page.addInitScript(listen);
  await page.goto(site.url(`calculator.html${hash}`));
  await settled(page);
  return page;
}

async function type(page, said) {
  for (const [name, value] of Object.entries(said)) {
    const field = page.locator(`#ask [name="${name}"]`);
    if (name === "config") await page.locator(".config summary").click();
    if (["method", "gpu", "stack"].includes(name)) await field.selectOption(value);
    else await field.fill(value);
  }
  await settled(page);
}

const valuesOf = (page) => page.evaluate(() => Object.fromEntries(Array.from(document.getElementById("ask").elements, (one) => [one.name, one.value])));
const shownIn = (page, id) => page.locator(`#${id}`).innerText();

async function question(browser, site, [said, expected]) {
  const page = await opened(browser, site, {});
  await type(page, said);
  const heard = await page.evaluate(() => ({ line: heard.line, text: heard.text }));
  assert.equal(lineDifference(heard.text, native([heard.line])[0]), "");
  const shown = await page.locator("#answer").innerText();
  assert.match(shown, expected);
  const answer = JSON.parse(heard.text);
  const words = answer.ok ? answer.binding : answer.error;
  assert.ok(shown.replace(/\s/g, "").includes(words.replace(/\s/g, "")), `not shown: ${words}`);
  // A link asks the same again.
  if (!said.config) {
    const again = await opened(browser, site, {}, new URL(await addressOf(page)).hash);
    assert.equal(await again.evaluate(() => heard.line), heard.line);
    assert.deepEqual(await valuesOf(again), await valuesOf(page));
    await close(again);
  }
  assert.deepEqual(page.complaints, []);
  await close(page);
}

// ---- Any card.

const ANY = [
  { model: "llama-3.1-8b", method: "lora-r16" },
  { model: "size-70b", method: "full", gpus: "16", deadline: "24" },
  { model: "size-13b", method: "qlora-r16", seq: "16k", tokens: "1B", deadline: "100" },
  { model: "size-70b", method: "qlora-r16", gpus: "1", stack: "unsloth" },
  { model: "llama-3.1-8b", method: "grpo-lora-r16", deadline: "5" },
  { model: "size-400b", method: "full", gpus: "2" },
  { model: "qwen3-32b", method: "qlora-r64", seq: "8k", tokens: "1.5B", deadline: "3d", budget: "1000", stack: "hf-trl" },
];

// The words of a command line that `sh` would take apart.
const wordsOf = (command) => command.split(" ").map((word) => word.replaceAll("'", ""));
const askedBy = (command) => JSON.parse(spawnSync(program, [...wordsOf(command).slice(1), "--json", "--catalog", catalog], { encoding: "utf8" }).stdout).answers[0];

async function anyCard(browser, site, said) {
  const page = await opened(browser, site, {});
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(() => {
    globalThis.said = 0;
    new MutationObserver(() => { globalThis.said += 1; }).observe(document.getElementById("a-verdict"), { childList: true });
  });
  await type(page, said);
  const before = await page.evaluate(() => globalThis.said);
  await type(page, { gpu: "" });
  assert.equal(await page.evaluate(() => globalThis.said) - before, 1, "the verdict is said once");
  const command = await copied(page, "copy-command");
  assert.ok(!command.includes("--gpu "), command);
  const { rent, pick } = askedBy(command);
  const verdict = await shownIn(page, "a-verdict");
  if (rent) {
    const name = JSON.parse(facts.files[`gpus/${rent.gpu}.json`]).short_name;
    assert.match(verdict, new RegExp(`: ${rent.gpus}.× ${name},`));
    const usd = (value) => value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 2 : 0, minimumFractionDigits: value < 100 ? 2 : 0 });
    const row = (await page.locator("#a-cards tr", { hasText: "picked" }).innerText()).split("\t");
    assert.deepEqual([row[0], row[1], row[3]], [name, String(rent.gpus), `$${usd(rent.usd.low)}–${usd(rent.usd.high)}`]);
    if (pick.own) assert.ok((await shownIn(page, "a-own")).startsWith(`${pick.own.machines} × ${pick.own.machine_title}`));
  } else {
    assert.match(await shownIn(page, "a-rule"), /None (can be picked|ends in time for sure)/);
  }
  const again = await opened(browser, site, {}, new URL(await addressOf(page)).hash);
  assert.deepEqual(await valuesOf(again), await valuesOf(page));
  assert.equal(await shownIn(again, "a-verdict"), verdict);
  await close(again);
  assert.deepEqual(page.complaints, []);
  await close(page);
}

// No count of the card ends in time: the one that ends first is shown, and its headline says so.
async function late(browser, site) {
  const page = await opened(browser, site, {});
  await type(page, { model: "qwq-32b", method: "qlora-r16", gpu: "a10g", seq: "16k", deadline: "2", stack: "hf-trl" });
  assert.match(await shownIn(page, "a-verdict"), /8.× A10G[^]*; misses the deadline of 2\.0/);
  assert.ok(await page.locator("#a-verdict.unsure").isVisible());
  assert.deepEqual(page.complaints, []);
  await close(page);
}

// Words of a link: what they are taken for is told; what calls nothing is refused, and nothing is sized.
async function addresses(browser, site) {
  const taken = [
    ["#model=llama-3.1-8b&method=qlora&gpu=h100-sxm", /method "qlora" is qlora-r16/],
    ["#model=llama-3.1-8b&method=lora-r16&gpu=4090", /gpu "4090" is rtx-4090/],
    ["#x=1", /Sized: /],
    ["#gpu=h100-sxm", /Sized: /],
  ];
  const refused = [
    ["#model=llama-3.1-8b&gpu=nothing", /no "nothing" in the catalog/],
    ["#model=llama-3.1-8b&method=nothing", /no "nothing" in the catalog/],
    ["#model=&gpu=h100-sxm", /Name a model/],
    ["#model=llama-3.1-8b&config=nonsense", /no config\.json: /],
  ];
  const page = await opened(browser, site, {});
  const visit = async (hash) => {
    await page.goto("about:blank");  // the page writes its own address
    await page.goto(site.url(`calculator.html${hash}`));
    const end = Date.now() + 20000;
    while ((await page.evaluate(() => document.getElementById("answer").ariaBusy !== "false")) && Date.now() < end);
    return page.locator("#answer").innerText();
  };
  for (const [hash, pattern] of [...taken, ...refused]) {
    const shown = await visit(hash);
    assert.match(shown, pattern, hash);
    assert.equal(await page.locator("#a-found").isVisible(), taken.some(([one]) => one === hash), hash);
  }
  for (const hash of ["#%", "#%E0%A4%A", "#__proto__=1"]) await visit(hash);
  for (const [field, value] of [["runs", "0"], ["budget", "1e400"], ["deadline", "soon"]]) {
    await page.goto(site.url("calculator.html#model=llama-3.1-8b&gpu=h100-sxm"));
    await settled(page);
    await type(page, { [field]: value });
    assert.equal(await page.locator(`#ask [name="${field}"]`).getAttribute("aria-invalid"), "true", field);
  }
  assert.deepEqual(page.complaints, []);
  await close(page);
}

async function typingOn(browser, site) {
  const page = await opened(browser, site, {});
  await page.evaluate(() => {
    const form = document.getElementById("ask");
    for (const gpu of ["", "b200", "", "l40s"]) {
      form.elements.gpu.value = gpu;
      form.dispatchEvent(new Event("input"));
    }
  });
  await settled(page);
  assert.match(await shownIn(page, "a-verdict"), /L40S/);
  assert.ok(await page.locator("#a-compared").isHidden());
  await close(page);
}

// ---- Formulas, copying, dropping, keys.

const valueOf = (line) => new Function("ceil", "max", "min", ...Object.keys(line.inputs),
  `${(line.steps || []).map((step) => `let ${step.name} = ${step.formula};`).join("")} return ${line.formula};`)(Math.ceil, Math.max, Math.min, ...Object.values(line.inputs));

async function formulas(browser, site) {
  const page = await opened(browser, site, {});
  await type(page, QUESTIONS[4][0]);
  const answer = JSON.parse(await page.evaluate(() => heard.text));
  const line = (list, name) => list.find((one) => one.name === name);
  const hours = valueOf(line(answer.time_terms, "hours"));
  assert.equal(Math.floor(hours * 1e4 + 0.5) / 1e4, answer.hours.mid);
  for (const [name, end] of [["usd_per_run", "mid"], ["usd_per_run_low", "low"], ["usd_per_run_high", "high"]]) {
    assert.ok(Math.abs(valueOf(line(answer.cost_terms, name)) - answer.usd[end]) <= 6e-7, name);
  }
  const shown = await shownIn(page, "a-terms");
  for (const words of ["Dollars of a run", "Time of a step and of the run", "usd_per_hour * hours", "tokens / (tokens_per_second_per_gpu * gpus) / 3600"]) {
    assert.ok(shown.includes(words), words);
  }
  await close(page);
}

// What a button copies, or shows where it may not.
async function copied(page, button) {
  await page.locator("#copied").evaluate((one) => { one.textContent = ""; });
  await page.locator(`#${button}`).click();
  const end = Date.now() + 5000;
  while ((await shownIn(page, "copied")) === "" && Date.now() < end);
  const shown = await shownIn(page, "copied");
  assert.ok(shown !== "", "nothing is said");
  return shown === "Copied." ? page.evaluate(() => navigator.clipboard.readText()) : shown;
}

async function copying(browser, site, may) {
  const page = await opened(browser, site, {});
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  if (!may) await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed")); });
  await type(page, QUESTIONS[0][0]);
  const request = JSON.parse(await page.evaluate(() => heard.line));
  const piped = await copied(page, "copy-command");  // a rank is no option of `ask`
  assert.deepEqual(JSON.parse(piped.slice(piped.indexOf("{"), piped.lastIndexOf("}") + 1)), request);
  await type(page, { rank: "" });
  const words = await copied(page, "copy-words");
  assert.equal(await shownIn(page, "copied") === "Copied.", may);
  const command = await copied(page, "copy-command");
  for (const part of [await shownIn(page, "a-verdict"), await shownIn(page, "a-binding"), await shownIn(page, "a-own"), command]) {
    assert.ok(words.replace(/\s+/g, " ").includes(part.replace(/\s+/g, " ")), `${part}\nnot in\n${words}`);
  }
  const answer = JSON.parse(await page.evaluate(() => heard.text));
  assert.equal(difference(askedBy(command).rent.usd, answer.usd), "");
  await close(page);
}

async function dropping(browser, site) {
  const page = await opened(browser, site, {});
  const files = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "config.json", { type: "application/json" }));
    return data;
  }, JSON.stringify(CONFIG));
  await page.locator("h1").dispatchEvent("drop", { dataTransfer: files });
  const end = Date.now() + 5000;
  while (!(await page.evaluate(() => heard.line.includes("intermediate_size"))) && Date.now() < end);
  await settled(page);
  assert.deepEqual(JSON.parse(await page.evaluate(() => heard.line)).model, CONFIG);
  assert.ok(await page.locator("#a-config").isVisible());
  assert.match(await shownIn(page, "a-verdict"), /Fits/);
  await close(page);
}

async function keys(browser, site) {
  const page = await opened(browser, site, {});
  const order = await page.evaluate(() => Array.from(document.getElementById("ask").elements, (one) => (one.disabled ? "config" : one.name)).filter((name) => name !== "config"));
  await page.locator("#a-model").focus();
  const reached = [];
  for (const _ of order) {
    reached.push(await page.evaluate(() => document.activeElement.name));
    await page.keyboard.press("Tab");
  }
  assert.deepEqual(reached, order.filter((name) => reached.includes(name)));
  assert.deepEqual(order.filter((name) => !reached.includes(name)), []);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "SUMMARY");
  await page.keyboard.press("Enter");
  assert.ok(await page.locator("#a-config").isVisible());
  for (const next of ["a-config", "copy-words", "copy-command"]) {
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), next);
  }
  await page.evaluate(() => { globalThis.stays = true; });
  await page.locator("#a-seq").focus();
  await page.keyboard.type("2k");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.ok(await page.evaluate(() => globalThis.stays));
  assert.equal(JSON.parse(await page.evaluate(() => heard.line)).workload.seq_len, "2k");  // the engine reads it
  assert.deepEqual(page.complaints, []);
  await close(page);
}

async function looks(browser, site, width, scheme) {
  const page = await opened(browser, site, { width, scheme });
  await type(page, { ...QUESTIONS[4][0], gpu: "" });
  await fits(page, width);
  assert.deepEqual(page.complaints, []);
  await accessible(page, { everyRow: true });  // its checks of style sheets are refused by the page, aloud
  await close(page);
}

async function random(browser, site) {
  const requests = new Requests(facts.files, 7);
  const lines = Array.from({ length: Number(count) }, (_, index) => requests.line(index));
  const page = await opened(browser, site, {});
  const answers = await page.evaluate((all) => all.map((line, index) => heard.engine.answer(line, index + 1)), lines);
  const expected = native(lines);
  assert.deepEqual(answers.map((answer, index) => lineDifference(answer, expected[index])).filter((one) => one !== ""), []);
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
  for (const one of ANY) await check(`any card ${JSON.stringify(one)}`, () => anyCard(browser, site, one));
  await check("a deadline that is missed", () => late(browser, site));
  await check("addresses", () => addresses(browser, site));
  await check("typing on", () => typingOn(browser, site));
  await check("formulas of hours and dollars", () => formulas(browser, site));
  for (const may of [true, false]) await check(`copying, allowed: ${may}`, () => copying(browser, site, may));
  await check("a config.json dropped", () => dropping(browser, site));
  await check("keys alone", () => keys(browser, site));
  await check("random requests", () => random(browser, site));
} finally {
  await browser.close();
}
process.exitCode = conclude();
