# SPDX-License-Identifier: Apache-2.0
"""The steps of check_xlsx.sh: changes in a workbook and in the catalog alike, and comparisons."""

import json
import pathlib
import sys
import zipfile

from compare import ABOVE_ANSWER, compare
from workbook import Table, change, named_cells

LEAST_CELLS = 200  # of money, in every comparison
LEAST_MOVED = {"Rent vs buy": 50, "Ownership": 10, "Answer": 20}  # cells, by one change
SHEETS = ["Answer", "Plan", "Sizing", "Rent vs buy", "Prices", "Services", "Ownership", "Assumptions", "Terms"]
ON_ANSWER = {"tokens_per_run", "adapter_tokens_per_run", "planned_hours_per_month", "usd_per_kwh",
             "cost_of_capital", "price_max_age_days", "rent_change"}
FIXED_DATE = (1980, 1, 1, 0, 0, 0)
TRAP = "=1+CMD()"  # a note of the changed catalog
ERRORS = ("#VALUE!", "#REF!", "#NAME?", "#DIV/0!", "#N/A", "#NUM!", "Err:", "###")


def load(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def edit(path, change_it):
    """Rewrites a catalog file; change_it gets what it holds."""
    content = load(path)
    change_it(content)
    pathlib.Path(path).write_text(json.dumps(content, indent=2), encoding="utf-8")


def parts(workbook):
    with zipfile.ZipFile(workbook) as archive:
        names = archive.namelist()
        dates = {info.date_time for info in archive.infolist()}
        book = archive.read("xl/workbook.xml").decode()
    assert dates == {FIXED_DATE}, f"parts carry the clock's time: {dates}"
    places = [book.find(f'<sheet name="{name}"') for name in SHEETS]
    assert -1 not in places and places == sorted(places), f"sheets: expected {SHEETS}"
    print(f"sheet.xlsx: {len(names)} parts, dates fixed, {len(SHEETS)} sheets in order")


def untrusted(workbook):
    """What the catalog says is a text, never a formula."""
    with zipfile.ZipFile(workbook) as archive:
        texts = archive.read("xl/sharedStrings.xml").decode()
        sheets = [archive.read(name).decode() for name in archive.namelist()
                  if name.startswith("xl/worksheets/sheet")]
    assert f"<t>{TRAP}</t>" in texts, "the note is not among the texts"
    assert not any("CMD()" in sheet for sheet in sheets), "the note became a formula"
    print("a note that looks like a formula stays a text")


def same(words, folder, sheet_json, unchanged_json):
    folder = pathlib.Path(folder)
    for path in folder.iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            bad = [error for error in ERRORS if error in line]
            assert not bad, f"{words}: {path.name} shows {bad[0]}: {line[:300]}"
    result = compare(folder, load(sheet_json), load(unchanged_json))
    for fault in result.faults[:20]:
        print(f"FAILED: {words}: {fault}")
    print(f"{words}: {result.money} cells of money to the cent, {result.other} other cells, "
          f"{len(result.faults)} differ")
    if result.not_filled:
        print(f"  not in sheet.json: {', '.join(sorted(result.not_filled))}")
    assert result.money >= LEAST_CELLS, f"only {result.money} cells of money were compared"
    if result.faults:
        raise SystemExit(1)


def moved(before, after):
    """A change that changes nothing would prove nothing."""
    for name, least in LEAST_MOVED.items():
        above = ABOVE_ANSWER if name == "Answer" else 0
        old = Table(pathlib.Path(before) / f"sheet-{name}.csv", above).rows
        new = Table(pathlib.Path(after) / f"sheet-{name}.csv", above).rows
        count = sum(a[key] != b[key] for a, b in zip(old, new) for key in a)
        print(f"  {name}: {count} cells moved")
        assert count >= least, f"{name}: too few cells moved"


def one_place(named):
    """Every input has one cell; those that move an answer most have it on Answer."""
    on_answer = {name for name, (sheet, _) in named.items() if sheet == "Answer"}
    assert on_answer == ON_ANSWER, f"typed on Answer: {sorted(on_answer)}"


def price_cell(folder, price):
    """The cell of a price; its line is found by what identifies it."""
    table = Table(pathlib.Path(folder) / "sheet-Prices.csv")
    key = price["key"].rsplit("/", 1)[0].split("/")
    for i in range(len(table.rows)):
        shown = [table.value(i, f"|{name}") for name in
                 ("Provider|ServiceProviderName", "Region|RegionId", "Instance|SkuId", "Tier|")]
        if (shown == [price[name] for name in ("provider", "region", "instance", "tier")]
                and table.value(i, "|GPUs an instance|") == key[-1]
                and table.value(i, "|As of|").startswith(price["as_of"])
                and float(table.value(i, "|$ per hour, instance|ListUnitPrice"))
                == price["usd_per_instance_hour"]):
            return ("Prices", table.cell(i, "|$ per hour, instance|ListUnitPrice"))
    raise SystemExit(f"{price['key']}: not on Prices")


def change_price(sheet, folder, catalog, _named):
    """The price on demand that most rows use, of those that the plan pays, becomes three times as high: the next takes
    its place wherever that is cheaper."""
    paid = {one["price_key"] for one in sheet["plan"]["assignments"]}
    keys = [row["rent"]["list"]["price_key"] for row in sheet["rows"]
            if row["rent"]["list"] and row["rent"]["list"]["price_key"] in paid]
    key = max(sorted(set(keys)), key=keys.count)
    price = next(price for price in sheet["prices"] if price["key"] == key)
    higher = round(price["usd_per_instance_hour"] * 3, 2)

    def raise_it(content):
        rows = [row for row in content["rows"]
                if all(row.get(name, "") == price[name]
                       for name in ("gpu", "region", "instance", "gpus", "tier", "as_of"))]
        assert len(rows) == 1, f"{key}: {len(rows)} rows in the catalog"
        rows[0]["usd_per_instance_hour"] = higher
        rows[0]["note"] = TRAP

    edit(f"{catalog}/prices/{price['provider']}.json", raise_it)
    print(f"price: {key} from {price['usd_per_instance_hour']} to {higher}, used by "
          f"{keys.count(key)} rows")
    return {price_cell(folder, price): higher}


def change_rates(sheet, folder, catalog, named):
    """Electricity, cost of capital and life at the end of their ranges, another use, a dearer machine
    of each kind, and runs per quarter."""
    changes = {named["planned_hours_per_month"]: 300}
    ends = {"usd_per_kwh": "high", "cost_of_capital": "high", "life_years": "low", "pue": "low"}
    rates = {rate["role"]: rate for rate in sheet["rates"] if rate["role"] in ends}
    for role, end in ends.items():
        changes[named[role]] = rates[role][end]
    answer = Table(pathlib.Path(folder) / "sheet-Answer.csv", ABOVE_ANSWER)
    for row, runs in ((0, 40), (3, 2.5)):
        changes[("Answer", answer.cell(row, "|Runs per quarter|"))] = runs
    machines = Table(pathlib.Path(folder) / "sheet-Assumptions.csv")
    dearer = {m["id"]: m for m in sheet["purchase_nodes"] if m["id"] in
              {machine["id"] for machine in sheet["machines"]}}
    for i, row in enumerate(machines.rows):
        for machine in dearer.values():
            if row[machines.name("|Input|")] == machine["title"]:
                changes[("Assumptions", machines.cell(i, "|Value|"))] = machine["high"]

    def change_nodes(content):
        for node in content["nodes"]:
            if node["id"] in dearer:
                node["usd"]["typical"] = node["usd"]["high"]

    def change_rate(content):
        for rate in content["rates"]:
            for role, end in ends.items():
                if rate["id"] == rates[role]["id"]:
                    rate["value"]["typical"] = rate["value"][end]

    edit(f"{catalog}/purchase/nodes.json", change_nodes)
    edit(f"{catalog}/purchase/rates.json", change_rate)
    edit(f"{catalog}/sheets/quarterly.json",
         lambda spec: spec["ownership"].update(planned_hours_per_month=300))
    return changes


def change_rules(_sheet, _folder, catalog, named):
    """Only younger prices count, and a run is another length."""
    spec_path = f"{catalog}/sheets/quarterly.json"
    ages = {"max_age_days": 20, "reserved_max_age_days": 60}
    names = {"price_max_age_days": 20, "reserved_max_age_days": 60}
    if "block_max_age_days" in load(spec_path)["prices"]:
        ages["block_max_age_days"] = 100
        names["block_max_age_days"] = 100
    else:  # then capacity blocks age as prices on demand do
        names["block_max_age_days"] = 20

    def change_spec(spec):
        spec.update(tokens=123_456_789, adapter_tokens=87_654_321)
        spec["prices"].update(ages)

    edit(spec_path, change_spec)
    names.update(tokens_per_run=123_456_789, adapter_tokens_per_run=87_654_321)
    return {named[name]: value for name, value in names.items()}


def change_rents(_sheet, _folder, catalog, named):
    """Every rent is a fifth higher."""
    def raise_all(content):
        for row in content.get("rows", []):
            if "asked" in row:
                row["asked"]["amount"] = round(row["asked"]["amount"] * 1.2, 6)
            else:
                row["usd_per_instance_hour"] = round(row["usd_per_instance_hour"] * 1.2, 6)

    for path in sorted(pathlib.Path(catalog, "prices").glob("*.json")):
        edit(path, raise_all)
    return {named["rent_change"]: 0.2}


def change_case(case, workbook, folder, sheet_json, target, catalog):
    cases = {"price": change_price, "rates": change_rates, "rules": change_rules, "rents": change_rents}
    named = named_cells(workbook)
    one_place(named)
    change(workbook, target, cases[case](load(sheet_json), folder, catalog, named))


if __name__ == "__main__":
    steps = {"parts": parts, "same": same, "moved": moved, "change": change_case,
             "untrusted": untrusted}
    steps[sys.argv[1]](*sys.argv[2:])
