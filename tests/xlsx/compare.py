# SPDX-License-Identifier: Apache-2.0
"""Holds the cells of a workbook against sheet.json, the program's own answer."""

import math

from workbook import Table, number

CENT = 0.005
ABOVE_ANSWER = 3  # rows of inputs between the subtitle and the table
ABOVE_PLAN = 4  # totals, and the words over its first table
CONVERTED = 1e-5  # of an amount: prices and rates are converted to a millionth, multiplied by the hours of years, subtracted
ROUNDED_HOURS = 5e-5  # sheet.json states hours to 0.0001; Answer works with the speed behind them

# Column of Rent vs buy -> where the figure stands in a row of sheet.json.
RENT = {
    "|Hours|h per run": ("hours", "mid"),
    "On demand, cheapest that counts|All GPUs|$ per hour": ("rent", "list", "usd_per_hour"),
    "On demand, cheapest that counts|A run|$": ("rent", "list", "usd_per_run"),
    "Spot|All GPUs|$ per hour": ("rent", "spot", "usd_per_hour"),
    "Spot|A run|$": ("rent", "spot", "usd_per_run"),
    "Spot|Expected hours|h per run": ("rent", "spot", "spot", "hours"),
    "Spot|With lost work|$ per run": ("rent", "spot", "usd_per_run_interrupted"),
    "One year reserved|All GPUs|$ per hour": ("rent", "reserved_1y", "usd_per_hour"),
    "One year reserved|Every hour|$ per month": ("rent", "reserved_1y", "usd_per_month"),
    "One year reserved|Beats on demand from|h per month": ("rent", "reserved_1y", "break_even_hours_per_month"),
    "Three years reserved|All GPUs|$ per hour": ("rent", "reserved_3y", "usd_per_hour"),
    "Three years reserved|Every hour|$ per month": ("rent", "reserved_3y", "usd_per_month"),
    "Capacity block|All GPUs|$ per hour": ("rent", "capacity_block", "usd_per_hour"),
    "Capacity block|A run, whole days|$": ("rent", "capacity_block", "usd_per_run"),
    "These GPUs, bought|Purchase|$": ("own", "capex_usd"),
    "These GPUs, bought|Planned use|$ per month": ("own", "own_usd_per_month"),
    "These GPUs, bought|A used GPU-hour|$": ("own", "own_usd_per_gpu_hour"),
    "These GPUs, bought|A run|$": ("own", "own_usd_per_run"),
    "These GPUs, bought|Break-even|h per month": ("own", "break_even_hours_per_month"),
    "These GPUs, bought|Break-even|runs per month": ("own", "break_even_runs_per_month"),
    "These GPUs, bought|Payback|month": ("own", "payback_month"),
}
OWN = {
    "Machines|Machines|": ("own", "nodes"),
    "Machines|Purchase|$": ("own", "capex_usd"),
    "Own|Planned use|$ per month": ("own", "own_usd_per_month"),
    "Own|No use|$ per month": ("own", "fixed_usd_per_month"),
    "Own|Every hour|$ per month": ("own", "full_use_usd_per_month"),
    "Own|A used GPU-hour|$": ("own", "own_usd_per_gpu_hour"),
    "Against renting on demand|Break-even use|share of hours": ("own", "break_even_utilisation"),
    "Against renting on demand|Payback|month": ("own", "payback_month"),
    "Against renting on demand|Payback, capital not charged|month": ("own", "payback_month_cash"),
    "Against renting on demand|Saved over the life|$": ("own", "savings_usd_over_life"),
    "Against renting on demand|Net present value|$": ("own", "npv_usd"),
    "|Depreciation|$ per month": ("own", "parts_usd_per_month", "depreciation"),
    "|Capital|$ per month": ("own", "parts_usd_per_month", "capital"),
    "|Colocation|$ per month": ("own", "parts_usd_per_month", "colo"),
    "|Support|$ per month": ("own", "parts_usd_per_month", "support"),
    "|Energy|$ per month": ("own", "parts_usd_per_month", "energy"),
    "|Staff|$ per month": ("own", "parts_usd_per_month", "staff"),
    "|Licences|$ per month": ("own", "parts_usd_per_month", "licence"),
}


def at(row, path):
    for key in path:
        row = None if row is None else row.get(key)
    return row


