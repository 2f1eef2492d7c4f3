// SPDX-License-Identifier: Apache-2.0
// The calculator: reads the form, asks the engine as `estimate` is asked. Verdicts, what binds and the names of terms are
// the engine's words. What is shown: calculator-answer.js.
(function () {
  'use strict';
  const at = (id) => document.getElementById(id);
  const form = at('ask');
  const { make, money, words: { some } } = globalThis.sizesheetTables;
  const PARTS = ['memory', 'money', 'frontier', 'own', 'terms', 'words'];
  const kept = ['model', 'method', 'rank', 'gpu', 'gpus', 'seq', 'batch', 'tokens', 'deadline', 'budget', 'runs', 'stack', 'config'];

  // ---- Figures as people write and read them.

  const { read, unread } = globalThis.sizesheetNumbers;
  const SUFFIXES = { k: 1e3, m: 1e6, b: 1e9, bn: 1e9, t: 1e12 };
  const LENGTH = { k: 1024 };
  const HOURS = { h: 1, hr: 1, hrs: 1, hour: 1, hours: 1, d: 24, day: 24, days: 24, w: 168, week: 168, weeks: 168, m: 1 / 60, min: 1 / 60, mins: 1 / 60, minutes: 1 / 60 };
  const UNITS = { deadline: HOURS, budget: { k: 1e3, m: 1e6, b: 1e9 }, runs: {} };
  // Money with its sign before or behind it.
  const bare = (text) => text.trim().replace(money.symbol, '').replace(/^\$|\$$/, '').trim();
  const brief = (value) => (value === undefined ? '' : value >= 1e6 && value % 1e6 === 0 ? value / 1e6 + 'M' : some(value));

  // ---- From the form to a request, and to the command that asks the same.

  const text = (name) => form.elements[name].value.trim();
  const given = (name) => (form.elements[name].disabled ? '' : text(name));
  // What the page itself reckons with; what is no number is marked and told, and limits nothing.
  const typed = (name) => (name === 'budget' ? bare(text(name)) : text(name));
  function plain(name) {
    const value = read(typed(name), UNITS[name]);
    form.elements[name].setAttribute('aria-invalid', String(Number.isNaN(value)));
    return Number.isNaN(value) ? null : value;
  }
  const oddWords = () => Object.keys(UNITS).filter((name) => Number.isNaN(read(typed(name), UNITS[name]))).map(
    (name) => form.elements[name].labels[0].textContent + ': ' + unread(typed(name)) + '; it is left out here.');
  let offered = null;
  let engine = null;
  let answers = null;

  // A config.json as it was written, in one line: a key told twice and 2048.0 are for the engine to judge, as `estimate`
  // does. What is no JSON goes as a text, which is no model's name. Python writes a missing limit as Infinity.
  const STRINGS_AND_SPACES = /"(?:\\.|[^"\\])*"|\s+/g;
  const STRINGS_AND_LIMITS = /"(?:\\.|[^"\\])*"|-?Infinity/g;
  const masked = (config, pattern, mask) => config.replace(pattern, (found) => (found[0] === '"' ? found : mask));
  function oneLine(config) {
    try { JSON.parse(masked(config, STRINGS_AND_LIMITS, 'null')); } catch (error) { return JSON.stringify(config); }
    return masked(config, STRINGS_AND_SPACES, ' ');
  }

  // A request as JSON, the config in it as it was written.
  function lineOf(request) {
    if (typeof request.model === 'string') return JSON.stringify(request);
    const { model, ...rest } = request;
    return '{"model":' + model.config + ',' + JSON.stringify(rest).slice(1);
  }

  // The id of a model that is called by its id, its title or its name on a hub; else what was typed, for the engine to
  // say what is wrong.
  function modelAsked() {
    const asked = text('model');
    const config = text('config');
    if (config !== '') return { config: oneLine(config) };
    const same = (name) => (name || '').toLowerCase() === asked.toLowerCase();
    const found = offered.models.find((one) => same(one.id) || same(one.title) || same(one.hub));
    return found ? found.id : asked;
  }

  const methodAsked = () => offered.methods.find((one) => one.id === text('method')) || offered.methods[0];

  function requestOf(gpu) {
    const method = methodAsked();
    const request = structuredClone(method.request);
    Object.assign(request, { model: modelAsked(), method: method.id, gpu, stack: text('stack'), objective: 'money', answer: PARTS });
    // What is no number, or none that JSON has, goes as it was typed, for the engine to refuse under its key.
    const put = (place, key, name, units) => {
      const value = read(given(name), units || {});
      if (value !== null) place[key] = Number.isFinite(value) ? value : text(name);
    };
    if (given('rank') !== '') {
      request.method = Object.assign({}, method.method);
      if (method.objective) request.objective = Object.assign({ search: 'money' }, method.objective);
      if (method.grpo) request.grpo = method.grpo;
      put(request.method, 'rank', 'rank');
    }
    put(request, 'max_gpus', 'gpus');
    put(request, 'deadline_hours', 'deadline', HOURS);
    put(request.workload, 'seq_len', 'seq', LENGTH);
    put(request.workload, 'micro_batch', 'batch');
    if (given('batch') !== '' && request.vary) request.vary = request.vary.filter((one) => one !== 'micro_batch');
    put(request.workload, 'tokens', 'tokens', SUFFIXES);
    return request;
  }

  const quoted = (word) => (/^[\w.:/-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'");

  // What `ask` has no option for is asked of `estimate`: where any card is asked for, about the one that is shown.
  function commandOf(request) {
    const endless = text('deadline') === '' && offered.begin.deadline !== '';  // `ask` takes the sheet's
    if (typeof request.model !== 'string' || typeof request.method !== 'string' || text('batch') !== '' || endless) {
      return "printf '%s\\n' " + quoted(lineOf(request)) + ' | sizesheet estimate';
    }
    const words = ['sizesheet', 'ask', request.model, '--method', request.method, '--stack', request.stack];
    [['gpu', '--gpu'], ['gpus', '--gpus'], ['seq', '--seq'], ['tokens', '--tokens'], ['deadline', '--deadline'], ['budget', '--budget']].forEach(
      ([name, option]) => { if (given(name) !== '') words.push(option, text(name).replace(/\s/g, '')); });
    const budget = words.indexOf('--budget') + 1;
    if (budget > 0 && money.usd_per_unit !== 1 && plain('budget') !== null) words[budget] = String(Math.round(plain('budget') * money.usd_per_unit * 100) / 100);
    return words.map(quoted).join(' ');
  }

  // ---- Any card: each of the sheet's asked about, and the one shown that the sheet would rent.

  const tell = (request) => JSON.parse(engine.answer(lineOf(request)));

  // The card that the sheet's rules pick, in the count that they pick; null where they pick none.
  function pickedOf(able) {
    const cards = able.map(({ answer }) => ({ gpus: answer.layout.gpus, frontier: answer.frontier, own: answer.own }));
    const found = JSON.parse(engine.pick(JSON.stringify({ deadline_hours: plain('deadline'), cards })));
    able.forEach(({ answer }) => { answer.own = found.own; });
    const one = able.find(({ request }) => request.gpu === found.gpu);
    if (!one) return null;
    if (one.answer.layout.gpus !== found.gpus) {
      one.request.layout = { gpus: found.gpus };
      const { minimum, frontier, binding } = one.answer;  // of all counts
      one.answer = Object.assign(tell(one.request), { minimum, frontier, binding, own: found.own });
    }
    return one;
  }

  // By the score of the picks; what has no dollars after them, and what is refused last.
  function inOrder(cards) {
    const { rank: by, risk_weight: risk } = offered.compared.rules;
    const weight = { usd_high: 1, usd_mid: 0 }[by] ?? risk;
    const score = ({ mid, high }) => mid + weight * (high - mid);
    const rank = ({ answer }) => [answer.usd ? score(answer.usd) : Infinity, answer.ok ? answer.hours ? 0 : 1 : 2];
    return cards.slice().sort((a, b) => {
      const [x, y] = [rank(a), rank(b)];
      return x[0] === y[0] ? x[1] - y[1] : x[0] - y[0];
    });
  }

  function* compare() {
    const cards = [];
    for (const gpu of offered.compared.gpus) {
      const request = requestOf(gpu);
      cards.push({ request, answer: tell(request) });
      yield;
    }
    const able = cards.filter(({ answer }) => answer.ok);
    const best = able.length > 0 ? pickedOf(able) : null;
    const ordered = inOrder(cards);
    at('a-compared').hidden = able.length === 0;
    if (able.length > 0) answers.showCards(ordered, best);
    last = best || ordered[0];
    yield* answers.show(last.answer, last.request);
  }

  // ---- The question in the address, so that a link asks it again.

  function writeHash() {
    const said = new URLSearchParams();
    kept.forEach((name) => { if (text(name) !== '' || name === 'gpu') said.set(name, text(name)); });
    history.replaceState(null, '', '#' + said);
  }
  function readHash() {
    const said = new URLSearchParams(location.hash.slice(1));
    if (said.size === 0) return;
    // What a link does not say was left open, also where the page begins with something.
    kept.forEach((name) => {
      const field = form.elements[name];
      if (said.has(name) || field.tagName !== 'SELECT') field.value = said.get(name) || '';
    });
  }

  // ---- Asking.

  function setFields() {
    const { method, request: { workload, vary } } = methodAsked();
    const searched = (vary || []).includes('micro_batch') ? 'searched' : undefined;
    const usual = { rank: method.rank, seq: workload.seq_len, batch: workload.micro_batch ?? searched, tokens: workload.tokens };
    Object.entries(usual).forEach(([name, value]) => {
      form.elements[name].disabled = value === undefined;
      form.elements[name].placeholder = value === undefined ? 'none' : Number.isFinite(value) ? brief(value) : value;
    });
  }

  // A turn of the event loop at a time: between two of them typing is heard, and what is asked no longer is dropped.
  let last = null;
  let asked = 0;
  function ask() {
    setFields();
    writeHash();
    at('answer').hidden = false;
    at('answer').setAttribute('aria-busy', 'true');
    const mine = ++asked;
    const work = text('gpu') === '' ? compare() : one();
    const turn = () => {
      if (mine !== asked) return;
      if (work.next().done) at('answer').setAttribute('aria-busy', 'false');
      else setTimeout(turn);
    };
    turn();
  }

  function* one() {
    at('a-compared').hidden = true;
    const request = requestOf(text('gpu'));
    last = { request, answer: tell(request) };
    yield* answers.show(last.answer, request);
  }

  function fill() {
    const option = (id, title) => {
      const one = make('option', title);
      one.value = id;
      return one;
    };
    at('models').append(...offered.models.map((one) => option(one.id, one.title + (one.hub ? ', ' + one.hub : ''))));
    [['method', offered.methods], ['gpu', [{ id: '', title: 'any card' }, ...offered.gpus]], ['stack', offered.stacks]].forEach(
      ([name, list]) => form.elements[name].append(...list.map((one) => option(one.id, one.title))));
    Object.entries(offered.begin).forEach(([name, value]) => { form.elements[name].value = value; });
  }

  const copied = (words) => navigator.clipboard.writeText(words).then(
    () => { at('copied').textContent = 'Copied.'; }, () => { at('copied').textContent = words; });

  async function begin() {
    engine = await globalThis.sizesheetCalculator();
    offered = JSON.parse(engine.load(JSON.stringify(globalThis.sizesheetFacts)));
    if (offered.error) throw new Error(offered.error);
    answers = globalThis.sizesheetAnswer({ offered, tell, plain, oddWords, methodAsked });
    fill();
    readHash();
    form.hidden = false;
    at('without').hidden = true;
    form.addEventListener('input', ask);
    form.addEventListener('submit', (event) => event.preventDefault());
    addEventListener('hashchange', () => { readHash(); ask(); });
    at('copy-words').addEventListener('click', () => copied(answers.markdown(last.answer, last.request, commandOf(last.request))));
    at('copy-command').addEventListener('click', () => copied(commandOf(last.request)));
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', async (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length === 0) return;
      form.elements.config.value = await event.dataTransfer.files[0].text();
      form.querySelector('.config').open = true;
      ask();
    });
    ask();
  }
  // The page then says what to type.
  begin().catch((error) => { at('without').append(make('p', String(error.message || error), 'quiet')); });
})();
