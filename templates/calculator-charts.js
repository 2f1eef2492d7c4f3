// SPDX-License-Identifier: Apache-2.0
// Charts of the calculator's page: hours against dollars of the set-ups that nothing beats, and what fills a GPU.
globalThis.sizesheetCharts = (function () {
  'use strict';
  const SVG = document.getElementById('a-drawing').namespaceURI;
  const draw = (name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const chart = (width, height, label) =>
    draw('svg', { class: 'chart', viewBox: '0 0 ' + width + ' ' + height, width, height, role: 'img', 'aria-label': label });

  // A round step that gives at most five marks from 0 to `most`.
  function step(most) {
    const power = 10 ** Math.floor(Math.log10(most / 4));
    return [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one * 5 >= most);
  }

  // Hours run over decades: a logarithmic axis; dollars from 0.
  function frontier(answer, wide, words) {
    const all = answer.frontier;
    if (all.length === 0) {
      const none = document.createElement('p');
      none.textContent = 'Nothing that fits is rented out.';
      return none;
    }
    const [width, height, left, right, top, bottom] = [Math.min(Math.max(wide, 280), 720), 280, 60, 28, 16, 40];
    const least = Math.min(...all.map((one) => one.hours.low));
    const most = Math.max(...all.map((one) => one.hours.high));
    const dearest = Math.max(...all.map((one) => one.usd.high));
    const span = Math.log(Math.max(most / least, 1.5));
    const x = (hours) => left + (width - left - right) * Math.log(hours / least) / span;
    const y = (usd) => height - bottom - (height - top - bottom) * usd / dearest;
    const picked = (one) => one.gpus === answer.layout.gpus;
    const told = all.map((one) => words.setUp(one.gpus) + ' ' + words.hours(one.hours.mid) + ' ' + words.usd(one.usd.mid)).join('; ');
    const svg = chart(width, height, 'Hours against ' + words.money.code.toLowerCase() + ' of a run: ' + told);
    const unit = words.money.usd_per_unit;
    const by = step(dearest / unit);
    for (let at = 0; at * unit <= dearest; at += by) {
      const mark = y(at * unit);
      svg.append(draw('line', { class: at === 0 ? 'axis' : 'grid', x1: left, x2: width - right, y1: mark, y2: mark }),
                 draw('text', { x: left - 8, y: mark + 4, 'text-anchor': 'end' }, words.money.symbol + at.toLocaleString('en')));
    }
    for (let power = Math.floor(Math.log2(least)); 2 ** power <= most; power += Math.max(1, Math.ceil(span / Math.log(2) / 8))) {
      const hours = 2 ** power;
      if (hours < least) continue;
      svg.append(draw('line', { class: 'grid', x1: x(hours), x2: x(hours), y1: top, y2: height - bottom }),
                 draw('text', { x: x(hours), y: height - bottom + 16, 'text-anchor': 'middle' }, words.hours(hours)));
    }
    svg.append(draw('text', { x: width - right, y: height - 6, 'text-anchor': 'end' }, 'hours of a run'));
    let free = Infinity;  // from the longest run to the shortest: ranges and labels only where none lies over another
    all.forEach((one) => {
      const [kind, px, py] = [picked(one) ? 'line-pick' : 'line-other', x(one.hours.mid), y(one.usd.mid)];
      svg.append(draw('circle', { class: kind + '-disc', cx: px, cy: py, r: picked(one) ? 6 : 3 }));
      if (!picked(one) && free - px < 44) return;
      free = px;
      svg.append(draw('line', { class: kind, x1: x(one.hours.low), x2: x(one.hours.high), y1: py, y2: py }),
                 draw('line', { class: kind, x1: px, x2: px, y1: y(one.usd.low), y2: y(one.usd.high) }),
                 draw('text', { class: picked(one) ? 'halo line-pick-name' : 'halo', x: px + 8, y: py - 8 }, words.setUp(one.gpus)));
    });
    return svg;
  }

  const KINDS = { weights: 'weights', adapters: 'other', gradients: 'gradients', optimizer: 'optimizer', activations: 'activations', recompute: 'activations', logits: 'activations' };

  function bill({ device, capacity, parts }, wide, words) {
    const room = Math.max(device, capacity);
    const [width, height] = [Math.min(Math.max(wide, 280), 720), 66];
    const box = document.createElement('div');
    const svg = chart(width, height, 'Memory of the fullest GPU: ' + parts.map((term) => words.titleOf(term.name) + ' ' + words.gib(term.bytes)).join('; '));
    svg.append(draw('rect', { class: 'free', x: 0, y: 20, width, height: 34 }));
    let from = 0;
    const key = document.createElement('ul');
    key.className = 'chart-key';
    parts.filter((term) => term.bytes > 0).forEach((term) => {
      const kind = KINDS[term.name] || 'other';
      const part = width * term.bytes / room;
      svg.append(draw('rect', { class: 'seg-' + kind, x: from, y: 20, width: Math.max(part - 1, 0.5), height: 34 }));
      from += part;
      if (term.bytes < 0.05 * 2 ** 30) return;  // nothing that can be seen, or told in a decimal
      const line = document.createElement('li');
      const swatch = document.createElement('span');
      swatch.className = 'swatch ' + kind;
      line.append(swatch, ' ' + words.titleOf(term.name) + ' ' + words.gib(term.bytes));
      key.append(line);
    });
    const limit = width * capacity / room;
    svg.append(draw('line', { class: 'limit', x1: limit - 1, x2: limit - 1, y1: 14, y2: 60 }),
               draw('text', { class: 'limit-label', x: limit < 120 ? limit + 6 : limit - 6, y: 12, 'text-anchor': limit < 120 ? 'start' : 'end' }, words.gib(capacity) + ' usable'));
    box.append(svg, key);
    return box;
  }

  return { frontier, bill };
})();