class Comparison:
    """`filled`: rows of the edition before any change; a figure that none of them has is one that the
    sheet does not state, and the workbook's cannot be held against anything. The workbook keeps the set-ups of
    that edition, and where the program would choose another by the changed catalog nothing is held against it."""

    def __init__(self, filled, share):
        self.filled = filled
        self.share = share  # of an amount, by which a recalculated one may differ
        self.set_ups = {row["key"]: row["layout"] for row in filled}
        self.others = 0
        self.money = 0
        self.other = 0
        self.faults = []
        self.not_filled = set()

    def figure(self, place, got, expected, is_money, slack=0.0):
        if is_money:
            self.money += 1
        else:
            self.other += 1
        if got is None or expected is None:
            same = got is None and expected is None
        else:
            same = abs(got - expected) <= max(slack, self.share * abs(expected), CENT if is_money else 1e-4 * max(1, abs(expected)))
        if not same:
            self.faults.append(f"{place}: expected {expected}, got {got}")

    def words(self, place, got, expected):
        self.other += 1
        if got != (expected or ""):
            self.faults.append(f"{place}: expected {expected!r}, got {got!r}")

    def keeps(self, row):
        return row is not None and self.set_ups.get(row["key"]) == row["layout"]

    def columns(self, table, name, rows, paths):
        for ending, path in paths.items():
            values = [at(row, path) for row in rows]  # None where no row has the set-up now
            if all(at(row, path) is None for row in self.filled):
                self.not_filled.add(".".join(path))
                continue
            is_money = "usd" in path[-1] or "usd" in path[-2]
            for i, value in enumerate(values):
                if not self.keeps(rows[i]):
                    continue
                self.figure(f"{table.cell(i, ending)} {ending} of {name(i)}",
                            number(table.value(i, ending)), value, is_money)


def compare_rent(folder, sheet, result):
    table = Table(folder / "sheet-Rent vs buy.csv")
    rows = [row for row in sheet["rows"] if row["modelled"] and row["verdict"] != "no"]
    if len(rows) != len(table.rows):
        result.faults.append(f"Rent vs buy: {len(table.rows)} rows, expected {len(rows)}")
        return
    result.columns(table, lambda i: rows[i]["key"], rows, RENT)
    result.others = sum(not result.keeps(row) for row in rows)
    if result.others > len(rows) / 2:
        result.faults.append(f"Rent vs buy: {result.others} of {len(rows)} set-ups are others by the changed catalog")
    prices = {price["key"]: price for price in sheet["prices"]}
    for i, row in enumerate(rows):
        if not result.keeps(row):
            continue
        key = at(row, ("rent", "list", "price_key"))
        result.words(f"{row['key']}: provider", table.value(i, "|Provider|"),
                     prices[key]["provider"] if key else "")
        result.words(f"{row['key']}: advice", table.value(i, "Advice at the planned hours|These GPUs|"),
                     at(row, ("own", "advice")))
        result.words(f"{row['key']}: close", table.value(i, "Advice at the planned hours|Within 10 %|"),
                     "close" if at(row, ("own", "close")) else "")
    if result.others:
        return
    cheapest = {}
    for row in rows:
        run, kind = at(row, ("rent", "list", "usd_per_run")), (row["model"], row["method"], row["scenario"])
        if row["verdict"] == "fits" and run is not None:
            cheapest[kind] = min(run, cheapest.get(kind, run))
    for i, row in enumerate(rows):
        run, kind = at(row, ("rent", "list", "usd_per_run")), (row["model"], row["method"], row["scenario"])
        is_least = row["verdict"] == "fits" and run is not None and run == cheapest[kind]
        result.words(f"{row['key']}: cheapest", table.value(i, "|Cheapest run of its kind|"), "yes" if is_least else "")


def compare_own(folder, sheet, result):
    table = Table(folder / "sheet-Ownership.csv")
    order = {gpu["id"]: i for i, gpu in enumerate(sheet["gpus"])}
    set_ups = {}

    def key_of(row):
        return order[row["gpu"]], row["layout"]["gpus"], at(row, ("rent", "list", "price_key")) or ""

    for before in result.filled:
        if before["own"]:
            set_ups.setdefault(key_of(before))
    for row in sheet["rows"]:
        key = key_of(row)
        if row["own"] and result.keeps(row) and key in set_ups and set_ups[key] is None:
            set_ups[key] = row
    rows = [set_ups[key] for key in sorted(set_ups)]
    if len(rows) != len(table.rows):
        result.faults.append(f"Ownership: {len(table.rows)} rows, expected {len(rows)}")
        return
    result.columns(table, lambda i: rows[i]["key"], rows, OWN)


def candidate(sheet, key, place):
    return next(row for row in sheet["rows"] if row["key"] == key)["candidates"][place]


def rented(sheet, pick):
    return candidate(sheet, pick["rent_pick"], pick["candidate"]) if pick["rent_pick"] else None


def next_best(sheet, pick):
    return candidate(sheet, pick["runner_up"]["row"], pick["runner_up"]["candidate"]) if pick["runner_up"] else None


def same_choice(before, after, keys):
    return None not in (before, after) and all(before[key] == after[key] for key in keys)


