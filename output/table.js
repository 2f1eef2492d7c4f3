// SPDX-License-Identifier: Apache-2.0
// Sorting, filters kept in the address, copying, and bills that open when linked to. The pages are
// complete without it: everything it needs stands in the tables.
(function () {
  'use strict';
  const root = document.documentElement;
  root.classList.add('js');
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));
  const status = document.getElementById('count');
  const matrix = document.getElementById('matrix');
  const form = document.getElementById('filters');
  const raw = (cell) => {
    const v = cell ? cell.getAttribute('data-v') : '';
    return v === null ? cell.textContent.trim().toLowerCase() : v === '' ? '' : Number(v);
  };
  const make = (name, text, action) => {
    const element = document.createElement(name);
    element.textContent = text;
    if (action) { element.type = 'button'; element.addEventListener('click', action); }
    return element;
  };

  // Sorting. Unknown stays last in both directions; equal rows keep the order of the sheet.
  function sortBy(table, index, descending) {
    const rows = Array.from(table.tBodies[0].rows);
    const place = (row) => Number(row.dataset.place);
    rows.sort((a, b) => {
      const [x, y] = [raw(a.cells[index]), raw(b.cells[index])];
      if (x === '' || y === '') return (x === '') - (y === '') || place(a) - place(b);
      const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y), 'en');
      return (descending ? -order : order) || place(a) - place(b);
    });
    table.tBodies[0].append(...rows);
    const heads = headsOf(table);
    heads.forEach((head, i) => {
      head.setAttribute('aria-sort', i === index ? (descending ? 'descending' : 'ascending') : 'none');
      head.querySelector('.arrow').textContent = i === index ? (descending ? '\u00a0▼' : '\u00a0▲') : '';
    });
    if (table === matrix) table.classList.toggle('grouped', index === 0 && !descending && !filtered());
    table.dataset.sort = index + (descending ? '-' : '+');
  }
  const headsOf = (table) => all('th', table.tHead.rows[Number(table.dataset.sortable) - 1]);
  all('table[data-sortable]').forEach((table) => {
    Array.from(table.tBodies[0].rows).forEach((row, i) => { row.dataset.place = i; });
    headsOf(table).forEach((head, index) => {
      const label = document.createElement('span');
      label.className = 'label';
      while (head.firstChild) label.appendChild(head.firstChild);
      const arrow = make('span', '');
      arrow.className = 'arrow';
      arrow.setAttribute('aria-hidden', 'true');
      head.append(label, arrow);
      head.setAttribute('aria-sort', 'none');
      head.dataset.index = index;
    });
    const buttons = (on) => headsOf(table).forEach((head, index) => {
      const label = head.querySelector('.label');
      const old = label.querySelector('button');
      if (on === Boolean(old)) return;
      if (!on) { label.replaceChildren(...old.childNodes); return; }
      const button = make('button', '', () => {
        sortBy(table, index, head.getAttribute('aria-sort') === 'ascending');
        if (table === matrix) { save(); tell(); } else if (status) { status.textContent = 'Sorted'; }
      });
      button.append(...label.childNodes);
      label.appendChild(button);
    });
    buttons(true);
    // Browsers leave text inside buttons out of heads repeated on paper.
    window.addEventListener('beforeprint', () => buttons(false));
    window.addEventListener('afterprint', () => buttons(true));
  });

  // Filters of the matrix.
  const limit = (name, from = form) => { const v = parseFloat(from.elements[name].value.replace(/,/g, '')); return isNaN(v) ? Infinity : v; };
  const has = (text, words) => words.trim().toLowerCase().split(/\s+/).every((word) => text.toLowerCase().includes(word));
  const methods = () => all('input[name=method]', form);
  function filtered() {
    if (!form) return false;
    return form.elements.model.value.trim() !== '' || methods().some((box) => !box.checked) ||
      limit('gpus') !== Infinity || limit('run') !== Infinity;
  }
  const rows = matrix ? Array.from(matrix.tBodies[0].rows) : [];
  const moneyFrom = matrix ? rows[0] ? all('td', rows[0]).findIndex((cell) => cell.classList.contains('setup')) + 1 : 0 : 0;
  const asWritten = new Map(rows.map((row) => [row, Array.from(row.cells).slice(moneyFrom).map((cell) => cell.cloneNode(true))]));
  // Columns of the list of every row that stand behind $/h … advice of the matrix.
  const fromList = [8, 9, 10, 12, 13, 14];
  function showGpu(gpu) {
    const index = headsOf(matrix).findIndex((head) => head.dataset.gpu === gpu);
    const list = new Map(all('#rows tr[data-row]').map((row) => [row.dataset.row, row]));
    all('.on', matrix).forEach((cell) => cell.classList.remove('on'));
    rows.forEach((row) => {
      const cells = Array.from(row.cells).slice(moneyFrom);
      asWritten.get(row).forEach((cell, i) => cells[i].replaceWith(cell.cloneNode(true)));
      if (index < 0) return;
      const count = row.cells[index];
      count.classList.add('on');
      const line = list.get(count.dataset.key);
      const now = Array.from(row.cells).slice(moneyFrom);
      now[0].textContent = count.dataset.v ? count.dataset.v + '\u00a0× ' + headsOf(matrix)[index].dataset.name : count.textContent;
      now[0].dataset.v = count.dataset.v;
      fromList.forEach((from, i) => {
        const source = line ? line.cells[from] : null;
        now[i + 1].textContent = source ? source.textContent : '–';
        if (i < 5) now[i + 1].dataset.v = source ? source.dataset.v : '';
        else now[i + 1].className = source ? source.className : 'left advice';
      });
    });
    if (index >= 0) headsOf(matrix)[index].classList.add('on');
  }
  function filter() {
    const on = methods().filter((box) => box.checked).map((box) => box.value);
    rows.forEach((row) => {
      const gpus = raw(row.cells[moneyFrom]);
      const run = raw(row.cells[moneyFrom + 3]);
      row.hidden = !(has(row.dataset.search, form.elements.model.value) && on.includes(row.dataset.method) &&
        (limit('gpus') === Infinity || (gpus !== '' && gpus <= limit('gpus'))) &&
        (limit('run') === Infinity || (run !== '' && run <= limit('run'))));
    });
    matrix.classList.toggle('grouped', !filtered() && /^(0\+)?$/.test(matrix.dataset.sort || ''));
    tell();
  }
  function tell() {
    const shown = rows.filter((row) => !row.hidden).length;
    const sort = headsOf(matrix).find((head) => head.getAttribute('aria-sort') !== 'none');
    status.replaceChildren(make('strong', String(shown)), ' of ' + rows.length + ' rows' +
      (shown === 0 ? ': no row passes every filter, loosen one or press Clear' : sort ? ', by ' + sort.dataset.name : ''));
  }
  function save() {
    const state = new URLSearchParams();
    ['model', 'gpu', 'gpus', 'run'].forEach((name) => { if (form.elements[name].value.trim()) state.set(name, form.elements[name].value.trim()); });
    if (methods().some((box) => !box.checked)) state.set('method', methods().filter((box) => box.checked).map((box) => box.value).join(','));
    if (matrix.dataset.sort) state.set('sort', matrix.dataset.sort);
    const text = state.toString();
    history.replaceState(null, '', text ? '#' + text : location.pathname + location.search);
  }
  function load() {
    const text = location.hash.slice(1);
    const state = new URLSearchParams(text.includes('=') ? text : '');
    ['model', 'gpu', 'gpus', 'run'].forEach((name) => { form.elements[name].value = state.get(name) || ''; });
    const on = state.has('method') ? state.get('method').split(',') : null;
    methods().forEach((box) => { box.checked = !on || on.includes(box.value); });
    showGpu(form.elements.gpu.value);
    const sort = /^(\d+)([+-])$/.exec((state.get('sort') || '').replace(' ', '+'));
    if (sort && Number(sort[1]) < headsOf(matrix).length) sortBy(matrix, Number(sort[1]), sort[2] === '-');
    filter();
  }
  async function copy(text, button) {
    const label = button.textContent;
    try { await navigator.clipboard.writeText(text); button.textContent = 'Copied'; } catch (refused) { button.textContent = 'Not allowed here'; }
    setTimeout(() => { button.textContent = label; }, 1500);
  }
  function markdown() {
    const line = (cells) => '| ' + cells.map((cell) => cell.replace(/\|/g, '\\|').replace(/\s+/g, ' ').trim()).join(' | ') + ' |';
    const heads = headsOf(matrix).map((head) => head.dataset.name);
    const body = Array.from(matrix.tBodies[0].rows).filter((row) => !row.hidden).map((row) => line(Array.from(row.cells).map((cell) => cell.textContent)));
    return [line(heads), line(heads.map((_, i) => (i ? '--:' : '---')))].concat(body).join('\n') + '\n';
  }
  if (matrix && form) {
    const actions = make('div', '');
    actions.className = 'actions';
    actions.append(make('button', 'Clear', () => { form.reset(); matrix.dataset.sort = ''; showGpu(''); sortBy(matrix, 0, false); matrix.dataset.sort = ''; filter(); save(); }),
      make('button', 'Copy as Markdown', (event) => copy(markdown(), event.currentTarget)),
      make('button', 'Copy link', (event) => copy(location.href, event.currentTarget)));
    const more = make('button', 'More filters', () => { more.setAttribute('aria-expanded', String(form.classList.toggle('open'))); });
    more.id = 'more';
    more.setAttribute('aria-expanded', 'false');
    form.append(more, actions);
    form.hidden = false;
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', (event) => { if (event.target.name === 'gpu') showGpu(event.target.value); filter(); save(); });
    window.addEventListener('hashchange', () => { if (location.hash === '' || location.hash.includes('=')) load(); });
    load();
  }

  // Filters of the changes. A row says itself what it is about.
  const changes = document.getElementById('change-filters');
  function filterChanges() {
    const picks = all('#pick-rows tbody tr');
    const [model, cause, level] = ['model', 'cause', 'level'].map((name) => changes.elements[name].value);
    picks.forEach((row) => {
      const share = raw(row.querySelector('.share'));
      row.hidden = !(has(row.dataset.search, model) && (!cause || row.dataset.cause.split(' ').includes(cause)) && (!level || row.dataset.level === level) &&
        (limit('least', changes) === Infinity || (share !== '' && Math.abs(share) >= limit('least', changes))));
    });
    document.getElementById('pick-count').replaceChildren(make('strong', String(picks.filter((row) => !row.hidden).length)), ' of ' + picks.length + ' rows');
  }
  if (changes) { changes.hidden = false; changes.addEventListener('submit', (event) => event.preventDefault()); changes.addEventListener('input', filterChanges); filterChanges(); }

  // A bill that is linked to must be open to be seen.
  function reveal() {
    const target = location.hash.length > 1 && !location.hash.includes('=') && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    let folded = false;
    for (let box = target.closest('details'); box; box = box.parentElement.closest('details')) { folded = folded || !box.open; box.open = true; }
    if (folded) target.scrollIntoView();
  }
  window.addEventListener('hashchange', reveal);
  reveal();
})();
