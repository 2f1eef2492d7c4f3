# SPDX-License-Identifier: Apache-2.0
"""What pages work out from stored figures: a rule each, so that nothing else passes as a figure."""

import math
import statistics


def of_memory(memory):
    """Free and used shares, what is over, and the five parts that bars are drawn of."""
    if not memory or not memory['capacity']:
        return []
    parts = [memory['weights'] + memory['adapters'], memory['gradients'], memory['optimizer'],
             memory['activations'] + memory['recompute']]
    return [*of_device(memory['device'], memory['capacity']), *parts, memory['device'] - sum(parts)]


def of_device(device, capacity):
    used = device / capacity
    free = math.floor(100 * (1 - used))  # a share that is free is never rounded up
    return [used, 1 - used, free, abs(device - capacity)]


def of_clocks(throughput):
    """The seconds of a step, and the share of each part."""
    seconds = [clock['seconds'] for clock in (throughput or {}).get('clocks', [])]
    return [sum(seconds)] + [part / sum(seconds) for part in seconds] if seconds else []


def of_row(row, month_hours):
    figures = of_memory(row['memory']) + of_clocks(row['throughput'])
    for count in row['counts']:
        figures += of_device(count['device'], row['memory']['capacity'])
    for run in row['candidates'] + row.get('smaller_counts', []):  # ranges are told with two digits
        figures += [float(f'{usd:.2g}') for usd in (run.get('usd') or {}).values()]
    return figures + month_ends(row, month_hours)


def of_second(picks, rows):
    """What the second source of a pick costs more, as a share, and its range with two digits."""
    figures = []
    for pick in picks:
        second, row = pick['second_source'], rows.get(pick['rent_pick'])
        if second and row:
            figures.append(second['usd'] / row['candidates'][pick['candidate']]['usd']['mid'] - 1)
            figures += [abs(figures[-1])]
    return figures + of_two_digits(picks)


def of_two_digits(picks):
    """Ends of ranges, and dollars below ten, as pages tell them."""
    amounts = []
    for pick in picks:
        for name in ('usd', 'usd_low', 'usd_high'):
            amounts.append((pick['second_source'] or {}).get(name))
            amounts += [longer[name] for longer in pick.get('at_lengths', [])]
        amounts += [pick['usd_low'], pick['usd_high'], (pick['cheapest_mid'] or {}).get('usd_mid'), (pick['own'] or {}).get('usd_per_run')]
        own = pick['own']
        if own:
            amounts.append(own['gpus'] + own['unused_gpus'])
    return [float(f'{usd:.2g}') for usd in amounts if usd] + [usd for usd in amounts if usd]


