#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Errors of speed on sources that nobody fitted to: every fitted constant of speed is fitted anew with
one source left out at a time, and that source is predicted.

  refit.py PROGRAM CATALOG           prints a table, tuned beside left out and refitted
  refit.py PROGRAM CATALOG --write   also writes it into docs/method.md, between its marks, and its last
                                     line into validation.json of the catalog

It takes some minutes. A source of n rows weighs n^0.4; errors are in logarithms, and beyond 15 % count
in proportion, so that no single run decides."""
import datetime
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

CONSTANTS = (
    "eager.hbm_share", "eager.gddr_share", "eager.grouped_efficiency", "host.launch_us", "host.wrapper_us",
    "host.hook_us", "host.earlier_share", "throughput.hbm_share", "throughput.moe_efficiency",
    "throughput.expert_half_width", "throughput.fp8_te_efficiency", "throughput.overlap",
    "throughput.zero3_module_us", "throughput.fused_adapter_bytes", "dequant.hbm_share")
RATES = ("matmul_efficiency", "attention_efficiency", "eager_matmul_efficiency", "sdpa_efficiency",
         "te_fp8_efficiency", "grouped_efficiency")
STEPS = (1.12, 1.04)
BEND = 0.15
MARKS = ("<!-- refit -->", "<!-- /refit -->")


def merged(below, above):
    out = dict(below)
    for key, value in above.items():
        both = isinstance(value, dict) and isinstance(out.get(key), dict)
        out[key] = merged(out[key], value) if both else value
    return out


def speeds(catalog):
    """Requests and measured tokens/s of every row that counts, by id; and the source of each."""
    rows = {}
    for path in sorted((catalog / "measured").glob("*.json")):
        document = json.loads(path.read_text())
        if "speeds" not in document:
            continue
        shared = merged(document.get("request", {}), document["speeds"].get("request", {}))
        for row in document["speeds"]["rows"]:
            request = merged(shared, row["request"])
            request["model"] = document.get("models", {}).get(request["model"], request["model"])
            fp8 = request.get("kernels", {}).get("precision") == "fp8"
            if row.get("flags") and not (fp8 and row["flags"] == ["fp8-recipe"]):
                continue
            rows[row["id"]] = (document["id"], dict(request, id=row["id"]), row["tokens_per_s_per_gpu"])
    return rows


class Engine:
    """The program on the catalog with other values of the fitted constants."""

    def __init__(self, program, catalog, rows):
        self.program, self.catalog, self.rows = program, catalog, rows
        self.engine = json.loads((catalog / "engine.json").read_text())
        self.cards = {path.stem: json.loads(path.read_text()) for path in (catalog / "gpus").glob("*.json")}
        used = {request.get("gpu") for _, request, _ in rows.values()}
        self.start = {}
        for constant in self.engine["constants"]:
            if constant["id"] in CONSTANTS:
                self.start[constant["id"]] = constant["current"]
        for card in sorted(used & set(self.cards)):
            for rate in RATES:
                if rate in self.cards[card].get("speed", {}):
                    self.start[card + ":" + rate] = self.cards[card]["speed"][rate]
        self.known = {}

    def write(self, values, folder):
        engine = json.loads(json.dumps(self.engine))
        for constant in engine["constants"]:
            constant["current"] = values.get(constant["id"], constant["current"])
        (folder / "engine.json").write_text(json.dumps(engine))
        (folder / "gpus").mkdir()
        for card in sorted({key.split(":")[0] for key in values if ":" in key}):
            document = json.loads(json.dumps(self.cards[card]))
            for rate in RATES:
                if card + ":" + rate in values:
                    document["speed"][rate] = values[card + ":" + rate]
            (folder / "gpus" / (card + ".json")).write_text(json.dumps(document))

    def errors(self, values):
        """log(predicted / measured) of every row."""
        key = tuple(sorted(values.items()))
        if key in self.known:
            return self.known[key]
        with tempfile.TemporaryDirectory() as folder:
            self.write(values, pathlib.Path(folder))
            lines = "\n".join(json.dumps(request) for _, request, _ in self.rows.values())
            command = [self.program, "estimate", "--catalog", str(self.catalog), "--catalog", folder]
            answers = subprocess.run(command, input=lines + "\n", capture_output=True, text=True, check=False)
        found = {}
        for line in answers.stdout.splitlines():
            answer = json.loads(line)
            if answer.get("ok"):
                speed = answer["throughput"]["tokens_per_second_per_gpu"]
                found[answer["id"]] = math.log(speed / self.rows[answer["id"]][2])
        if len(found) != len(self.rows):
            raise SystemExit(f"{len(self.rows) - len(found)} rows have no speed: {answers.stderr[:400]}")
        self.known[key] = found
        return found


def loss(errors, rows, left_out):
    by_source = {}
    for name, error in errors.items():
        size = abs(error)
        cost = size * size if size < BEND else BEND * (2 * size - BEND)
        by_source.setdefault(rows[name][0], []).append(cost)
    return sum(len(costs) ** 0.4 * statistics.mean(costs)
               for source, costs in by_source.items() if source != left_out)


def most(key):
    """Shares of a peak stay below 1; factors and times may be anything."""
    return 0.98 if key.endswith(("efficiency", "share", "overlap")) and "te_fp8" not in key else math.inf


def fitted(engine, left_out):
    values = dict(engine.start)
    best = loss(engine.errors(values), engine.rows, left_out)
    for step in STEPS:
        for key in values:
            for factor in (step, 1 / step):
                moved = dict(values, **{key: min(values[key] * factor, most(key))})
                found = loss(engine.errors(moved), engine.rows, left_out)
                if found < best * (1 - 1e-4):
                    values, best = moved, found
                    break
    return values


def summary(errors):
    sizes = sorted(abs(math.expm1(error)) for error in errors)
    return len(sizes), statistics.median(sizes), sizes[min(len(sizes) - 1, int(0.9 * len(sizes)))]


def table(rows, tuned, left):
    lines = ["| source | runs | tuned: median, 90th percentile | left out and refitted |", "|---|--:|--:|--:|"]
    groups = {source: [name for name in rows if rows[name][0] == source] for source in
              sorted({row[0] for row in rows.values()})}
    groups["**all**"] = list(rows)
    for source, names in groups.items():
        n, median, far = summary([tuned[name] for name in names])
        _, left_median, left_far = summary([left[name] for name in names])
        lines.append(f"| {source} | {n} | {median:.1%}, {far:.1%} | {left_median:.1%}, {left_far:.1%} |")
    return "\n".join(lines).replace("%", " %")


def write_rules(path, found):
    """The line of all sources, in its place behind the sentence on what is held out."""
    n, median, far = found
    line = f'  "refitted_speed": {{"n": {n}, "median": {median:.4f}, "p90": {far:.4f}, "date": "{datetime.date.today()}"}},'
    lines = [one for one in path.read_text().splitlines() if '"refitted_speed"' not in one]
    at = next(i for i, one in enumerate(lines) if one.startswith('  "held_out"'))
    path.write_text("\n".join(lines[:at + 1] + [line] + lines[at + 1:]) + "\n")


def main():
    program, catalog = sys.argv[1], pathlib.Path(sys.argv[2])
    rows = speeds(catalog)
    engine = Engine(program, catalog, rows)
    tuned = engine.errors(engine.start)
    left = {}
    for source in sorted({row[0] for row in rows.values()}):
        errors = engine.errors(fitted(engine, source))
        left.update({name: errors[name] for name in rows if rows[name][0] == source})
        print(f"{source}: {len(engine.known)} evaluations", file=sys.stderr)
    text = table(rows, tuned, left)
    print(text)
    if "--write" in sys.argv:
        page = catalog.parent / "docs" / "method.md"
        before, rest = page.read_text().split(MARKS[0])
        page.write_text(before + MARKS[0] + "\n" + text + "\n" + MARKS[1] + rest.split(MARKS[1])[1])
        write_rules(catalog / "validation.json", summary(left.values()))


if __name__ == "__main__":
    main()
