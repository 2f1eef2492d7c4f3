# SPDX-License-Identifier: Apache-2.0
"""Holds the cells of a workbook against sheet.json, the program's own answer."""

from workbook import Table, number

CENT = 0.005
ABOVE_ANSWER = 3  # rows of inputs between the subtitle and the table
ROUNDED_HOURS = 5e-5  # sheet.json states hours to 0.0001; Answer works with the speed behind them

# Column of Rent vs buy -> where the figure stands in a row of sheet.json.
RENT = {
    "|Hours|h a run": ("hours", "mid"),
    "On demand, cheapest that counts|All GPUs|$ an hour": ("rent", "list", "usd_per_hour"),
    "On demand, cheapest that counts|A run|$": ("rent", "list", "usd_per_run"),
    "Spot|All GPUs|$ an hour": ("rent", "spot", "usd_per_hour"),
    "Spot|A run|$": ("rent", "spot", "usd_per_run"),
    "Spot|With lost work|$ a run": ("rent", "spot", "usd_per_run_interrupted"),
    "One year reserved|All GPUs|$ an hour": ("rent", "reserved_1y", "usd_per_hour"),
    "One year reserved|Every hour|$ a month": ("rent", "reserved_1y", "usd_per_month"),
    "Three years reserved|All GPUs|$ an hour": ("rent", "reserved_3y", "usd_per_hour"),
    "Three years reserved|Every hour|$ a month": ("rent", "reserved_3y", "usd_per_month"),
    "Capacity block|All GPUs|$ an hour": ("rent", "capacity_block", "usd_per_hour"),
    "Capacity block|A run, whole days|$": ("rent", "capacity_block", "usd_per_run"),
    "Own|Purchase|$": ("own", "capex_usd"),
    "Own|Planned use|$ a month": ("own", "own_usd_per_month"),
    "Own|A used GPU-hour|$": ("own", "own_usd_per_gpu_hour"),
    "Own|A run|$": ("own", "own_usd_per_run"),
    "Own|Break-even|h a month": ("own", "break_even_hours_per_month"),
    "Own|Break-even|runs a month": ("own", "break_even_runs_per_month"),
    "Own|Payback|month": ("own", "payback_month"),
}
OWN = {
    "Machines to buy|Machines|": ("own", "nodes"),
    "Machines to buy|Purchase|$": ("own", "capex_usd"),
    "Own|Planned use|$ a month": ("own", "own_usd_per_month"),
    "Own|No use|$ a month": ("own", "fixed_usd_per_month"),
    "Own|Every hour|$ a month": ("own", "full_use_usd_per_month"),
    "Own|A used GPU-hour|$": ("own", "own_usd_per_gpu_hour"),
    "Against renting on demand|Break-even use|share of hours": ("own", "break_even_utilisation"),
    "Against renting on demand|Payback|month": ("own", "payback_month"),
    "Against renting on demand|Payback, capital not charged|month": ("own", "payback_month_cash"),
    "Against renting on demand|Saved over the life|$": ("own", "savings_usd_over_life"),
    "Against renting on demand|Net present value|$": ("own", "npv_usd"),
    "|Depreciation|$ a month": ("own", "parts_usd_per_month", "depreciation"),
    "|Capital|$ a month": ("own", "parts_usd_per_month", "capital"),
    "|Colocation|$ a month": ("own", "parts_usd_per_month", "colo"),
    "|Support|$ a month": ("own", "parts_usd_per_month", "support"),
    "|Energy|$ a month": ("own", "parts_usd_per_month", "energy"),
    "|Staff|$ a month": ("own", "parts_usd_per_month", "staff"),
    "|Licences|$ a month": ("own", "parts_usd_per_month", "licence"),
}


def at(row, path):
    for key in path:
        row = None if row is None else row.get(key)
    return row


class Comparison:
    """`filled`: rows of the edition before any change; a figure that none of them has is one that the
    sheet does not state, and the workbook's cannot be held against anything. The workbook keeps the set-ups of
    that edition, and where the program would choose another by the changed catalog nothing is held against it."""

    def __init__(self, filled):
        self.filled = filled
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
            same = abs(got - expected) <= max(slack, CENT if is_money else 1e-4 * max(1, abs(expected)))
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
        result.words(f"{row['key']}: advice", table.value(i, "Own|These GPUs|"),
                     at(row, ("own", "advice")))
        result.words(f"{row['key']}: close", table.value(i, "Own|Within 10 %|"),
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
    for before in result.filled:
        if before["own"]:
            set_ups.setdefault((order[before["gpu"]], before["layout"]["gpus"]))
    for row in sheet["rows"]:
        key = (order[row["gpu"]], row["layout"]["gpus"])
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


def compare_answer(folder, sheet, unchanged, result):
    """The workbook keeps the choices of the unchanged edition: only the same are held against each other."""
    table = Table(folder / "sheet-Answer.csv", ABOVE_ANSWER)
    if len(table.rows) != len(unchanged["picks"]):
        result.faults.append(f"Answer: {len(table.rows)} rows, expected {len(unchanged['picks'])}")
        return
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
            figure("Rent on demand|$ a run|", run["usd"]["mid"], True)
            for end in ("low", "high"):
                hour = run["usd"]["high"] / run["hours"]["high"]
                figure(f"Rent on demand|$ {end}|", run["usd"][end], True, 3 * ROUNDED_HOURS * hour)
            result.words(f"{name}: seller", table.value(i, "|Seller|"), run["provider"])
            day = (run["price_as_of"] + "-01")[:10]  # a month is its first day in a cell of dates
            result.words(f"{name}: price date", table.value(i, "|Price date|")[:10], day)
        other = next_best(sheet, pick)
        if same_rent and same_choice(next_best(unchanged, before), other, set_up):
            figure("|$ high, more|", pick["runner_up"]["usd_high_share"], slack=2e-3)
        own = pick["own"]
        if same_choice(before["own"], own, ("machine", "machines", "gpus", "layout")):
            figure("Own at the planned hours|Cost, $|", own["capex_usd"], True)
            figure("Own at the planned hours|$/month|", own["usd_per_month"], True)
            if not same_rent:
                continue
            even = own["break_even_runs_per_month"]
            figure("|Pays from runs a month|", even or "never", slack=1e-3 * (even or 0))
            result.words(f"{name}: advice", table.value(i, "|Advice|"), "close" if own["close"] else own["advice"])


def compare(folder, sheet, unchanged):
    result = Comparison(unchanged["rows"])
    compare_answer(folder, sheet, unchanged, result)
    compare_rent(folder, sheet, result)
    compare_own(folder, sheet, result)
    return result
