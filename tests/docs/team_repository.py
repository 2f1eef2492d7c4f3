# SPDX-License-Identifier: Apache-2.0
"""A small team repository in git, and the steps of docs/ci/sheet.yml run in it as the workflow runs them."""
import json
import os
import pathlib
import re
import subprocess

TAG = "<!-- sizesheet-diff -->"
SHEET = "ours.json"
EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")
WORD = re.compile(r"'[^']*'|[A-Za-z_][\w.-]*|&&|\|\||==|!=|\(|\)")


def value_of(expression, context):
    """An expression of a workflow: names with dots, texts, ==, !=, &&, || and parentheses."""
    signs = {"&&": "and", "||": "or"}

    def word(match):
        text = match.group(0)
        if text.startswith("'") or text in ("==", "!=", "(", ")"):
            return text
        return f" {signs[text]} " if text in signs else repr(context.get(text, ""))

    rest = WORD.sub("", expression).strip()
    if rest:
        raise ValueError(f"expression {expression!r}: {rest!r} is not understood")
    return eval(WORD.sub(word, expression), {"__builtins__": {}})  # only of the words above


def filled(text, context):
    return EXPRESSION.sub(lambda match: str(value_of(match.group(1).strip(), context)), str(text))


class Team:
    """A repository of a team: commits on main, and clones of it at a commit, as a runner checks them out."""

    def __init__(self, folder, program):
        self.folder, self.program = pathlib.Path(folder), str(pathlib.Path(program).resolve())
        self.repository = self.folder / "team"
        self.repository.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        self.write("README.md", "The prices that we pay.\n")
        self.commit("begun")

    def git(self, *words):
        done = subprocess.run(["git", "-C", self.repository, "-c", "user.name=team", "-c", "user.email=team@example.com",
                               *words], text=True, capture_output=True, check=True)
        return done.stdout.strip()

    def write(self, name, text):
        path = self.repository / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def commit(self, words):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", words)
        return self.git("rev-parse", "HEAD")

    def write_sheet(self):
        """One model and one card, so that an edition takes a second."""
        made = subprocess.run([self.program, "init", SHEET, "--model", "llama-3.1-8b", "--gpu", "h100", "--catalog", "builtin"],
                              cwd=self.repository, text=True, capture_output=True)
        if made.returncode != 0:
            raise RuntimeError(f"init: {made.stderr}")

    def write_price(self, usd, day):
        self.write("catalog/prices/acme.json", json.dumps({"provider": "acme", "rows": [
            {"gpu": "h100-sxm", "region": "own", "instance": "8x", "gpus": 8, "tier": "on_demand", "offer": "list",
             "usd_per_instance_hour": usd, "as_of": day, "source": "contract"}]}, indent=1) + "\n")

    def checkout(self, commit, place):
        subprocess.run(["git", "clone", "--quiet", self.repository, place], check=True, capture_output=True)
        subprocess.run(["git", "-C", place, "checkout", "--quiet", commit], check=True, capture_output=True)


class Run:
    """One run of a job for a pull request or a push; `faults` says which step failed."""

    def __init__(self, team, workflow, action, place, head, base=None, env=None):
        self.team, self.action = team, action
        self.place, self.head, self.base = pathlib.Path(place), head, base
        self.env = dict(workflow["env"], **(env or {}))
        self.steps, self.outputs, self.ran, self.faults = workflow["jobs"]["edition"]["steps"], {}, [], []

    def context(self):
        event = "pull_request" if self.base else "push"
        named = {"github.event_name": event, "github.event.pull_request.number": "7",
                 "github.event.pull_request.base.sha": self.base or "", "env": self.env}
        named |= {f"env.{name}": value for name, value in self.env.items()}
        return named | {f"steps.{step}.outputs.{name}": value for step, values in self.outputs.items()
                        for name, value in values.items()}

    def go(self):
        for step in self.steps:
            name = step.get("name", step.get("uses", ""))
            if "if" in step and not value_of(step["if"], self.context()):
                continue
            self.ran.append(name)
            uses = step.get("uses", "")
            given = {key: filled(value, self.context()) for key, value in step.get("with", {}).items()}
            if uses.startswith("actions/checkout"):
                self.team.checkout(given.get("ref", self.head), self.place / given.get("path", "."))
            elif uses.startswith("./"):
                self.run_action(name, given)
            elif "run" in step:
                env = {key: filled(value, self.context()) for key, value in step.get("env", {}).items()}
                self.shell(step.get("id", name), name, step["run"], self.env | env)
            if self.faults:
                break
        return self

    def run_action(self, name, given):
        inputs = {key: given.get(key, entry.get("default", "")) for key, entry in self.action["inputs"].items()}
        context = {f"inputs.{key}": value for key, value in inputs.items()}
        for step in self.action["runs"]["steps"]:
            if "run" not in step or "PACKAGE" in step.get("env", {}):
                continue  # what installs
            if "if" in step and not value_of(step["if"], context):
                continue
            env = {key: filled(value, context) for key, value in step["env"].items()}
            self.shell(step.get("id", name), f"{name}: {step['name']}", step["run"], env)
            if self.faults:
                return

    def shell(self, step, name, script, env):
        outputs, summary = self.place.parent / f"{self.place.name}.outputs", self.place.parent / f"{self.place.name}.summary"
        outputs.write_text("", encoding="utf-8")
        # The environment of a runner, without the caller's SIZESHEET_CATALOG and day.
        clean = {"HOME": str(self.place.parent), "GITHUB_OUTPUT": str(outputs), "GITHUB_STEP_SUMMARY": str(summary),
                 "PATH": f"{pathlib.Path(self.team.program).parent}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=self.place,
                              env=clean | env, text=True, capture_output=True)
        if done.returncode != 0:
            self.faults.append(f"{name}: exit {done.returncode}: {done.stderr.strip()}")
        lines = outputs.read_text(encoding="utf-8").splitlines()
        self.outputs[step] = dict(line.split("=", 1) for line in lines)

    def text(self, name):
        path = self.place / name
        return path.read_text(encoding="utf-8") if path.is_file() else ""