def compare_quarter(table, picks, result):
    """Typed runs times the dollars of a run, and their sum under the last line."""
    for end, run in (("$ low", "$ low"), ("$ expected", "$ per run"), ("$ high", "$ high")):
        total = 0
        for i in range(picks):
            runs = number(table.value(i, "Your quarter, if you rent|Runs per quarter|"))
            shown = number(table.value(i, f"Your quarter, if you rent|{end}|"))
            expected = runs * number(table.value(i, f"Rent on demand|{run}|")) if runs else None
            result.figure(f"Answer: line {i + 1}, {end} of the quarter", shown, expected, True)
            total += expected or 0
        shown = number(table.value(picks, f"Your quarter, if you rent|{end}|"))
        result.figure(f"Answer: {end} of the whole quarter", shown, total or None, True)


def compare_answer(folder, sheet, unchanged, result):
    """The workbook keeps the choices of the unchanged edition: only the same are held against each other."""
    table = Table(folder / "sheet-Answer.csv", ABOVE_ANSWER)
    picks = len(unchanged["picks"])
    if len(table.rows) != picks + 1:
        result.faults.append(f"Answer: {len(table.rows)} rows, expected {picks} and their total")
        return
    compare_quarter(table, picks, result)
    set_up = ("gpu", "gpus", "layout")
    for i, before in enumerate(unchanged["picks"]):
        pick = sheet["picks"][i]
        name = f"Answer: {before['model']}/{before['method']}"

        def figure(ending, expected, money=False, slack=0.0):
            got = table.value(i, ending)
            if "never" in (got, expected):
                result.words(f"{name}: {ending}", got, expected)
            else:
                result.figure(f"{name}: {ending}", number(got), expected, money, slack)

        run = rented(sheet, pick)
        same_rent = same_choice(rented(unchanged, before), run, set_up)
        if same_rent:
            figure("Rent on demand|Hours|", run["hours"]["mid"])
            figure("Rent on demand|$ per run|", run["usd"]["mid"], True)
            for end in ("low", "high"):
                hour = run["usd"]["high"] / run["hours"]["high"]
                figure(f"Rent on demand|$ {end}|", run["usd"][end], True, 3 * ROUNDED_HOURS * hour)
            result.words(f"{name}: seller", table.value(i, "Rent on demand|Seller|"), run["provider"])
            day = (run["price_as_of"] + "-01")[:10]  # a month is its first day in a cell of dates
            result.words(f"{name}: price date", table.value(i, "|Price date|")[:10], day)
        other = next_best(sheet, pick)
        if same_rent and same_choice(next_best(unchanged, before), other, set_up):
            figure("|Score, % more|", pick["runner_up"]["score_share"], slack=2e-3)
        own = pick["own"]
        if same_choice(before["own"], own, ("machine", "machines", "gpus", "layout")):
            figure("Own at the planned hours|Purchase, $|", own["capex_usd"], True)
            figure("Own at the planned hours|$/month|", own["usd_per_month"], True)
            against = ("gpu", "gpus", "price_key")
            if not same_choice(before["own"]["rent_set_up"], own["rent_set_up"], against):
                continue
            even, hours = own["break_even_runs_per_month"], own["break_even_hours_per_month"]
            figure("Cheaper to own from|runs per month|", even or "never", slack=1e-3 * (even or 0))
            figure("Cheaper to own from|h per month|", hours or "never", slack=1e-3 * (hours or 0))
            result.words(f"{name}: advice", table.value(i, "Working: advice|At so many hours|"),
                         "close" if own["close"] else own["advice"])


def an_hour(sheet, key, gpus):
    """Dollars of so many GPUs at a price: of whole instances, and of a machine that is on sale."""
    price = next(price for price in sheet["prices"] if price["key"] == key)
    machine = next((count for count in price["counts"] if count >= gpus), gpus)
    return math.ceil(max(machine, price["minimum_gpus"] or 0) / price["gpus"]) * price["expected_usd_per_instance_hour"]


def machine_month(sheet, pool):
    """A machine of a pool at rest, and what a GPU-hour of use adds; None where no row of the sheet has it alone."""
    own = next((row["own"] for row in sheet["rows"] if row["own"] and row["layout"]["gpus"] == pool["gpus_per_unit"]
                and (row["own"]["node"], row["own"]["nodes"]) == (pool["id"], 1)), None)
    use = own and (own["full_use_usd_per_month"] - own["fixed_usd_per_month"]) / sheet["options"]["hours_per_month"]
    return own and (own["fixed_usd_per_month"], use / pool["gpus_per_unit"], own["capex_usd"])


