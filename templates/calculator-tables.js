// SPDX-License-Identifier: Apache-2.0
// Figures as people read them, and tables of the calculator's page: formulas, and cards against each other.
globalThis.sizesheetTables = (function () {
  'use strict';
  const make = (name, text, kind) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };

  // The engine reckons in dollars, `usd_per_unit` of which are one of the money of the sheet; people read and type that money.
  const money = globalThis.sizesheetFacts.money || { code: 'Dollars', symbol: '$', usd_per_unit: 1 };
  const digits = (value, places) => value.toLocaleString('en', { minimumFractionDigits: places, maximumFractionDigits: places });
  const range = (one, show) => show(one.low) + ' to ' + show(one.high);
  const priced = (amount) => money.symbol + digits(amount, amount < 100 ? 2 : 0);
  const words = {
    digits,
    range,
    gib: (bytes) => digits(bytes / 2 ** 30, 1) + '\u00a0GiB',
    priced,
    usd: (dollars) => priced(dollars / money.usd_per_unit),
    hours: (value) => digits(value, value < 10 ? 1 : 0) + '\u00a0h',
    some: (value) => (Math.abs(value) >= 1e6 || Number.isInteger(value) ? value.toLocaleString('en') : String(Number(value.toPrecision(6)))),
  };

  // A column is [title, class of its head, class of its cells]; the first heads its row. A cell is a text or an element.
  function table(caption, kind, columns, rows) {
    const box = make('div', undefined, 'scroll');
    const whole = make('table', undefined, kind);
    whole.append(make('caption', caption));
    const head = whole.createTHead().insertRow();
    columns.forEach(([title, side]) => {
      const cell = make('th', title, side);
      cell.scope = 'col';
      head.append(cell);
    });
    const body = whole.createTBody();
    rows.forEach((cells) => {
      const row = body.insertRow();
      cells.forEach((content, i) => {
        const cell = make(i === 0 ? 'th' : 'td', undefined, columns[i][2]);
        cell.append(content);
        row.append(cell);
      });
      row.cells[0].scope = 'row';
    });
    box.append(whole);
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', caption);
    return box;
  }

  const METHOD = 'method.html#';
  function sourceOf(line) {
    if (!line.source.startsWith(METHOD)) return line.source;
    const link = make('a', 'method: ' + line.source.slice(METHOD.length));
    link.href = line.source;
    return link;
  }

  const FORMULA = [['Figure', 'left'], ['Value', '', 'answer'], ['Formula', 'left', 'formula'], ['With', 'left', 'formula inputs'], ['Source', 'left', 'source']];

  // Each line has its name or title, its formula and its source; `value` and `title` say the first two.
  const formulas = (caption, lines, value, title) => table(caption, 'terms', FORMULA, lines.map((line) => {
    const steps = (line.steps || []).map((step) => step.name + ' = ' + step.formula + ' = ' + words.some(step.value));
    const inputs = Object.entries(line.inputs || {}).map(([key, input]) => key + ' = ' + words.some(input));
    return [title(line), value(line), [line.formula, ...steps].join('; '), inputs.join(', '), sourceOf(line)];
  }));

  const CARDS = [['GPU', 'left'], ['GPUs', ''], ['Hours', ''], [money.code, ''], ['Verdict', 'left words', 'left words']];

  return { make, money, words, formulas, cards: (caption, rows) => table(caption, '', CARDS, rows) };
})();
