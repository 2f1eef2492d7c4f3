// SPDX-License-Identifier: Apache-2.0
// The calculator: reads the form, asks the engine as `estimate` is asked, shows what it answers. Verdicts, what binds
// and the names of terms are the engine's words. Charts: calculator-charts.js.
(function () {
  'use strict';
  const at = (id) => document.getElementById(id);
  const make = (name, text, kind) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };
  const form = at('ask');
  const charts = globalThis.sizesheetCharts;
  const PARTS = ['memory', 'money', 'frontier', 'own', 'terms', 'words'];
  const kept = ['model', 'method', 'rank', 'gpu', 'gpus', 'seq', 'batch', 'tokens', 'deadline', 'budget', 'runs', 'stack', 'config'];

  // ---- Figures as people write and read them.

  const SUFFIXES = { k: 1e3, M: 1e6, B: 1e9 };
  // "50M", "8k": null for nothing, NaN for what is no number.
  function amount(text, suffixes) {
    const digits = text.trim().replace(/[,\s$]/g, '');
    if (digits === '') return null;
    const factor = (suffixes || {})[digits.slice(-1)];
    const plain = factor ? digits.slice(0, -1) : digits;
    return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) * (factor || 1) : NaN;
  }
  const digits = (value, places) => value.toLocaleString('en', { minimumFractionDigits: places, maximumFractionDigits: places });
  const gib = (bytes) => digits(bytes / 2 ** 30, 1) + '\u00a0GiB';
  const usd = (value) => '$' + digits(value, value < 100 ? 2 : 0);
  const hours = (value) => digits(value, value < 10 ? 1 : 0) + '\u00a0h';
  const range = (one, show) => show(one.low) + ' to ' + show(one.high);
  const some = (value) => (Math.abs(value) >= 1e6 || Number.isInteger(value) ? value.toLocaleString('en') : String(Number(value.toPrecision(6))));

  const brief = (value) => (value === undefined ? '' : value >= 1e6 && value % 1e6 === 0 ? value / 1e6 + 'M' : some(value));

  // ---- From the form to a request, and to the command that asks the same.

  const text = (name) => form.elements[name].value.trim();
  // What the page itself reckons with; what is no number is marked and counts for nothing.
  function plain(name) {
    const value = amount(text(name), SUFFIXES);
    form.elements[name].setAttribute('aria-invalid', String(Number.isNaN(value)));
    return Number.isNaN(value) ? null : value;
  }
  let offered = null;
  let engine = null;

  // The id of a model that is called by its id, its title or its name on a hub; else what was typed, for the engine to
  // say what is wrong.
  function modelAsked() {
    const asked = text('model');
    const config = text('config');
    if (config !== '') {
      try { return JSON.parse(config); } catch (error) { return config; }
    }
    const same = (name) => (name || '').toLowerCase() === asked.toLowerCase();
    const found = offered.models.find((one) => same(one.id) || same(one.title) || same(one.hub));
    return found ? found.id : asked;
  }

  const methodAsked = () => offered.methods.find((one) => one.id === text('method')) || offered.methods[0];

  function requestOf() {
    const method = methodAsked();
    const request = structuredClone(method.request);
    Object.assign(request, { model: modelAsked(), method: method.id, gpu: text('gpu'), stack: text('stack'), objective: 'money', answer: PARTS });
    // What is no number goes as it stands, for the engine to refuse under its key.
    const put = (place, key, name, suffixes) => {
      const value = amount(text(name), suffixes);
      if (value !== null) place[key] = Number.isNaN(value) ? text(name) : value;
    };
    if (text('rank') !== '' && method.method.rank) {
      request.method = Object.assign({}, method.method);
      put(request.method, 'rank', 'rank');
    }
    put(request, 'max_gpus', 'gpus');
    put(request, 'deadline_hours', 'deadline');
    put(request.workload, 'seq_len', 'seq', { k: 1024 });
    put(request.workload, 'micro_batch', 'batch');
    put(request.workload, 'tokens', 'tokens', SUFFIXES);
    return request;
  }

  const quoted = (word) => (/^[\w.:/-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'");

  // What `ask` has no option for is asked of `estimate`.
  function commandOf(request) {
    if (typeof request.model !== 'string' || typeof request.method !== 'string' || text('batch') !== '') {
      return "printf '%s\\n' " + quoted(JSON.stringify(request)) + ' | sizesheet estimate';
    }
    const words = ['sizesheet', 'ask', request.model, '--method', request.method, '--gpu', request.gpu, '--stack', request.stack];
    [['gpus', '--gpus'], ['seq', '--seq'], ['tokens', '--tokens'], ['deadline', '--deadline'], ['budget', '--budget']].forEach(
      ([name, option]) => { if (text(name) !== '') words.push(option, text(name).replace(/\s/g, '')); });
    return words.map(quoted).join(' ');
  }

  // ---- What is shown.

  const cardName = (id) => (offered.gpus.find((one) => one.id === id) || { short: id }).short;
  const setUp = (count, gpu) => count + '\u00a0× ' + cardName(gpu);
  const titleOf = (name) => offered.terms[name] || name.replace(/_/g, ' ');

  function figure(title, main, words) {
    const box = make('div');
    const says = make('dd');
    says.append(make('strong', main), document.createElement('br'), words);
    box.append(make('dt', title), says);
    return box;
  }

  function showFigures(answer) {
    const rented = answer.minimum.rentable;
    const runs = answer.memory.verdict !== 'no';
    const list = [
      figure('Set-up of this answer', runs ? setUp(answer.layout.gpus, text('gpu')) : '–',
             answer.offer ? answer.offer.provider + ', price of ' + answer.offer.price_as_of : runs ? 'no price' : 'none'),
      figure('Smallest that fits', rented === null ? '–' : setUp(rented, text('gpu')), answer.minimum.by_memory ? 'memory alone: ' + answer.minimum.by_memory : ''),
      figure('Hours of a run', runs && answer.hours ? hours(answer.hours.mid) : '–', runs && answer.hours ? range(answer.hours, hours) : 'not known'),
      figure('Dollars of a run', answer.usd ? usd(answer.usd.mid) : '–', answer.usd ? range(answer.usd, usd) : 'not known'),
      figure(runs ? 'A GPU holds' : 'A GPU would hold', gib(answer.memory.device), range({ low: answer.interval.device_low, high: answer.interval.device_high }, gib)),
    ];
    at('a-figures').replaceChildren(...list);
  }

  function notesOf(answer) {
    const notes = answer.warnings.slice();
    const budget = plain('budget');
    if (budget !== null && answer.usd) {
      notes.unshift(answer.usd.high <= budget ? 'Within the budget of ' + usd(budget) + ', its upper end too.'
        : 'Over the budget of ' + usd(budget) + ': the upper end is ' + usd(answer.usd.high) + '.');
    }
    const deadline = plain('deadline');
    if (deadline !== null && answer.hours && answer.memory.verdict !== 'no') {
      notes.unshift(answer.hours.high <= deadline ? 'Ends within ' + hours(deadline) + ', its upper end too.'
        : 'May take longer than ' + hours(deadline) + ': the upper end is ' + hours(answer.hours.high) + '.');
    }
    return notes;
  }

  function formulaTable(caption, terms, value) {
    const box = make('div', undefined, 'scroll');
    const table = make('table', undefined, 'terms');
    table.append(make('caption', caption));
    const head = table.createTHead().insertRow();
    ['Figure', 'Value', 'Formula', 'With', 'Source'].forEach((title, i) => {
      const cell = make('th', title, i === 1 ? '' : 'left');
      cell.scope = 'col';
      head.append(cell);
    });
    const body = table.createTBody();
    terms.forEach((term) => {
      const row = body.insertRow();
      const name = make('th', term.title || titleOf(term.name));
      name.scope = 'row';
      const steps = (term.steps || []).map((step) => step.name + ' = ' + step.formula + ' = ' + some(step.value));
      const inputs = Object.entries(term.inputs || {}).map(([key, input]) => key + ' = ' + some(input));
      row.append(name, make('td', value(term), 'answer'), make('td', [term.formula, ...steps].join('; '), 'formula'),
                 make('td', inputs.join(', '), 'formula inputs'), make('td', term.source, 'source'));
    });
    box.append(table);
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', caption);
    return box;
  }

  function showTerms(answer) {
    const bytes = (term) => gib(term.bytes);
    const tables = [formulaTable('Memory of the fullest GPU', answer.terms, bytes)];
    if (answer.generation_terms) tables.push(formulaTable('Generation beside it', answer.generation_terms, bytes));
    if (answer.file_terms) tables.push(formulaTable('Files and host memory of the run', answer.file_terms, bytes));
    at('a-terms').replaceChildren(...tables);
  }

  function showOwn(answer) {
    const own = answer.own;
    const runs = plain('runs') || 1;
    at('a-even').replaceChildren();
    at('a-months').replaceChildren();
    if (!own) {
      at('a-own').textContent = 'No machine on sale in this sheet runs it in time.';
      return;
    }
    const even = own.break_even_runs_per_month;
    at('a-own').textContent = own.machines + ' × ' + own.machine_title + ' for ' + usd(own.capex_usd) + ', ' + hours(own.hours.mid) + ' a run: ' +
      (even === null ? 'never cheaper than renting within the hours of a month.' : 'cheaper than renting from ' + digits(even, 1) + ' runs a month on.');
    const used = runs * own.hours.mid;
    const most = offered.hours_per_month;
    const months = [['Runs a month', some(runs) + ' in ' + hours(used) + ' of the machine']];
    if (own.rent_usd_per_run !== null) months.push(['To rent them', usd(runs * own.rent_usd_per_run) + ' a month']);
    months.push(['To own it', used > most ? 'more hours than a month has' :
      usd(own.fixed_usd_per_month + (own.full_use_usd_per_month - own.fixed_usd_per_month) * used / most) + ' a month']);
    months.forEach(([title, words]) => {
      const row = make('div');
      row.append(make('dt', title), make('dd', words));
      at('a-months').append(row);
    });
    if (own.quantity_terms.length > 0) {
      at('a-even').append(formulaTable('From when on it pays', own.quantity_terms, (term) => digits(term.value, 1) + '\u00a0' + term.unit));
    }
  }

  // Where nothing fits: more GPUs, or another method on those that one has, the sheet's first; else the fewest of another type.
  // One change each, three at most.
  function changesThatFit(request) {
    const most = methodAsked().request.max_gpus;
    const least = (change) => {
      const changed = Object.assign({}, request, { deadline_hours: undefined, objective: 'memory', answer: ['memory'] }, change);
      const found = JSON.parse(engine.answer(JSON.stringify(changed)));
      return found.ok ? found.minimum.rentable : null;
    };
    const tries = [['', { max_gpus: most }], ...offered.methods.filter((one) => one.id !== text('method')).map((one) => ['with ' + one.title + ' ', { method: one.id }])];
    const found = tries.map(([words, change]) => [words, least(change)]).filter((one) => one[1] !== null);
    if (found.length > 0) return found.slice(0, 3).map(([words, count]) => words + 'on ' + setUp(count, request.gpu));
    const cards = offered.gpus.map((one) => [one.id, least({ gpu: one.id, max_gpus: most })]).filter((one) => one[1] !== null);
    return cards.sort((a, b) => a[1] - b[1]).slice(0, 1).map(([gpu, count]) => 'on ' + setUp(count, gpu));
  }

  function bindingOf(answer, request) {
    const changes = answer.minimum.rentable === null ? changesThatFit(request) : [];
    return answer.binding + (changes.length > 0 ? ' It fits ' + changes.join(', or ') + '.' : '');
  }

  function headline(answer) {
    const verdict = offered.verdicts[answer.memory.verdict];
    const count = setUp(answer.layout.gpus, text('gpu'));
    return verdict.mark + ' ' + verdict.words[0].toUpperCase() + verdict.words.slice(1) + (answer.memory.verdict === 'no' ? ' on ' : ': ') + count +
      (answer.hours && answer.usd ? ', ' + hours(answer.hours.mid) + ', ' + usd(answer.usd.mid) + ' a run' : '');
  }

  let last = null;
  function show(answer, request) {
    last = { answer, request };
    at('answer').hidden = false;
    at('a-refused').hidden = answer.ok;
    at('a-found').hidden = !answer.ok;
    if (!answer.ok) {
      at('a-refused').textContent = answer.error;
      return;
    }
    at('a-verdict').textContent = headline(answer);
    at('a-verdict').className = 'card-setup ' + answer.memory.verdict;
    at('a-binding').textContent = bindingOf(answer, request);
    showFigures(answer);
    at('a-notes').replaceChildren(...notesOf(answer).map((words) => make('li', words)));
    at('a-fill').textContent = gib(answer.memory.device) + ' of ' + gib(answer.memory.capacity) + ', at its most in ' + answer.memory.peak_phase.replace(/_/g, ' ') + '.';
    at('a-frontier').replaceChildren(charts.frontier(answer, at('a-frontier').clientWidth, { usd, hours, setUp: (count) => count + '\u00a0×' }));
    at('a-bill').replaceChildren(charts.bill(answer, at('a-bill').clientWidth, { gib, titleOf }));
    showOwn(answer);
    showTerms(answer);
  }

  function markdownOf(answer) {
    const lines = ['**' + headline(answer) + '**', '', at('a-binding').textContent, ''];
    Array.from(at('a-figures').children).forEach((box) => {
      lines.push('- ' + box.querySelector('dt').textContent + ': ' + box.querySelector('strong').textContent + ' (' + box.querySelector('dd').lastChild.textContent + ')');
    });
    notesOf(answer).forEach((words) => lines.push('- ' + words));
    return lines.concat(['- ' + at('a-own').textContent, '', 'Prices as of ' + offered.as_of + '. `' + commandOf(last.request) + '`']).join('\n');
  }

  // ---- The question in the address, so that a link asks it again.

  function writeHash() {
    const said = new URLSearchParams();
    kept.forEach((name) => { if (text(name) !== '') said.set(name, text(name)); });
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

  function ask() {
    const method = methodAsked();
    form.elements.rank.disabled = !method.method.rank;
    form.elements.rank.placeholder = method.method.rank || 'none';
    ['seq_len', 'micro_batch', 'tokens'].forEach((key, i) => {
      form.elements[['seq', 'batch', 'tokens'][i]].placeholder = brief(method.request.workload[key]);
    });
    const request = requestOf();
    show(JSON.parse(engine.answer(JSON.stringify(request))), request);
    writeHash();
  }

  function fill() {
    const option = (id, title) => {
      const one = make('option', title);
      one.value = id;
      return one;
    };
    at('models').append(...offered.models.map((one) => option(one.id, one.title + (one.hub ? ', ' + one.hub : ''))));
    [['method', offered.methods], ['gpu', offered.gpus], ['stack', offered.stacks]].forEach(
      ([name, list]) => form.elements[name].append(...list.map((one) => option(one.id, one.title))));
    Object.entries(offered.begin).forEach(([name, value]) => { form.elements[name].value = value; });
  }

  const copied = (words) => navigator.clipboard.writeText(words).then(
    () => { at('copied').textContent = 'Copied.'; }, () => { at('copied').textContent = words; });

  async function begin() {
    engine = await globalThis.sizesheetCalculator();
    offered = JSON.parse(engine.load(JSON.stringify(globalThis.sizesheetFacts)));
    if (offered.error) throw new Error(offered.error);
    fill();
    readHash();
    form.hidden = false;
    at('without').hidden = true;
    form.addEventListener('input', ask);
    form.addEventListener('submit', (event) => event.preventDefault());
    addEventListener('hashchange', () => { readHash(); ask(); });
    at('copy-words').addEventListener('click', () => copied(markdownOf(last.answer)));
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