def plan_moves(sheet, unchanged):
    """By pool what a change of prices and rates adds to a unit's month, to a GPU-hour of use and to a unit's purchase,
    with the plan as it was; None where no row says."""
    hours = sheet["options"]["hours_per_month"]
    moves = {}
    for pool in unchanged["plan"]["pools"]:
        moves[pool["id"]] = (0, 0, 0)
        if pool["price_key"]:
            month = (an_hour(sheet, pool["price_key"], 1) - an_hour(unchanged, pool["price_key"], 1)) * hours
            moves[pool["id"]] = (month, 0, 0)
        elif pool["kind"] in ("bought", "owned") and sheet != unchanged:
            before, now = machine_month(unchanged, pool), machine_month(sheet, pool)
            moves[pool["id"]] = before and now and tuple(b - a for a, b in zip(before, now))
    return moves


def compare_runs(runs, sheet, unchanged, moves, result):
    """By pool what the runs cost more than they did: hours of whole instances, or GPU-hours of use."""
    of_runs = dict.fromkeys(moves, 0)
    for i, one in enumerate(unchanged["plan"]["assignments"]):
        hour = moves[one["pool"]][1] * one["gpus"]
        if one["price_key"]:
            hour = an_hour(sheet, one["price_key"], one["gpus"]) - an_hour(unchanged, one["price_key"], one["gpus"])
        more = one["runs"] * one["hours"] * hour
        of_runs[one["pool"]] += more
        name = f"Plan: {runs.cell(i, '|Together|$')} of {one['pool']}, month {one['month'] + 1}"
        result.figure(name, number(runs.value(i, "|Together|$")), one["usd"] + more, True)
        result.figure(name, number(runs.value(i, "|Runs|")), one["runs"], False)
    return of_runs


def compare_plan(folder, sheet, unchanged, result):
    """The workbook keeps units and runs of the unchanged edition: only prices and rates move its dollars."""
    plan = unchanged["plan"]
    pools = Table(folder / "sheet-Plan.csv", ABOVE_PLAN, len(plan["pools"]))
    runs = Table(folder / "sheet-Plan.csv", ABOVE_PLAN + len(plan["pools"]) + 5)
    if len(runs.rows) != len(plan["assignments"]):
        result.faults.append(f"Plan: {len(runs.rows)} rows, expected {len(plan['assignments'])}")
        return
    moves = plan_moves(sheet, unchanged)
    if None in moves.values():
        result.faults.append(f"Plan: no row has the machine of {[key for key, move in moves.items() if move is None]}")
        return
    of_runs = compare_runs(runs, sheet, unchanged, moves, result)
    together = [0, 0, 0]
    for i, pool in enumerate(plan["pools"]):
        month, _, purchase = moves[pool["id"]]
        paid = pool["fixed_usd"] / pool["usd_per_unit_month"] if pool["usd_per_unit_month"] else 0  # units times months
        unit = pool["usd_per_unit_month"] + month if pool["units"] else None
        fixed, for_runs = pool["fixed_usd"] + paid * month, pool["runs_usd"] + of_runs[pool["id"]]
        bought = pool["capex_usd"] + pool["units"] * purchase * (pool["kind"] == "bought")
        together = [a + b for a, b in zip(together, (fixed, for_runs, bought))]
        name = f"Plan: {pool['id']}"
        for ending, expected in (("|A unit|$ per month", unit), ("|Fixed cost|$", fixed), ("|For the runs|$", for_runs),
                                 ("|Together|$", fixed + for_runs)):
            result.figure(f"{name} {ending}", number(pools.value(i, ending)), expected, True)
        result.figure(f"{name} hours", number(pools.value(i, "|GPU-hours|of the runs")), pool["used_gpu_hours"], False)
        result.figure(f"{name} used", number(pools.value(i, "|Used|of usable hours")), pool["used_share"], False)
    fixed, for_runs, bought = together
    as_built = abs(fixed + for_runs - plan["totals"]["usd"]) < 0.005  # else the program rented other runs
    rented = plan["all_rented"]["usd"] if as_built else None
    saved = rented - fixed - for_runs if rented is not None else None
    for place, expected in enumerate((fixed + for_runs, fixed, for_runs, bought, rented, saved)):
        result.figure(f"Plan: {pools.above[2][2 * place]}", number(pools.above[3][2 * place]), expected, True)
    if sheet == unchanged:
        result.figure("Plan: the program's total", number(pools.above[3][0]), plan["totals"]["usd"], True)


def compare(folder, sheet, unchanged):
    result = Comparison(unchanged["rows"], CONVERTED if sheet["meta"].get("exchange") else 0)
    compare_answer(folder, sheet, unchanged, result)
    compare_plan(folder, sheet, unchanged, result)
    compare_rent(folder, sheet, result)
    compare_own(folder, sheet, result)
    return result
