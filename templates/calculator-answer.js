// SPDX-License-Identifier: Apache-2.0
// An answer on the calculator's page: the verdict and its figures, what else would do, formulas, cards against each other.
// Charts: calculator-charts.js; tables: calculator-tables.js.
globalThis.sizesheetAnswer = function (page) {
  'use strict';
  const { offered, tell, plain, oddWords, methodAsked, takenWords } = page;
  const at = (id) => document.getElementById(id);
  const charts = globalThis.sizesheetCharts;
  const { make, money, words: { digits, gib, priced, usd, hours, range, some }, formulas, cards: cardTable } = globalThis.sizesheetTables;

  const cardName = (id) => (offered.gpus.find((one) => one.id === id) || { short: id }).short;
  const setUp = (count, gpu) => count + '\u00a0× ' + cardName(gpu);
  const titleOf = (name) => offered.terms[name] || name.replace(/_/g, ' ');
  const runs = (answer) => answer.ok && answer.memory.verdict !== 'no';

  // What a GPU holds: where it generates too, more than its trainer.
  function heldBy(answer) {
    const beside = answer.grpo ? answer.grpo.together.device - answer.memory.device : 0;
    return { beside, device: answer.memory.device + beside, low: answer.interval.device_low + beside, high: answer.interval.device_high + beside };
  }

  const classOf = (answer) => (answer.memory.verdict === 'fits' && (answer.memory.certain === false || lateness(answer) !== '') ? 'unsure' : answer.memory.verdict);

  // Against the deadline: "" where it is kept for sure or none was asked for.
  function lateness(answer) {
    const deadline = plain('deadline');
    if (deadline === null || !answer.hours || !runs(answer) || answer.hours.high <= deadline) return '';
    return (answer.hours.low > deadline ? 'misses' : 'may miss') + ' the deadline of ' + hours(deadline);
  }

  // Fits or is tight, but the upper end of its range is above the card.
  const unsure = (answer) => runs(answer) && answer.memory.certain === false;

  function upTo(answer) {
    const { high } = heldBy(answer);
    const { capacity } = answer.memory;
    let decimals = 1;
    const plainly = (bytes) => digits(bytes / 2 ** 30, decimals);
    while (plainly(high) === plainly(capacity) && decimals < 9) decimals += 1;
    return 'up to ' + plainly(high) + ' of ' + plainly(capacity) + ' GiB; run two training steps first';
  }

  function verdictOf(answer) {
    const { verdict } = answer.memory;
    const { mark, words } = offered.verdicts[classOf(answer)];
    return mark + ' ' + words[0].toUpperCase() + words.slice(1) + (verdict === 'tight' && unsure(answer) ? ', not certain' : '');
  }

  const verdictWords = (answer) => verdictOf(answer) + (unsure(answer) ? ': ' + upTo(answer) : '');

  const headline = (answer, gpu) => verdictWords(answer) + (runs(answer) ? ': ' : ' on ') + setUp(answer.layout.gpus, gpu) +
    (answer.hours && answer.usd ? ', ' + hours(answer.hours.mid) + ', ' + usd(answer.usd.mid) + ' a run' : '') +
    (lateness(answer) === '' ? '' : '; ' + lateness(answer));

  function figure(title, main, words) {
    const box = make('div');
    const says = make('dd');
    says.append(make('strong', main), document.createElement('br'), words);
    box.append(make('dt', title), says);
    return box;
  }

  function showFigures(answer, gpu) {
    const held = heldBy(answer);
    const rented = answer.minimum.rentable;
    const offer = answer.offer ? answer.offer.provider + ', price of ' + answer.offer.price_as_of : runs(answer) ? 'no price' : 'none';
    const timed = runs(answer) && answer.hours;
    at('a-figures').replaceChildren(
      figure('Set-up of this answer', runs(answer) ? setUp(answer.layout.gpus, gpu) : '–', offer),
      figure('Smallest that fits', rented === null ? '–' : setUp(rented, gpu) + (rented === answer.layout.gpus && unsure(answer) ? ', not certain' : ''), answer.minimum.by_memory ? 'memory alone: ' + answer.minimum.by_memory : ''),
      figure('Hours of a run', timed ? hours(answer.hours.mid) : '–', timed ? range(answer.hours, hours) : 'not known'),
      figure(money.code + ' of a run', answer.usd ? usd(answer.usd.mid) : '–', answer.usd ? range(answer.usd, usd) : 'not known'),
      figure(runs(answer) ? 'A GPU holds' : 'A GPU would hold', gib(held.device), range(held, gib)));
  }

  // What the engine took the words of the form for; a config and a method of one's own have no id.
  const takenOf = (answer) => 'Sized: ' + [answer.model_id || 'the config', answer.method_id || 'the method as given', answer.gpu_id].join(', ') + '.';

  function notesOf(answer) {
    const notes = [...oddWords(), ...answer.warnings];
    const budget = plain('budget');
    if (budget !== null && answer.usd) {
      notes.unshift(answer.usd.high <= budget * money.usd_per_unit ? 'Within the budget of ' + priced(budget) + ', its upper end too.'
        : 'Over the budget of ' + priced(budget) + ': the upper end is ' + usd(answer.usd.high) + '.');
    }
    const deadline = plain('deadline');
    if (deadline !== null && answer.hours && runs(answer)) {
      notes.unshift(answer.hours.high <= deadline ? 'Ends within ' + hours(deadline) + ', its upper end too.'
        : 'May take longer than ' + hours(deadline) + ': the upper end is ' + hours(answer.hours.high) + '.');
    }
    notes.unshift(takenOf(answer), ...takenWords());
    return notes;
  }

  function showCharts(answer) {
    const { beside, device } = heldBy(answer);
    const { capacity } = answer.memory;
    const phase = answer.grpo ? answer.grpo.together.phase : answer.memory.peak_phase;
    at('a-fill').textContent = gib(device) + ' of ' + gib(capacity) + ', at its most in ' + phase.replace(/_/g, ' ') + '.';
    at('a-frontier').replaceChildren(charts.frontier(answer, at('a-frontier').clientWidth, { money, usd, hours, setUp: (count) => count + '\u00a0×' }));
    const parts = beside > 0 ? [...answer.terms, { name: 'beside_the_trainer', bytes: beside }] : answer.terms;
    at('a-bill').replaceChildren(charts.bill({ device, capacity, parts }, at('a-bill').clientWidth, { gib, titleOf }));
  }

  function showTerms(answer) {
    const bytes = (term) => gib(term.bytes);
    const named = (term) => titleOf(term.name);
    const figured = (line) => (line.usd === undefined ? some(line.value) + '\u00a0' + line.unit : '$' + digits(line.usd, 2));
    const titled = (line) => line.title;
    const all = [['Dollars of a run', answer.cost_terms, figured, titled], ['Time of a step and of the run', answer.time_terms, figured, titled],
                 ['Memory of the fullest GPU', answer.terms, bytes, named], ['Generation beside it', answer.generation_terms, bytes, named],
                 ['Files and host memory of the run', answer.file_terms, bytes, named]];
    at('a-terms').replaceChildren(...all.filter((one) => one[1]).map((one) => formulas(...one)));
  }

  function ownWords({ own }) {
    if (!own) return 'No machine on sale in this sheet runs it in time.';
    const even = own.break_even_runs_per_month;
    const priced = ' (' + (own.price_kind === null ? '' : own.price_kind + ', ') + own.price_as_of + ')';
    const run = (own.measured ? '' : '~') + hours(own.hours.mid) + ' a run: ';
    return own.machines + ' × ' + own.machine_title + ' for ' + usd(own.capex_usd) + priced + ', ' + run +
      (even === null ? 'owning is never cheaper within the hours of a month.' : 'owning is cheaper from ' + digits(own.break_even_hours_per_month, 0) + ' h per month (' + digits(even, 1) + ' runs).');
  }

  function showOwn(answer) {
    const own = answer.own;
    at('a-own').textContent = ownWords(answer);
    at('a-even').replaceChildren();
    at('a-months').replaceChildren();
    if (!own) return;
    const count = plain('runs') ?? 1;
    const used = count * own.hours.mid;
    const most = offered.hours_per_month;
    const months = [['Runs per month', some(count) + ' in ' + hours(used) + ' of the machine']];
    if (own.rent_usd_per_run !== null) months.push(['To rent them', usd(count * own.rent_usd_per_run) + ' a month']);
    months.push(['To own it', used > most ? 'more hours than a month has' :
      usd(own.fixed_usd_per_month + (own.full_use_usd_per_month - own.fixed_usd_per_month) * used / most) + ' a month']);
    months.forEach(([title, words]) => {
      const row = make('div');
      row.append(make('dt', title), make('dd', words));
      at('a-months').append(row);
    });
    if (own.quantity_terms.length > 0) {
      at('a-even').append(formulas('From when on it pays', own.quantity_terms, (line) => digits(line.value, 1) + '\u00a0' + line.unit, (line) => line.title));
    }
  }

  // Where nothing fits: more GPUs, or another method to the same end on those that one has, the sheet's first; else the
  // fewest of another type. One change each, three at most.
  function* changesThatFit(request) {
    const method = methodAsked();
    const end = (one) => JSON.stringify([one.objective, one.grpo]);
    const others = offered.methods.filter((one) => one !== method && end(one) === end(method));
    const least = (change) => {
      const found = tell(Object.assign({}, request, { deadline_hours: undefined, objective: 'memory', answer: ['memory'] }, change));
      return found.ok && found.minimum.rentable !== null ? { count: found.minimum.rentable, doubt: unsure(found) ? ' (not certain)' : '' } : null;
    };
    const found = [];
    for (const [words, change] of [['', { max_gpus: method.request.max_gpus }], ...others.map((one) => ['with ' + one.title + ' ', { method: one.id }])]) {
      const best = least(change);
      if (best !== null) found.push(words + 'on ' + setUp(best.count, request.gpu) + best.doubt);
      if (found.length === 3) return found;
      yield;
    }
    let fewest = null;
    for (const { id } of found.length === 0 ? offered.gpus : []) {
      const best = least({ gpu: id, max_gpus: method.request.max_gpus });
      if (best !== null && (fewest === null || best.count < fewest.count)) fewest = Object.assign({ id }, best);
      yield;
    }
    return fewest === null ? found : ['on ' + setUp(fewest.count, fewest.id) + fewest.doubt];
  }

  function refuse(words) {
    at('a-refused').hidden = false;
    at('a-found').hidden = true;
    at('a-compared').hidden = true;
    at('a-refused').textContent = words;
  }

  // The verdict and the figures at once; what takes longer to draw or to find after them.
  function* show(answer, request) {
    at('a-refused').hidden = answer.ok;
    at('a-found').hidden = !answer.ok;
    if (!answer.ok) {
      at('a-refused').textContent = answer.error;
      return;
    }
    at('a-verdict').textContent = headline(answer, request.gpu);
    at('a-verdict').className = 'card-setup ' + classOf(answer);
    at('a-binding').textContent = answer.binding;
    showFigures(answer, request.gpu);
    at('a-notes').replaceChildren(...notesOf(answer).map((words) => make('li', words)));
    for (const part of [showCharts, showOwn, showTerms]) {
      yield;
      part(answer);
    }
    if (answer.minimum.rentable !== null) return;
    yield;
    const changes = yield* changesThatFit(request);
    if (changes.length > 0) at('a-binding').textContent += ' It fits ' + changes.join(', or ') + '.';
  }

  function standing(answer) {
    if (!answer.ok) return answer.error;
    if (!runs(answer)) return verdictOf(answer) + ': ' + gib(heldBy(answer).device) + ' of ' + gib(answer.memory.capacity);
    return [verdictOf(answer), lateness(answer), answer.usd ? '' : 'no price'].filter((words) => words !== '').join(', ');
  }

  // `best`: the card of them that is shown whole because it was picked; null where none is.
  function showCards(cards, best) {
    const { rank, risk_weight: risk, tie_share: share } = offered.compared.rules;
    const least = { usd_high: 'upper end of dollars', usd_mid: 'expected dollars' }[rank] ??
      'score: the expected dollars plus ' + digits(100 * risk, 0) + ' % of the gap to the upper end';
    const about = best && best.late ? 'None ends in time for sure; the answer is about the one that ends first. T'
      : best && best.forBudget ? 'The pick of the sheet is over the budget, so the answer is about the lowest upper end. Else t'
        : best ? 'The answer is about the ' + cardName(best.request.gpu) + '. T' : 'None can be picked. T';
    at('a-rule').textContent = about + 'he sheet rents at the lowest ' + least + (share > 0 ? ', and within ' + digits(100 * share, 0) + ' % of it what is fastest.' : '.');
    at('a-cards').replaceChildren(cardTable('Every GPU type of the sheet', cards.map((card) => {
      const { answer, request } = card;
      const dollars = answer.usd ? usd(answer.usd.low) + '–' + usd(answer.usd.high).slice(money.symbol.length) : '–';
      return [cardName(request.gpu), runs(answer) ? String(answer.layout.gpus) : '–',
              runs(answer) && answer.hours ? hours(answer.hours.mid) : '–', dollars, standing(answer) + (card === best && !best.late ? ', picked' : '')];
    })));
  }

  function markdown(answer, request, command) {
    const lines = ['**' + headline(answer, request.gpu) + '**', '', at('a-binding').textContent, ''];
    Array.from(at('a-figures').children).forEach((box) => {
      lines.push('- ' + box.querySelector('dt').textContent + ': ' + box.querySelector('strong').textContent + ' (' + box.querySelector('dd').lastChild.textContent + ')');
    });
    notesOf(answer).forEach((words) => lines.push('- ' + words));
    return lines.concat(['- ' + ownWords(answer), '', 'Prices as of ' + offered.as_of + '. `' + command + '`']).join('\n');
  }

  return { show, showCards, markdown, refuse };
};