def expect(run, words, diff, ran_before):
    """Faults of a run: a failed step, an edition or a comment that is not there, words that the comment lacks."""
    yield from (f"{words}: {fault}" for fault in run.faults)
    if run.faults:
        return
    if ("The edition before" in run.ran) != ran_before:
        yield f"{words}: the edition before was {'not ' if ran_before else ''}built"
    if not run.text("edition/manifest.json"):
        yield f"{words}: no edition"
    if run.base and run.text("number") != "7\n":
        yield f"{words}: the number is {run.text('number')!r}"
    comment = run.text("diff.md")
    if run.base and not comment.startswith(TAG + "\n"):
        yield f"{words}: the comment begins {comment[:40]!r}"
    for part in diff:
        if part not in comment:
            yield f"{words}: the comment lacks {part!r}: {comment[:600]!r}"


def team_faults(workflow, action, program, folder):
    """Faults of the workflow over the life of a team's repository, and of commands that people type in it."""
    team = Team(folder, program)
    begun = team.git("rev-parse", "HEAD")
    runs = iter(range(100))

    def run(head, base=None, env=None):
        return Run(team, workflow, action, pathlib.Path(folder) / f"run{next(runs)}", head, base, env).go()

    team.write_sheet()
    bare = team.commit("a sheet, no prices of our own")
    first = ["The first edition: the base has no such sheet"]
    yield from expect(run(bare, begun, {"CATALOG": ""}), "the first pull request, without a catalog", first, False)
    team.write_price(16, "2026-11-18")
    priced = team.commit("our contract")
    yield from expect(run(priced, begun), "the first pull request", first, False)
    yield from expect(run(priced, bare), "a catalog that the base lacks", ["acme"], True)
    team.write("catalog/.gitkeep", "")
    team.git("rm", "--quiet", "-r", "catalog/prices")
    empty = team.commit("a catalog without a file")
    team.write_price(16, "2026-11-18")
    again = team.commit("and with one again")
    yield from expect(run(again, empty), "a base whose catalog is empty", ["acme"], True)
    team.write_price(22, "2026-11-19")
    dearer = team.commit("dearer")
    yield from expect(run(dearer, again), "a second pull request, with a price change",
                      ["16 -&#62; 22 &#36;/h", "2026-11-18 -&#62; 2026-11-19"], True)
    yield from expect(run(dearer, again, {"CATALOG": ""}), "CATALOG is empty", ["No differences"], True)
    yield from expect(run(dearer), "a push to main", [], False)
    lost = run(dearer, again, {"CATALOG": "catlog"}).faults
    if len(lost) != 1 or 'catlog: expected a folder of facts or builtin, got nothing (did you mean "catalog"?)' not in lost[0]:
        yield f"a catalog that is not there: {lost}"
    yield from people_faults(team)


def people_faults(team):
    """In the repository itself every command lays ./catalog over the built-in one, and says so."""
    said = "catalog is laid over the built-in catalog: it has no models\n"
    for words in ["list gpus", "check", "ask llama-3.1-8b --method lora --gpu h100", "cost --gpu h100 --gpus 8 --provider acme",
                  "build --sheet ours.json --out ../pages", "list prices --provider acme"]:
        done = subprocess.run([team.program, *words.split()], cwd=team.repository, text=True, capture_output=True,
                              env={"PATH": os.environ["PATH"]})
        if done.returncode != 0 or said not in done.stderr:
            yield f"sizesheet {words}: exit {done.returncode}: {done.stderr.strip()}"
