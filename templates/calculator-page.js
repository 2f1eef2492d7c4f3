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

  // ---- Figures as people write them: the engine reads them as the options of the program are read.

  const KINDS = { deadline: 'hours', budget: 'dollars', runs: 'runs' };
  // Money of the sheet, with its sign or code before or behind it; with a dollar's it is dollars, in any sheet.
  const OTHER = money.usd_per_unit === 1 ? [] : [money.symbol, money.code];
  const strip = (text) => OTHER.reduce((rest, sign) => (rest.startsWith(sign) ? rest.slice(sign.length) : rest.endsWith(sign) ? rest.slice(0, -sign.length) : rest).trim(), text.trim());
  const isDollars = (text) => /^(\$|usd)|(\$|usd)$/i.test(strip(text));
  const brief = (value) => (value === undefined ? '' : value >= 1e6 && value % 1e6 === 0 ? value / 1e6 + 'M' : some(value));

  // ---- From the form to a request, and to the command that asks the same.

  const text = (name) => form.elements[name].value.trim();
  const given = (name) => (form.elements[name].disabled ? '' : text(name));
  // What the page itself reckons with: {value} in the units of the field, {error} for what cannot be read.
  function typed(name) {
    const said = name === 'budget' ? strip(text(name)) : text(name);
    if (said === '') return { value: null };
    const found = JSON.parse(engine.read(JSON.stringify({ kind: KINDS[name], text: said })));
    if (found.error === undefined && name === 'budget' && isDollars(said)) found.value /= money.usd_per_unit;
    return found;
  }
  // What cannot be read is marked and told, and limits nothing.
  function plain(name) {
    const { value, error } = typed(name);
    form.elements[name].setAttribute('aria-invalid', String(error !== undefined));
    return error === undefined ? value : null;
  }
  const oddWords = () => Object.keys(KINDS).map((name) => [name, typed(name).error]).filter(([, error]) => error !== undefined).map(
    ([name, error]) => form.elements[name].labels[0].textContent + ': ' + error + '; it is left out here.');
  let offered = null;
  let engine = null;
  let answers = null;

  // A config.json as it was written, in one line: a key told twice and 2048.0 are for the engine to judge, as `estimate`
  // does. Python writes a missing limit as Infinity.
  const STRINGS_AND_SPACES = /"(?:\\.|[^"\\])*"|\s+/g;
  const STRINGS_AND_LIMITS = /"(?:\\.|[^"\\])*"|-?Infinity/g;
  const masked = (config, pattern, mask) => config.replace(pattern, (found) => (found[0] === '"' ? found : mask));
  const oneLine = (config) => masked(config, STRINGS_AND_SPACES, ' ');

  // Why a text is no config; "" where it may be one.
  function whyNoConfig(config) {
    try {
      const read = JSON.parse(masked(config, STRINGS_AND_LIMITS, 'null'));
      return read !== null && typeof read === 'object' && !Array.isArray(read) ? '' : 'it is no JSON object';
    } catch (error) { return error.message; }
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
    const same = (name) => Boolean(name) && name.toLowerCase() === asked.toLowerCase();
    const found = offered.models.find((one) => same(one.id) || same(one.title) || same(one.hub));
    return found ? found.id : asked;
  }

  const methodAsked = () => offered.methods.find((one) => one.id === text('method')) || offered.methods[0];

  function requestOf(gpu) {
    const method = methodAsked();
    const request = structuredClone(method.request);
    Object.assign(request, { model: modelAsked(), method: method.id, gpu, stack: text('stack'), objective: 'money', answer: PARTS });
    const put = (place, key, name) => { if (given(name) !== '') place[key] = given(name); };
    if (given('rank') !== '') {
      request.method = Object.assign({}, method.method);
      if (method.objective) request.objective = Object.assign({ search: 'money' }, method.objective);
      if (method.grpo) request.grpo = method.grpo;
      put(request.method, 'rank', 'rank');
    }
    put(request, 'max_gpus', 'gpus');
    put(request, 'deadline_hours', 'deadline');
    put(request.workload, 'seq_len', 'seq');
    put(request.workload, 'micro_batch', 'batch');
    if (given('batch') !== '' && request.vary) request.vary = request.vary.filter((one) => one !== 'micro_batch');
    put(request.workload, 'tokens', 'tokens');
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
    const budget = plain('budget');
    const found = JSON.parse(engine.pick(JSON.stringify({ deadline_hours: plain('deadline'), budget_usd: budget === null ? null : budget * money.usd_per_unit, cards })));
    able.forEach(({ answer }) => { answer.own = found.own; });
    const { gpu, gpus } = found.gpu === null && found.fastest ? found.fastest : found;
    const one = able.find(({ request }) => request.gpu === gpu);
    if (!one) return null;
    if (one.answer.layout.gpus !== gpus) {
      one.request.layout = { gpus };
      const { minimum, frontier, binding } = one.answer;  // of all counts
      one.answer = Object.assign(tell(one.request), { minimum, frontier, binding, own: found.own });
    }
    return Object.assign(one, { late: found.gpu === null, forBudget: Boolean(found.for_budget) });
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
    unknown = [];
    taken = [];
    if (!kept.some((name) => said.has(name))) return;
    // What a link does not say was left open, also where the page begins with something; the model is always said.
    kept.forEach((name) => {
      const field = form.elements[name];
      if (field.tagName === 'SELECT' && said.has(name)) choose(name, said.get(name));
      else if (field.tagName !== 'SELECT' && (said.has(name) || name !== 'model')) field.value = said.get(name) || '';
    });
    form.querySelector('.config').open = text('config') !== '';
  }
  // A word of a link that is no option's id may call one; else nothing is answered.
  function choose(name, word) {
    const field = form.elements[name];
    const has = (id) => Array.from(field.options).some((option) => option.value === id);
    if (has(word)) { field.value = word; return; }
    const { id, error } = JSON.parse(engine.name(JSON.stringify({ kind: name, text: word })));
    if (id && has(id)) {
      field.value = id;
      taken.push(name + ' "' + word + '" is ' + id);
    } else unknown.push(error || field.labels[0].textContent + ': no "' + word + '" in the catalog');
  }

  // ---- Asking.

  function setFields() {
    const { method, request: { workload, vary } } = methodAsked();
    const searched = (vary || []).includes('micro_batch') ? 'searched' : undefined;
    const usual = { rank: method.rank, seq: workload.seq_len, batch: workload.micro_batch ?? searched, tokens: workload.tokens };
    Object.keys(KINDS).forEach(plain);
    form.elements.model.disabled = text('config') !== '';  // the config is the model
    Object.entries(usual).forEach(([name, value]) => {
      form.elements[name].disabled = value === undefined;
      form.elements[name].placeholder = value === undefined ? 'none' : Number.isFinite(value) ? brief(value) : value;
    });
  }

  // A turn of the event loop at a time: between two of them typing is heard, and what is asked no longer is dropped.
  let last = null;
  let asked = 0;
  let unknown = [];  // words of the address that call nothing
  let taken = [];    // and what others of them were taken for
  // Why there is nothing to ask; "" where there is.
  function whyNothing() {
    if (unknown.length > 0) return unknown.join('. ');
    const config = text('config');
    const fault = config === '' ? '' : whyNoConfig(config);
    if (fault !== '') return 'The text in the box of the config is no config.json: ' + fault;
    return config === '' && text('model') === '' ? 'Name a model: an id, its name on the Hub, or a config.json.' : '';
  }
  function ask() {
    setFields();
    const nothing = whyNothing();
    if (nothing !== '') {
      asked += 1;
      last = null;
      at('answer').hidden = false;
      at('answer').setAttribute('aria-busy', 'false');
      answers.refuse(nothing);
      return;
    }
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
    const card = { request: requestOf(text('gpu')) };
    card.answer = tell(card.request);
    last = (card.answer.ok && plain('deadline') !== null && pickedOf([card])) || card;
    yield* answers.show(last.answer, last.request);
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
    answers = globalThis.sizesheetAnswer({ offered, tell, plain, oddWords, methodAsked, takenWords: () => taken });
    fill();
    readHash();
    form.hidden = false;
    at('without').hidden = true;
    form.addEventListener('input', () => { unknown = []; taken = []; ask(); });
    form.addEventListener('submit', (event) => event.preventDefault());
    addEventListener('hashchange', () => { readHash(); ask(); });
    at('copy-words').addEventListener('click', () => last && copied(answers.markdown(last.answer, last.request, commandOf(last.request))));
    at('copy-command').addEventListener('click', () => last && copied(commandOf(last.request)));
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', async (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length === 0) return;
      form.elements.config.value = await event.dataTransfer.files[0].text();
      form.querySelector('.config').open = true;
      unknown = [];
      ask();
    });
    ask();
  }
  // The page then says what to type.
  begin().catch((error) => { at('without').append(make('p', String(error.message || error), 'quiet')); });
})();
