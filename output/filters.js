// SPDX-License-Identifier: Apache-2.0
// Filters of the matrix, the list of every row and the prices, kept in the address; copying; another GPU's
// money in the matrix. Runs after table.js, which sorts.
(function () {
  'use strict';
  const all = (selector, from) => Array.from(from.querySelectorAll(selector));
  const table = document.querySelector('table[data-filtered]');
  const form = document.getElementById('filters');
  const status = document.getElementById('count');
  const isMatrix = table.id === 'matrix';
  const make = (name, text, action) => {
    const element = Object.assign(document.createElement(name), { textContent: text });
    if (action) { element.type = 'button'; element.addEventListener('click', action); }
    return element;
  };
  // The number of a cell, "" for none. A count of the matrix is written as it is.
  const raw = (cell) => { const v = parseFloat(cell.dataset.v ?? cell.textContent.replace(/,/g, '')); return isNaN(v) ? '' : v; };
  const sort = (index, descending) => table.dispatchEvent(new CustomEvent('sort', { detail: { index, descending } }));
  const rows = Array.from(table.tBodies[0].rows);
  const heads = all('th', table.tHead.rows[Number(table.dataset.sortable) - 1]);
  const columns = new Map(heads.map((head, i) => [head.dataset.filter, i]).filter(([name]) => name));
  const plain = (cell) => cell.textContent.trim().replace(/^[●▲○–] /, '');
  const facts = new Map(rows.map((row) => {
    const fact = {};
    columns.forEach((i, name) => { fact[name] = name === 'gpus' || name === 'run' ? raw(row.cells[i]) : plain(row.cells[i]); });
    fact.text = ((row.querySelector('.model') || row.cells[0]).textContent + ' ' + row.dataset.search).toLowerCase();
    if (row.dataset.method) fact.method = row.dataset.method;
    return [row, fact];
  }));
  const methods = () => all('input[name=method]', form);
  const fields = ['model', 'gpu', 'verdict', 'stack', 'tier', 'gpus', 'run'].filter((name) => form.elements[name]);
  const labelOf = (name) => (name === 'method' ? form.querySelector('legend') : form.elements[name].labels[0]).textContent;
  // A limit that is no number is marked and told, and limits nothing.
  const { read, unread } = globalThis.sizesheetNumbers;
  const SUFFIXES = { k: 1e3, m: 1e6 };
  const oddLimits = () => fields.map((name) => form.elements[name]).filter((element) => {
    const odd = 'most' in element.dataset && Number.isNaN(read(element.value, SUFFIXES));
    if ('most' in element.dataset) element.setAttribute('aria-invalid', String(odd));
    return odd;
  });
  // What is asked for now: the name of each filter in use, and whether a row passes it.
  function inUse() {
    const list = [];
    fields.forEach((name) => {
      const element = form.elements[name];
      const value = element.value.trim();
      if (value === '') return;
      if ('match' in element.dataset) list.push({ name, passes: (fact) => fact[name] === value });
      else if ('most' in element.dataset) { const most = read(value, SUFFIXES); if (!Number.isNaN(most)) list.push({ name, passes: (fact) => fact[name] !== '' && fact[name] <= most }); }
      else if (name === 'model') { const wanted = value.toLowerCase().split(/\s+/); list.push({ name, passes: (fact) => wanted.every((word) => fact.text.includes(word)) }); }
    });
    const on = new Set(methods().filter((box) => box.checked).map((box) => box.value));
    if (on.size < methods().length) list.push({ name: 'method', passes: (fact) => on.has(fact.method) });
    return list;
  }
  // A model's name stands in its first row that is shown, its size beside or under it. Only rows that
  // change are touched: a restyled table of hundreds of rows is what a filter takes longest for.
  const groups = [];
  rows.forEach((row) => { if (row.classList.contains('first') || groups.length === 0) groups.push([]); groups[groups.length - 1].push(row); });
  const regroup = (some) => some.forEach((group) => group.filter((row) => !row.hidden).forEach((row, i, shown) => {
    const name = i === 0 ? (shown.length > 1 ? 'first named' : 'first') : i === 1 ? 'second' : '';
    if (row.className !== name) row.className = name;
  }));
  const passing = (filters) => rows.filter((row) => filters.every((one) => one.passes(facts.get(row)))).length;
  // Rows below the first screens come in the frames after: what the reader sees stands at once.
  const kAtOnce = 60;
  let waiting = [];
  function next(many) {
    regroup(waiting.splice(0, many));
    all('tr[data-later]', table).slice(0, many).forEach((row) => row.removeAttribute('data-later'));
    if (waiting.length > 0 || table.querySelector('tr[data-later]')) requestAnimationFrame(() => next(kAtOnce));
  }
  function filter() {
    const filters = inUse();
    let shown = 0;
    Array.from(table.tBodies[0].rows).forEach((row) => {
      const hidden = !filters.every((one) => one.passes(facts.get(row)));
      if (!hidden) shown += 1;
      if (row.hidden === hidden) return;
      row.hidden = hidden;
      row.toggleAttribute('data-later', isMatrix && !hidden && shown > kAtOnce);
    });
    waiting = isMatrix ? groups.slice() : [];
    for (let names = 0; names < kAtOnce && waiting.length > 0;) { names += waiting[0].filter((row) => !row.hidden).length; regroup(waiting.splice(0, 1)); }
    tell(filters);
    requestAnimationFrame(() => next(kAtOnce));
  }
  function tell(filters) {
    const shown = rows.filter((row) => !row.hidden).length;
    const sort = heads.find((head) => head.getAttribute('aria-sort') !== 'none');
    status.replaceChildren(make('strong', String(shown)), ' of ' + rows.length + ' rows' +
      (shown === 0 ? ': no row passes every filter' : sort ? ', by ' + nameOf(sort) : '') + oddLimits().map((element) => '; ' + unread(element.value)).join(''));
    empty.hidden = shown > 0;
    if (shown > 0) return;
    // Only what helps by itself; where nothing does, Clear is left.
    const helps = filters.map((one) => [one.name, passing(filters.filter((other) => other !== one))]).filter(([, count]) => count > 0);
    empty.replaceChildren(make('p', 'No row passes every filter.' + (helps.length ? ' Loosen one:' : ' No single filter is to blame.')),
      ...helps.map(([name, count]) => make('button', labelOf(name) + ' (' + count + (count === 1 ? ' row)' : ' rows)'), () => loosen(name))), make('button', 'Clear all', clear));
  }
  const nameOf = (head) => head.dataset.name || head.querySelector('.label').textContent;
  function loosen(name) {
    if (name === 'method') methods().forEach((box) => { box.checked = true; }); else form.elements[name].value = '';
    changed(name);
    (name === 'method' ? methods()[0] : form.elements[name]).focus();
  }
  function clear() { form.reset(); showGpu(''); sort(-1, false); filter(); save(); }

  // The money columns of the matrix for another GPU; the figures come with a script of their own.
  const moneyFrom = columns.get('gpus');
  let asWritten = null;
  let money = null;
  function withMoney(then) {
    if (money) { then(); return; }
    document.addEventListener('rows', (event) => { money = event.detail; }, { once: true });
    const script = document.createElement('script');
    script.src = 'rows.js';
    script.addEventListener('load', () => { if (money) then(); });
    script.addEventListener('error', () => { status.textContent = 'The figures of other GPUs stand in rows.js, which could not be read.'; });
    document.head.appendChild(script);
  }
  const moneyCells = (row) => Array.from(row.cells).slice(moneyFrom);
  function restore() {
    all('.on', table).forEach((cell) => cell.classList.remove('on'));
    rows.forEach((row) => { moneyCells(row).forEach((cell, i) => cell.replaceWith(asWritten.get(row)[i].cloneNode(true))); });
  }
  function fill(row, index) {
    const count = row.cells[index];
    count.classList.add('on');
    const [gpus, ...figures] = money[count.id] || [[]];
    const [setup, ...cells] = moneyCells(row);
    setup.dataset.v = raw(count) === '' ? '' : gpus[1];
    const fewer = raw(count) < gpus[1] ? ' (' + raw(count) + ' fit)' : '';
    setup.textContent = setup.dataset.v === '' ? count.textContent : gpus[0] + '\u00a0× ' + heads[index].dataset.name + fewer;
    cells.forEach((cell, i) => {
      const [text, v] = figures[i] || ['–', ''];
      cell.textContent = text;
      cell.classList.remove('known', 'never', 'absent', 'buy', 'rent', 'close');
      if (cell.hasAttribute('data-v')) cell.dataset.v = v === undefined ? '' : v;
      if (i >= 5) { const word = /[a-z]+$/.exec(text); cell.classList.add(text === '–' ? 'absent' : word ? word[0] : 'known'); }
    });
  }
  // The limits are about the set-up that is shown; a GPU type that is asked for counts with its fewest GPUs, so that a row
  // which fits on what somebody has is never hidden.
  function limitsAgain(index) {
    rows.forEach((row) => {
      ['gpus', 'run'].forEach((name) => { facts.get(row)[name] = raw(row.cells[columns.get(name)]); });
      const fewest = index < 0 ? '' : raw(row.cells[index]);
      if (fewest !== '') facts.get(row).gpus = Math.min(fewest, facts.get(row).gpus === '' ? fewest : facts.get(row).gpus);
    });
  }
  function showGpu(gpu, then) {
    const done = () => { if (asWritten) limitsAgain(index); if (then) then(); };
    const index = isMatrix ? heads.findIndex((head) => head.dataset.gpu === gpu) : -1;
    table.classList.toggle('of-gpu', index >= 0);
    if (index < 0) { if (asWritten) restore(); done(); return; }
    withMoney(() => {
      if (form.elements.gpu.value !== gpu) return;
      if (!asWritten) asWritten = new Map(rows.map((row) => [row, moneyCells(row).map((cell) => cell.cloneNode(true))]));
      restore();
      rows.forEach((row) => fill(row, index));
      heads[index].classList.add('on');
      done();
    });
  }

  function save() {
    const state = new URLSearchParams();
    fields.forEach((name) => { if (form.elements[name].value.trim()) state.set(name, form.elements[name].value.trim()); });
    if (methods().some((box) => !box.checked)) state.set('method', methods().filter((box) => box.checked).map((box) => box.value).join(','));
    if (table.dataset.sort) state.set('sort', table.dataset.sort);
    history.replaceState(null, '', state.size > 0 ? '#' + state : location.pathname + location.search);
  }
  function load() {
    const state = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
    fields.forEach((name) => { form.elements[name].value = state.get(name) || ''; });
    methods().forEach((box) => { box.checked = !state.has('method') || state.get('method').split(',').includes(box.value); });
    const order = /^(\d+)([+-])$/.exec((state.get('sort') || '').replace(' ', '+'));
    showGpu(form.elements.gpu.value, () => {
      if (order && Number(order[1]) < heads.length) sort(Number(order[1]), order[2] === '-');
      filter();
    });
  }
  function changed(name) { if (name === 'gpu') showGpu(form.elements.gpu.value, filter); else filter(); save(); }
  async function copy(text, button) {
    const label = button.textContent;
    try { await navigator.clipboard.writeText(text); button.textContent = 'Copied'; } catch (refused) { button.textContent = 'Not allowed here'; }
    setTimeout(() => { button.textContent = label; }, 1500);
  }
  function markdown() {
    const line = (cells) => '| ' + cells.map((cell) => cell.replace(/\|/g, '\\|').replace(/\s+/g, ' ').trim()).join(' | ') + ' |';
    const names = heads.map(nameOf);
    const body = Array.from(table.tBodies[0].rows).filter((row) => !row.hidden).map((row) => line(Array.from(row.cells).map((cell) => cell.textContent)));
    return [line(names), line(names.map((_, i) => (i ? '--:' : '---')))].concat(body).join('\n') + '\n';
  }
  const empty = make('div', '');
  Object.assign(empty, { className: 'empty', hidden: true });
  table.parentElement.after(empty);
  const actions = Object.assign(make('div', ''), { className: 'actions' });
  actions.append(make('button', 'Clear', clear),
    make('button', 'Copy as Markdown', (event) => copy(markdown(), event.currentTarget)),
    make('button', 'Copy link', (event) => copy(location.href, event.currentTarget)));
  const more = make('button', 'More filters', () => { more.setAttribute('aria-expanded', String(form.classList.toggle('open'))); });
  more.id = 'more';
  more.setAttribute('aria-expanded', 'false');
  form.append(more, actions);
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', (event) => changed(event.target.name));
  table.addEventListener('sorted', () => {
    if (isMatrix) table.classList.toggle('grouped', /^(0\+)?$/.test(table.dataset.sort));
    save();
    tell(inUse());
  });
  window.addEventListener('hashchange', () => { if (location.hash === '' || location.hash.includes('=')) load(); });
  window.addEventListener('beforeprint', () => next(rows.length));
  load();
})();
