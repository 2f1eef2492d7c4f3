// SPDX-License-Identifier: Apache-2.0
// The box of the first page: answers from the set-ups of the sheet's rows, which answers.js hands over when the
// box is used. Tokens scale hours and dollars; other lengths, ranks and stacks are for the calculator.
(function () {
  'use strict';
  const at = (id) => document.getElementById(id);
  const form = at('box');
  if (!form) return;
  const { figure } = globalThis.sizesheetNumbers;
  const [MEASURED, CERTAIN, ALLOWED, SECOND] = [1, 2, 4, 16];
  const KINDS = { tokens: 'tokens', seq: 'length', gpus: 'count', deadline: 'hours', runs: 'count' };
  const names = ['model', 'method', 'tokens', 'seq', 'runs', 'gpus', 'gpu', 'deadline'];
  const asWritten = { asked: at('box-asked').textContent, head: at('box-head').textContent, figures: at('box-figures').textContent, lines: at('box-lines').cloneNode(true), notes: at('box-notes').cloneNode(true), page: at('box-page').getAttribute('href') };
  const begin = Object.fromEntries(names.map((name) => [name, form.elements[name].value]));
  const make = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  const value = (name) => form.elements[name].value.trim();
  const unknown = [];  // of the address: names that the sheet does not have
  let data = null;

  // Figures as the sheet prints them.
  const fixed = (number, decimals) => number.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  function roughly(usd) {
    const step = 10 ** (Math.floor(Math.log10(usd)) - 1);
    const rounded = Math.round(usd / step) * step;
    return fixed(rounded, rounded >= 10 ? 0 : rounded >= 1 ? 1 : 2);
  }
  const brief = (usd) => (usd < 10 ? roughly(usd) : fixed(usd, 0));
  const hours = (h) => fixed(h, h < 10 ? 1 : 0) + ' h';
  const setUp = (gpu, count) => count.toLocaleString('en-US') + '\u00a0×\u00a0' + data.gpus[gpu][1];
  const rented = (run) => setUp(run.gpu, run.gpus) + ' from ' + data.sellers[run.seller];
  const figures = (run) => data.money + brief(run.usd[1]) + ' (' + roughly(run.usd[0]) + '–' + roughly(run.usd[2]) + '), ' + (run.flags & MEASURED ? '' : '~') + hours(run.hours[1]);
  const words = (run) => rented(run) + ': ' + figures(run);

  // Hours of a run of as many tokens as are asked for: all but its start takes as many times as long.
  const longer = (hours, share, factor) => hours.map((h) => share * hours[1] + Math.max(0, h - share * hours[1]) * factor);
  // The upper end of the dollars is that of the hours and of the price of an hour together.
  function scaled(list, factor) {
    const [gpu, gpus, hl, hm, hh, ul, um, uh, seller, share, flags, nodes] = list;
    if (factor === 1) return { gpu, gpus, seller, flags, hours: [hl, hm, hh], usd: [ul, um, uh], hard: isHard(share, nodes, hm) };
    const [low, mid, high] = longer([hl, hm, hh], share, factor);
    const price = Math.sqrt(Math.max(0, Math.log(uh / um) ** 2 - Math.log(hh / hm) ** 2));
    const usd = um * mid / hm;
    return { gpu, gpus, seller, flags, hours: [low, mid, high], usd: [ul * low / hl, usd, usd * Math.exp(Math.hypot(Math.log(high / mid), price))], hard: isHard(share * hm / mid, nodes, mid) };
  }
  // Many machines for a short run: see is_hard_to_start in generator/sheet/decision.cc.
  const isHard = (share, nodes, hours) => (nodes > 1 && share > data.hard.share) || (nodes > data.hard.nodes && hours < data.hard.hours);
  const score = (run) => run.usd[1] + data.weight * (run.usd[2] - run.usd[1]);
  const least = (runs, by) => runs.reduce((best, run) => (best === null || by(run) < by(best) ? run : best), null);

  function able(runs, deadline) {
    const allowed = runs.filter((run) => run.flags & ALLOWED && !(run.flags & SECOND) && (deadline === null || run.hours[2] <= deadline));
    const easy = allowed.filter((run) => !(run.hard));
    const fewest = easy.reduce((count, run) => Math.min(count, run.gpus), Infinity);
    return allowed.filter((run) => !(run.hard) || run.gpus <= fewest);
  }

  // What is typed and cannot be read is marked, and answers nothing.
  function typed(name, faults) {
    const { value: number, fault } = figure(value(name), KINDS[name]);
    form.elements[name].setAttribute('aria-invalid', String(fault !== undefined));
    if (fault !== undefined) faults.push((form.elements[name].getAttribute('aria-label') || form.elements[name].labels[0].textContent) + ': ' + fault);
    return fault === undefined ? number : null;
  }

  function question() {
    const wrong = [...unknown];
    const asked = { model: value('model'), method: value('method'), gpu: value('gpu'), wrong };
    Object.keys(KINDS).forEach((name) => { asked[name] = typed(name, wrong); });
    if (asked.deadline === null && form.elements.deadline.placeholder !== 'no limit') asked.deadline = Number(form.elements.deadline.placeholder);
    return asked;
  }

  function calculator(asked) {
    const state = new URLSearchParams({ model: asked.model, method: asked.method, gpu: asked.gpu });
    ['tokens', 'seq', 'gpus', 'deadline'].forEach((name) => { if (value(name) !== '') state.set(name, value(name)); });
    return 'calculator.html#' + state;
  }
  function command(asked) {
    const more = [['seq', '--seq'], ['tokens', '--tokens'], ['runs', '--runs'], ['gpus', '--gpus'], ['deadline', '--deadline']].filter(([name]) => value(name) !== '');
    return ['sizesheet ask', asked.model, '--method', asked.method, ...(asked.gpu ? ['--gpu', asked.gpu] : []), ...more.map(([name, option]) => option + ' ' + value(name).replace(/\s/g, ''))].join(' ');
  }

  // What the rows know nothing of is not guessed.
  function elsewhere(asked, why) {
    const notes = [make('li', why)];
    if ('calculator' in form.dataset) {
      const line = make('li', '');
      line.append(Object.assign(make('a', 'Ask the calculator'), { href: calculator(asked) }));
      notes.push(line);
    } else {
      const line = make('li', 'In a terminal: ');
      line.append(make('code', command(asked)));
      notes.push(line);
    }
    show({ head: 'This sheet has no row for this question', figures: '', lines: [], notes, asked });
  }

  function show({ head, figures: told, lines, notes, asked }) {
    at('box-all').hidden = true;
    const [model, method] = ['model', 'method'].map((name) => (form.elements[name].selectedOptions[0] || { textContent: '?' }).textContent);
    const limit = value('deadline') || (form.elements.deadline.placeholder !== 'no limit' ? form.elements.deadline.placeholder : '');
    const type = asked.gpu && value('gpus') === '' ? [form.elements.gpu.selectedOptions[0].textContent + ' only'] : [];
    at('box-asked').textContent = [model, method, ...type, ...['tokens', 'seq'].filter((name) => value(name) !== '').map((name) => form.elements[name].labels[0].textContent.toLowerCase() + ' ' + value(name)), ...(limit && (value('gpus') === '' || value('deadline') !== '') ? ['within ' + limit + (/[a-z]/i.test(limit) ? '' : '\u00a0h')] : [])].join(', ');
    at('box-head').textContent = head;
    at('box-figures').textContent = told;
    at('box-lines').replaceChildren(...lines.filter(([, text]) => text).map(([title, text]) => { const line = make('div', ''); line.append(make('dt', title), make('dd', text)); return line; }));
    at('box-notes').replaceChildren(...notes);
    at('box-page').setAttribute('href', 'models/' + asked.model + '.html#' + asked.method);
  }

  const fewestWords = (job, keep) => job.fewest.filter(keep || (([, count]) => count <= data.most_told)).map(([gpu, count, sure]) => setUp(gpu, count) + (sure ? '' : '?')).join(' · ') || 'none of at most ' + data.most_told + ' GPUs';

  // What runs on GPUs that somebody has: the set-ups to rent, and the smaller counts, which have no price here.
  function owned(job, runs, asked, has) {
    const times = asked.tokens === null ? 1 : asked.tokens / job.tokens;
    const smaller = job.smaller.map(([gpu, gpus, low, mid, high, certain, measured, share]) => ({ gpu, gpus, hours: longer([low, mid, high], share, times), flags: (certain ? CERTAIN : 0) | (measured ? MEASURED : 0) }));
    return [...runs.filter((run) => !(run.flags & SECOND)), ...smaller].filter((run) => has(run.gpu, run.gpus));
  }

  // On GPUs that somebody has: nothing is rented, so hours count; the fewest are told even where no row has their hours.
  function onOwn(asked, job, runs) {
    const has = (gpu, count) => (asked.gpu === '' || data.gpus[gpu][0] === asked.gpu) && count <= asked.gpus;
    const fits = job.fewest.filter(([gpu, count]) => has(gpu, count));
    const mine = owned(job, runs, asked, has);
    const fast = least(mine, (run) => run.hours[1]);
    if (asked.gpu === '') {
      show({ head: 'Choose the type of your GPUs', figures: '', lines: [['Fewest GPUs needed', fewestWords(job)]], notes: [], asked });
      return;
    }
    const type = asked.gpu === '' ? ' GPUs' : '\u00a0×\u00a0' + data.gpus.find((one) => one[0] === asked.gpu)[1];
    if (fits.length === 0) {
      const needs = fewestWords(job, ([gpu]) => asked.gpu === '' || data.gpus[gpu][0] === asked.gpu);
      show({ head: 'Does not fit on ' + asked.gpus + type, figures: '', lines: [['Fewest GPUs needed', job.fewest.some(([gpu]) => asked.gpu === '' || data.gpus[gpu][0] === asked.gpu) ? needs : 'none of this type'], ['Or rent', words(best(runs, asked) || runs[0])]], notes: [], asked });
      return;
    }
    const within = asked.deadline !== null && fast && fast.hours[2] > asked.deadline ? [make('li', 'It may take longer than ' + hours(asked.deadline) + ': up to ' + hours(fast.hours[2]) + '.')] : [];
    const used = asked.runs !== null && fast ? asked.runs.toLocaleString('en-US') + (asked.runs === 1 ? ' run takes ' : ' runs take ') + hours(asked.runs * fast.hours[1]) + ' of the ' + data.month_hours + ' h of a month' : '';
    const unsure = fast && !(fast.flags & CERTAIN) ? [make('li', 'Memory is not certain: run two training steps first.')] : [];
    show({ head: 'Fits on ' + asked.gpus + type,
      figures: fast ? setUp(fast.gpu, fast.gpus) + ': ' + (fast.flags & MEASURED ? '' : '~') + hours(fast.hours[1]) + ' (' + hours(fast.hours[0]) + ' to ' + hours(fast.hours[2]) + ')' : 'no time estimate for so few GPUs',
      lines: [['Fewest GPUs needed', fits.map(([gpu, count, sure]) => setUp(gpu, count) + (sure ? '' : '?')).join(' · ')], ['Runs per month', used], ['Rent the same GPUs', fast && fast.usd ? words(fast) : ''], ['Or rent', words(best(runs, asked) || runs[0])]],
      notes: [...within, ...unsure], asked });
  }

  // The pick was made again at a few other lengths; nothing more is known there than what to rent.
  function atLength(asked, job, factor) {
    const list = job.lengths[asked.seq];
    const alone = ['gpus', 'gpu', 'deadline'].every((name) => value(name) === '');
    if (!list || !alone) {
      const told = [data.seq, ...Object.keys(job.lengths).map(Number)].map((length) => length.toLocaleString('en-US')).join(' and ');
      elsewhere(asked, list ? 'For this length the sheet has only the pick. It ignores your GPUs and your deadline.' : 'This sheet has picks for sequences of ' + told + ' tokens.');
      return;
    }
    const run = scaled(list, factor);
    const usual = best(job.runs.map((one) => scaled(one, factor)), asked);
    const notes = run.flags & MEASURED ? [] : [make('li', '~: nobody published a speed of this GPU type with this method.')];
    show({ head: rented(run), figures: figures(run), lines: [['At ' + data.seq.toLocaleString('en-US') + ' tokens', usual ? words(usual) : '']], notes, asked });
  }

  // Every job on GPUs that somebody has, one run each.
  function everyJob(asked) {
    const names = (name) => Object.fromEntries(Array.from(form.elements[name].options).map((option) => [option.value, option.textContent]));
    const [models, methods] = [names('model'), names('method')];
    const has = (gpu, count) => (asked.gpu === '' || data.gpus[gpu][0] === asked.gpu) && count <= asked.gpus;
    const line = (cells) => { const row = make('tr', ''); row.append(...cells.map((text, i) => Object.assign(make(i === 0 ? 'th' : 'td', text), i === 0 ? { scope: 'row' } : { className: i < 3 ? 'left' : '' }))); return row; };
    let fit = 0;
    const rows = Object.entries(data.jobs).map(([key, job]) => {
      const [model, method] = key.split('/');
      const run = least(owned(job, job.runs.map((list) => scaled(list, 1)), { tokens: null }, has), (one) => one.hours[1]);
      const fewest = job.fewest.filter(([gpu, count]) => has(gpu, count));
      if (run || fewest.length > 0) fit += 1;
      if (run) return line([models[model], methods[method], setUp(run.gpu, run.gpus) + (run.flags & CERTAIN ? '' : '?'), (run.flags & MEASURED ? '' : '~') + hours(run.hours[1]), hours(run.hours[0]) + ' to ' + hours(run.hours[2])]);
      if (fewest.length > 0) return line([models[model], methods[method], setUp(fewest[0][0], fewest[0][1]) + (fewest[0][2] ? '' : '?'), '–', '–']);
      const needs = job.fewest.filter(([gpu]) => asked.gpu === '' || data.gpus[gpu][0] === asked.gpu);
      return line([models[model], methods[method], needs.length > 0 ? 'needs ' + setUp(needs[0][0], needs[0][1]) : 'does not fit', '–', '–']);
    });
    const all = at('box-all');
    all.querySelector('summary').textContent = 'Every job of this sheet on the same GPUs: ' + fit + ' of ' + rows.length + ' fit';
    all.querySelector('tbody').replaceChildren(...rows);
    all.hidden = false;
  }

  // Whether that many runs per month pay for a machine of one's own.
  function rentOrOwn(job, pick, asked) {
    if (asked.runs === null) return '';
    const month = asked.runs.toLocaleString('en-US') + (asked.runs === 1 ? ' run' : ' runs') + ' per month cost ' + data.money + fixed(asked.runs * pick.usd[1], 0) + ' if you rent. ';
    if (job.even === undefined) return month + 'No machine has a price here.';
    if (job.even === null) return 'Rent: ' + month + 'Owning never pays within a month.';
    const machines = Math.ceil(asked.runs * job.own_hours / data.month_hours);
    const many = machines > 1 ? ' These runs need ' + machines + ' such machines.' : '';
    return (asked.runs < job.even ? 'Rent: ' : 'Own: ') + month + 'Owning is cheaper from ' + fixed(job.even, job.even < 10 ? 1 : 0) + ' runs per month.' + many;
  }

  const best = (runs, asked) => least(able(runs, asked.deadline), score);

  function answer() {
    const asked = question();
    const job = data.jobs[asked.model + '/' + asked.method];
    if (asked.wrong.length > 0) { show({ head: 'Not readable', figures: '', lines: [], notes: asked.wrong.map((words) => make('li', words)), asked }); return; }
    if (!job) { elsewhere(asked, 'This sheet has no such job.'); return; }
    const factor = asked.tokens === null ? 1 : asked.tokens / job.tokens;
    if (asked.seq !== null && asked.seq !== data.seq) { atLength(asked, job, factor); return; }
    const runs = job.runs.map((list) => scaled(list, factor));
    if (runs.length === 0) { elsewhere(asked, 'No set-up of this sheet fits and has a price.'); return; }
    if (asked.gpus !== null) { onOwn(asked, job, runs); if (asked.gpu !== '') everyJob(asked); return; }
    const some = asked.gpu === '' ? runs : runs.filter((run) => data.gpus[run.gpu][0] === asked.gpu);
    const pick = best(some, asked);
    if (pick === null) {
      const quick = least(some, (run) => run.hours[2]);
      show({ head: 'No set-up is certain to end in time', figures: '', lines: quick ? [['The fastest', words(quick)]] : [['Fewest GPUs needed', fewestWords(job)]], notes: [], asked });
      return;
    }
    const inTime = able(some, asked.deadline);
    const others = some.filter((run) => run.seller !== pick.seller && (run.flags & SECOND ? asked.deadline === null || run.hours[2] <= asked.deadline : inTime.includes(run)));
    const second = least(others, score);
    const fast = least(able(some, null).filter((run) => run.hours[1] <= data.faster.hours * pick.hours[1] && run.usd[1] <= data.faster.usd * pick.usd[1] && !(run.hard)), (run) => run.usd[1]);
    const cheap = least(inTime, (run) => run.usd[1]);
    const notes = [];
    if (!(pick.flags & CERTAIN)) notes.push(make('li', 'Memory is not certain: run two training steps first.'));
    // The sheet knows every seller of its own picks alone; of another question, the best one of each set-up.
    const usual = factor === 1 && asked.gpu === '' && value('deadline') === '';
    if (factor !== 1 && asked.runs !== null) notes.push(make('li', 'The break-even is known for ' + form.elements.tokens.placeholder + ' tokens per run only.'));
    if (factor !== 1) {
      const note = make('li', 'The box compares the set-ups in this sheet only. For this many tokens, another one may cost less. ');
      note.append(...('calculator' in form.dataset ? ['The calculator tries all.'] : ['To try all, run ', make('code', command(asked)), '.']));
      notes.push(note);
    }
    if (!usual) notes.push(make('li', 'The page Prices has more sellers of this set-up.'));
    else if (second === null || second.usd[1] > pick.usd[1] * (1 + data.near)) notes.push(make('li', 'One seller: no second source within ' + fixed(100 * data.near, 0) + '\u00a0% of its price.'));
    if (!(pick.flags & MEASURED)) notes.push(make('li', '~: nobody published a speed of this GPU type with this method.'));
    const lines = [factor === 1 ? ['Rent or own', rentOrOwn(job, pick, asked)] : ['Rent or own', ''], usual ? ['Second source', second ? words(second) : 'none'] : ['Another seller', second ? words(second) : ''], ['Cheaper, little stock', usual ? job.lines.scarce || '' : ''], ['Faster', fast ? words(fast) : ''], ['Cheaper on average', cheap !== pick && cheap.usd[1] < pick.usd[1] ? words(cheap) : ''], ['Fewest GPUs needed', fewestWords(job)]];
    // What to own is of the usual tokens, and need not end in the time that is asked for.
    if (factor === 1 && value('deadline') === '') lines.push(['Own', job.lines.own || ''], ['Service', job.lines.service || '']);
    show({ head: rented(pick), figures: figures(pick), lines, notes, asked });
  }

  // The page's own answer again, where the question is the one that it was written with.
  function restore() {
    at('box-all').hidden = true;
    at('box-asked').textContent = asWritten.asked;
    at('box-head').textContent = asWritten.head;
    at('box-figures').textContent = asWritten.figures;
    at('box-lines').replaceChildren(...asWritten.lines.cloneNode(true).childNodes);
    at('box-notes').replaceChildren(...asWritten.notes.cloneNode(true).childNodes);
    at('box-page').setAttribute('href', asWritten.page);
  }
  function save() {
    const state = new URLSearchParams();
    names.forEach((name) => { if (value(name) !== begin[name]) state.set(name, value(name)); });
    history.replaceState(null, '', state.size > 0 ? '#' + state : location.pathname + location.search);
  }
  function ask() {
    if (unknown.length === 0 && names.every((name) => value(name) === begin[name])) { restore(); return; }
    if (data) { placeholders(); answer(); return; }
    document.addEventListener('answers', (event) => { data = event.detail; placeholders(); answer(); }, { once: true });
    const script = document.createElement('script');
    script.src = 'answers.js';
    script.addEventListener('error', () => { at('box-notes').replaceChildren(make('li', 'answers.js, which has the set-ups, could not be read.')); });
    document.head.appendChild(script);
  }
  function placeholders() {
    const job = data.jobs[value('model') + '/' + value('method')];
    if (job) form.elements.tokens.placeholder = job.tokens % 1e6 === 0 ? job.tokens / 1e6 + 'M' : String(job.tokens);
  }
  // A link names what it asks about: by its id, or as the page calls it. What the sheet lacks is told, never left out.
  function choose(field, text) {
    const same = (word) => word.toLowerCase() === text.trim().toLowerCase();
    const option = Array.from(field.options).find((one) => same(one.value) || same(one.textContent));
    if (option) field.value = option.value;
    else unknown.push((field.labels[0] || field).textContent + ': this sheet has no "' + text + '"');
  }
  function load() {
    if (!location.hash.includes('=')) return;
    const state = new URLSearchParams(location.hash.slice(1));
    unknown.length = 0;
    // What it does not name is as the page begins.
    names.forEach((name) => {
      const field = form.elements[name];
      if (field.tagName === 'SELECT' && state.has(name)) choose(field, state.get(name));
      else field.value = state.has(name) ? state.get(name) : begin[name];
    });
    ask();
  }
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => { unknown.length = 0; save(); ask(); });
  window.addEventListener('hashchange', load);
  load();
})();