def of_decision(picks):
    """The fewest hours per month from which owning pays, in tens, as the first sentence has them; how many picks the plan buys for."""
    owned = [pick['own'] for pick in picks if pick['own']]
    hours = [own['break_even_hours_per_month'] for own in owned if own['break_even_hours_per_month']]
    decided = [own['decision'] for own in owned if own['decision']]
    return [10 * (min(hours) // 10)] * bool(hours) + [len(decided), decided.count('buy')]


def of_certain(sheet):
    """How many picks are not certain to fit, of how many."""
    rows = {row['key']: row for row in sheet['rows']}
    picked = [rows[pick['rent_pick']] for pick in sheet['picks'] if pick['rent_pick']]
    return [len(picked), sum(row['memory']['certain'] is False for row in picked)]


def month_ends(row, month_hours):
    """Where the lines of the rent-or-own chart end, in dollars and in thousands: of the machine to own, and of renting
    the runs that it does."""
    rents = [rent for tier, rent in (row['rent'] or {}).items() if rent and tier != 'spread']
    ends = [rent['usd_per_month'] or rent['usd_per_hour'] * month_hours for rent in rents]
    if row['own']:
        ends.append(row['own']['full_use_usd_per_month'])
    owned = row['owned']
    if owned:
        ends.append(owned['full_use_usd_per_month'])
        if owned['rent_usd_per_run']:
            ends.append(owned['rent_usd_per_run'] / owned['hours']['mid'] * month_hours)
    return ends + [end / 1000 for end in ends]


def counting(prices):
    """Of one GPU type: admitted, and old only where a tier has no newer one."""
    admitted = [price for price in prices if not price['excluded']]
    fresh = {price['tier'] for price in admitted if not price['old']}
    return [price for price in admitted if not price['old'] or price['tier'] not in fresh]


def of_prices(prices):
    """By tier of one GPU type, over the prices that count: lowest, the median of each provider's lowest, highest,
    rows, providers."""
    prices = counting(prices)
    figures = []
    lowest = {price['tier']: min(p['expected_usd_per_gpu_hour'] for p in prices if p['tier'] == price['tier']) for price in prices}
    if 'on_demand' in lowest:  # per cent below on demand
        figures += [100 * (1 - usd / lowest['on_demand']) for usd in lowest.values()]
    for tier in {price['tier'] for price in prices}:
        rows = [price for price in prices if price['tier'] == tier]
        usd = [price['expected_usd_per_gpu_hour'] for price in rows]
        providers = {price['provider'] for price in rows}
        least = [min(p['expected_usd_per_gpu_hour'] for p in rows if p['provider'] == provider) for provider in providers]
        median = math.floor(statistics.median(least) * 1e6 + 0.5) / 1e6  # whole micro-dollars, half up
        # Prices that were converted one by one may have a median that is a millionth off the converted one.
        figures += [min(usd), *(median + off for off in (-1e-6, 0, 1e-6)), max(usd), len(rows), len(providers)]
    return figures


def of_history(prices):
    """What an offer's price did from one day to the next, as a share."""
    offers = {}
    for price in sorted(prices, key=lambda price: price['as_of']):
        offers.setdefault(price['key'].rpartition('/')[0], []).append(price['usd_per_gpu_hour'])
    return [abs(after / before - 1) for usd in offers.values() for before, after in zip(usd, usd[1:]) if before]


def of_ranges(parts):
    """How far a class of runs may lie off, either way."""
    return [abs(part[end] - 1) for part in parts for end in ('low', 'high')]


def of_accuracy(accuracy):
    """Measurements of a source, of memory and of speed together; the ranges around an estimate."""
    if not accuracy:
        return []
    counts = [source['rows'] + source['speeds'] for source in accuracy['sources']]
    return counts + of_ranges(accuracy['intervals']) + of_ranges(accuracy['speed']['intervals'])


def of_guides(guides):
    """How the figures of each guide, and of all, stand."""
    standings = ('exact', 'within_rounding', 'inconsistent', 'not_derivable')
    counts = [[guide[standing] for standing in standings] for guide in guides]
    together = [sum(column) for column in zip(*counts)]
    return [sum(row) for row in counts + [together]] + together


def of_frameworks(frameworks):
    figures = []
    for item in frameworks:
        for row in item['rows'] + [row for part in item['sequences']['sets'] for row in part['rows']]:
            figures += of_device(row['device_bytes'], row['capacity_bytes'])
        for memory in [row['memory'] for row in item['comparison']['rows']]:
            rest = memory['device'] - sum(memory[term] for term in (
                'weights', 'adapters', 'gradients', 'optimizer', 'activations', 'recompute', 'logits'))
            figures += of_memory(memory) + [rest]
    return figures


def of_changes(changes):
    """What the two sides of each change say together, and the totals."""
    figures = []
    for change in changes['changes']:
        for side in filter(None, (change['old'], change['new'])):
            figures += of_device(side['device_bytes'], side['capacity_bytes']) if side['capacity_bytes'] else []
            if side['list_usd_per_hour'] and side['gpus']:
                figures.append(side['list_usd_per_hour'] / side['gpus'])
        if change['old'] and change['new']:
            figures += of_sides(change['old'], change['new'])
    for totals in (changes['summary']['totals'], changes['summary']['of_picks']['totals']):
        figures += of_move(totals['old_usd'], totals['new_usd']) + of_parts(totals['old_usd'], totals['effects_usd'])
    for moved in changes['moved']:
        figures += of_values(moved)
    plan = changes.get('plan') or {}
    if plan.get('old') and plan.get('new'):
        figures += of_move(plan['old']['usd'], plan['new']['usd'])
    return figures


def of_parts(before, effects):
    """Each effect as the step between what was reached before it and after it, both as printed: they add up on the page."""
    figures, reached = [], before
    for name in ('price', 'quantity', 'time', 'mix'):
        figures.append(abs(round(reached + effects[name], 2) - round(reached, 2)))
        reached += effects[name]
    return figures


def of_values(moved):
    """Both values, which the file holds as text, and the move."""
    try:
        before, after = float(moved['old']), float(moved['new'])
    except (TypeError, ValueError):
        return []  # added, removed, or no numbers
    return [before, after, *of_move(before, after)]


def of_sides(old, new):
    figures = []
    for name in ('hours', 'list_usd_per_run', 'list_usd_per_hour', 'own_usd_per_month', 'device_bytes',
                 'break_even_hours_per_month'):
        if old[name] is not None and new[name] is not None:
            figures += of_move(old[name], new[name])
    return figures


def of_move(before, after):
    """What was added, and its share of what was there."""
    return [abs(after - before)] + ([abs(after / before - 1)] if before else [])


def of_plan(plan):
    """What each quarter costs."""
    months = [month['usd'] for month in plan['months']] if plan else []
    return [sum(months[first:first + 3]) for first in range(0, len(months), 3)]


def of_used(prices):
    """How many prices stand behind a row, how many do not count, and what is asked for each GPU type."""
    figures = [sum(price['used'] for price in prices), sum(price['excluded'] != '' for price in prices)]
    for gpu in {price['gpu'] for price in prices}:
        figures += of_prices([price for price in prices if price['gpu'] == gpu])
    return figures


def of_histories(histories):
    """How far each series went from its first month to its last, as a share."""
    ends = [(series['points'][0], series['points'][-1]) for series in histories]
    return [abs(now['usd_per_gpu_hour'] / then['usd_per_gpu_hour'] - 1) for then, now in ends]


def of_cards(value):
    """Of every set-up in some values: what it leaves of its card."""
    if isinstance(value, list):
        return [figure for part in value for figure in of_cards(part)]
    if not isinstance(value, dict):
        return []
    figures = [figure for part in value.values() for figure in of_cards(part)]
    device, capacity = value.get('device_bytes'), value.get('capacity_bytes')
    return figures + (of_device(device, capacity) if device and capacity else [])


def of_ranks(ranks):
    """Everything of an adapter together, and whether it holds."""
    return [rank['weights_bytes'] + rank['gradients_bytes'] + rank['optimizer_bytes']
            for entry in ranks for rank in entry['ranks']]


def of_stages(entries):
    """The parts of each stage's memory, and its bytes on the links against those of the first."""
    figures = [figure for entry in entries for stage in entry['stages'] for figure in of_memory(stage['memory'])]
    for entry in entries:
        first = entry['stages'][0]['wire_bytes_per_step']
        figures += [stage['wire_bytes_per_step'] / first for stage in entry['stages'] if first]
    return figures


def of_advice(advice):
    """What a technique saves from its first run to its second, and how much longer a token takes."""
    figures = []
    for entry in [entry for topic in (advice or {}).get('topics', []) for entry in topic['entries']]:
        for before, after in zip(entry['runs'], entry['runs'][1:]):
            figures += of_move(before['device_bytes'], after['device_bytes'])
            speeds = before['tokens_per_second_per_gpu'], after['tokens_per_second_per_gpu']
            figures += of_move(1 / speeds[0], 1 / speeds[1]) if all(speeds) else []
    return figures
