// SPDX-License-Identifier: Apache-2.0
// Sorting, the filters of the changes, and bills that open when linked to. The pages are complete
// without it: everything it needs stands in the tables. Filters of the matrix: filters.js.
(function () {
  'use strict';
  const root = document.documentElement;
  root.classList.add('js');
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));
  const status = document.getElementById('count');
  // The number of a cell, "" for unknown, or its text. A count of the matrix is written as it is.
  const raw = (cell) => {
    const v = cell ? cell.getAttribute('data-v') : '';
    if (v !== null) return v === '' ? '' : Number(v);
    const text = cell.textContent.trim();
    if (!cell.classList.contains('g')) return text.toLowerCase();
    const count = parseInt(text.replace(/,/g, ''), 10);
    return isNaN(count) ? '' : count;
  };
  const make = (name, text, action) => {
    const element = document.createElement(name);
    element.textContent = text;
    if (action) { element.type = 'button'; element.addEventListener('click', action); }
    return element;
  };

  // A figure as people write it, one of `units` behind it or not: null for nothing, NaN for what is none or may be two. A comma is
  // taken only between groups of three digits. The rule and its units are those of generator/support/values.cc.
  const PLAIN = /^(0|[1-9]\d*)?(\.\d+)?$/;
  const GROUPED = /^[1-9]\d{0,2}([,_' ])\d{3}(\1\d{3})*(\.\d+)?$/;
  const WRITTEN = /^([\d.,_' ]*\d)(e[+-]?\d+)?\s*([a-z]*)$/i;
  function read(text, units) {
    if (text.trim() === '') return null;
    const [, digits, power, unit] = WRITTEN.exec(text.trim()) || [];
    if (digits === undefined || (unit === 'M' && units.min)) return NaN;  // minutes, or months
    const factor = unit === '' ? 1 : units[unit.toLowerCase()];
    const grouped = GROUPED.test(digits) && !power;
    if (!factor || !(grouped || PLAIN.test(digits))) return NaN;
    return Number((grouped ? digits.replace(/[,_' ]/g, '') : digits) + (power || '')) * factor;
  }
  // Why a text is no figure: both readings where a comma may be either.
  function unread(text) {
    const said = '"' + text.trim() + '"';
    const [, before, digits, after] = /^([^\d,]*)([\d.,]*)(.*)$/.exec(text.trim());
    const comma = digits.indexOf(',');
    const tidy = (number) => number.replace(/^0+(?=\d)/, '').replace(/^\./, '0.');
    const readings = [digits.slice(0, comma).replace(/\./g, '') + '.' + digits.slice(comma + 1).replace(/,/g, ''), digits.replace(/,/g, '')].map(tidy);
    if (comma < 0 || !readings.every((one) => one !== '' && PLAIN.test(one))) return said + ' is no number';
    return said + ' can be read as ' + readings.map((one) => before + one + after).join(' or as ');
  }
  // What a figure may be: the units and bounds of the program's options (generator/support/values.cc).
  const [HOUR, DAY, WEEK, MINUTE] = [1, 24, 168, 1 / 60];
  const KINDS = {
    tokens: { least: 1, most: 1e15, units: { k: 1e3, m: 1e6, b: 1e9, bn: 1e9, t: 1e12 } },
    length: { least: 1, most: 1e8, whole: true, units: { k: 1024 } },
    count: { least: 1, most: 1e5, whole: true, units: {} },
    hours: { least: 1e-6, most: 1e9, units: { h: HOUR, hr: HOUR, hrs: HOUR, hour: HOUR, hours: HOUR, d: DAY, day: DAY, days: DAY, w: WEEK, week: WEEK, weeks: WEEK, m: MINUTE, min: MINUTE, mins: MINUTE, minute: MINUTE, minutes: MINUTE } },
  };
  // {value: null} for nothing, {fault: …} for what the program would refuse too.
  function figure(text, kind) {
    const { least, most, whole, units } = KINDS[kind];
    const value = read(text, units);
    const said = '"' + text.trim() + '" ';
    if (value === null) return { value };
    if (Number.isNaN(value) || (kind === 'count' && /e/i.test(text))) return { fault: Number.isNaN(value) ? unread(text) : said + 'is no whole number' };
    if (whole && !Number.isInteger(value)) return { fault: said + 'is no whole number' };
    if (value < least || value > most) return { fault: said + 'is not from ' + least.toLocaleString('en-US', { maximumFractionDigits: 6 }) + ' to ' + most.toLocaleString('en-US') };
    return { value };
  }
  globalThis.sizesheetNumbers = { read, unread, figure };

  const places = new Map();
  const compare = new Intl.Collator('en').compare;

  // Sorting. Unknown stays last in both directions; equal rows keep the order of the sheet. Column -1
  // is that order. Other scripts ask by an event "sort" and are told by "sorted".
  function sortBy(table, index, descending) {
    const keyed = Array.from(table.tBodies[0].rows, (row) => ({ row, key: index < 0 ? 0 : raw(row.cells[index]), place: places.get(row) }));
    keyed.sort((a, b) => {
      const [x, y] = [a.key, b.key];
      if (x === '' || y === '') return (x === '') - (y === '') || a.place - b.place;
      const order = typeof x === 'number' && typeof y === 'number' ? x - y : compare(String(x), String(y));
      return (descending ? -order : order) || a.place - b.place;
    });
    table.tBodies[0].append(...keyed.map((one) => one.row));
    headsOf(table).forEach((head, i) => {
      head.setAttribute('aria-sort', i === index ? (descending ? 'descending' : 'ascending') : 'none');
      head.querySelector('.arrow').textContent = i === index ? (descending ? '\u00a0▼' : '\u00a0▲') : '';
    });
    table.dataset.sort = index < 0 ? '' : index + (descending ? '-' : '+');
    table.dispatchEvent(new Event('sorted'));
  }
  const headsOf = (table) => all('th', table.tHead.rows[Number(table.dataset.sortable) - 1]);
  all('table[data-sortable]').forEach((table) => {
    Array.from(table.tBodies[0].rows).forEach((row, i) => places.set(row, i));
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
      if (label.querySelector('a')) return; // a head that leads to a page sorts nothing
      const old = label.querySelector('button');
      if (on === Boolean(old)) return;
      if (!on) { label.replaceChildren(...old.childNodes); return; }
      const button = make('button', '', () => {
        sortBy(table, index, head.getAttribute('aria-sort') === 'ascending');
        if (status && !('filtered' in table.dataset)) status.textContent = 'Sorted';
      });
      button.append(...label.childNodes);
      label.appendChild(button);
    });
    buttons(true);
    table.addEventListener('sort', (event) => sortBy(table, event.detail.index, event.detail.descending));
    // Browsers leave text inside buttons out of heads repeated on paper.
    window.addEventListener('beforeprint', () => buttons(false));
    window.addEventListener('afterprint', () => buttons(true));
  });

  // What is no number is marked, and limits nothing.
  const limit = (name, from) => {
    const least = read(from.elements[name].value, {});
    from.elements[name].setAttribute('aria-invalid', String(Number.isNaN(least)));
    return least === null || Number.isNaN(least) ? Infinity : least;
  };
  const has = (text, words) => words.trim().toLowerCase().split(/\s+/).every((word) => text.toLowerCase().includes(word));

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

  // The menu of the bar closes by a press elsewhere or by Escape.
  const menu = document.querySelector('.menu');
  document.addEventListener('click', (event) => { if (menu && !menu.contains(event.target)) menu.open = false; });
  document.addEventListener('keydown', (event) => { if (menu && menu.open && event.key === 'Escape') { menu.open = false; menu.querySelector('summary').focus(); } });

  // A bill that is linked to must be open to be seen.
  function named() {
    try { return document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { return null; }  // "#%" is no name
  }
  function reveal() {
    const target = location.hash.length > 1 && !location.hash.includes('=') && named();
    if (!target) return;
    let folded = false;
    for (let box = target.closest('details'); box; box = box.parentElement.closest('details')) { folded = folded || !box.open; box.open = true; }
    if (folded) target.scrollIntoView();
  }
  window.addEventListener('hashchange', reveal);
  reveal();
})();
