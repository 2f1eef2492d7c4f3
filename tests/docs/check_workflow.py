#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the workflows and the action that docs/ci offers for copying:  check_workflow.py FOLDER PROGRAM

Each must parse, give no job more rights than it needs, use no action but the listed ones, put nothing that a pull
request says into a script, and call the program with options that it has. A job that may write runs nothing of a pull
request. The action's own steps are run, but for the one that installs; those of sheet.yml and of gitlab-ci.yml are run in a
small repository of a team, that of configs.yml over a folder of configs.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

import gitlab_pipeline
import team_repository

ACTIONS = {"actions/cache", "actions/checkout", "actions/deploy-pages", "actions/upload-artifact",
           "actions/upload-pages-artifact", "./.github/actions/sizesheet"}
READS = {"contents": "read"}
WORKFLOWS = {
    "price-diff.yml": ({"pull_request"}, {"diff": READS}),
    "configs.yml": ({"pull_request"}, {"fits": READS}),
    "sheet.yml": ({"pull_request", "push"},
                  {"edition": READS, "pages": {"pages": "write", "id-token": "write"}}),
    "comment.yml": ({"workflow_run"}, {"comment": {"actions": "read", "pull-requests": "write"}}),
}
TAG = "<!-- sizesheet-diff -->"


def step_faults(place, steps, program):
    for step in steps:
        action = step.get("uses", "").split("@")[0]
        if action and action not in ACTIONS:
            yield f"{place}: {action} is none of {sorted(ACTIONS)}"
    for script in [step["run"] for step in steps if "run" in step]:
        if "${{" in script:
            yield f"{place}: a script holds an expression; pass it by env"
        checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
        if checked.returncode != 0:
            yield f"{place}: {checked.stderr.strip()}"
        for command, call in re.findall(r"sizesheet (ask|build|diff)([^\n]*)", script):
            help_text = subprocess.run([program, command, "--help"], text=True, capture_output=True).stdout
            for option in re.findall(r"--[a-z-]+", call):
                if option not in help_text:
                    yield f"{place}: sizesheet {command} has no {option}"


def workflow_faults(workflow, triggers, rights, program):
    if workflow.get("permissions") != {}:
        yield "permissions: expected none for the whole workflow"
    if set(workflow[True]) != triggers:  # YAML 1.1 reads the key `on` as true
        yield f"on: expected {sorted(triggers)}, got {sorted(workflow[True])}"
    if set(workflow["jobs"]) != set(rights):
        yield f"jobs: expected {sorted(rights)}, got {sorted(workflow['jobs'])}"
    for name, job in workflow["jobs"].items():
        allowed = rights.get(name)
        if job.get("permissions") != allowed:
            yield f"jobs.{name}.permissions: expected {allowed}, got {job.get('permissions')}"
        writes = "write" in (job.get("permissions") or {}).values()
        if writes and any("checkout" in step.get("uses", "") for step in job["steps"]):
            yield f"jobs.{name}: runs code of the pull request"
        yield from step_faults(f"jobs.{name}", job["steps"], program)


def run_action(action, program):
    """Faults of the steps that build and compare, run as the action runs them."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        defaults = {name: entry.get("default", "") for name, entry in action["inputs"].items()}
        path = f"{pathlib.Path(program).resolve().parent}:{os.environ['PATH']}"
        for baseline in ["", "before"]:
            given = dict(defaults, baseline=baseline, out="edition" if baseline else "before")
            for step in action["runs"]["steps"]:
                if "run" not in step or "PACKAGE" in step.get("env", {}):
                    continue
                if "if" in step and not baseline:
                    continue
                env = {key: given[re.fullmatch(r"\$\{\{ inputs\.(\w+) \}\}", value).group(1)]
                       for key, value in step["env"].items()}
                env.update(PATH=path, HOME=str(folder), GITHUB_OUTPUT=str(folder / "outputs"),
                           GITHUB_STEP_SUMMARY=str(folder / "summary"))
                done = subprocess.run(["bash", "-e", "-c", step["run"]], env=env, cwd=folder, text=True,
                                      capture_output=True)
                if done.returncode != 0:
                    yield f"{step['name']}: exit {done.returncode}: {done.stderr.strip()}"
                    return
        for name, expected in [("outputs", "changed=false\n"), ("diff.md", TAG), ("summary", TAG)]:
            text = (folder / name).read_text(encoding="utf-8")
            if not text.startswith(expected):
                yield f"{name}: expected {expected!r} at its head, got {text[:60]!r}"
        for file in ["edition/sheet.pdf", "edition/index.html"]:
            if not (folder / file).is_file():
                yield f"{file}: not there"


LORA = """base_model: meta-llama/Llama-3.1-8B
adapter: lora
lora_r: 16
lora_target_linear: true
sequence_len: 2048
sample_packing: true
micro_batch_size: 1
"""
TRAINED = {
    "lora.yaml": LORA,
    "zero.yaml": LORA + "deepspeed: zero.json\n",
    "zero.launch.json": '{"zero_optimization": {"stage": 2}}',
    "large.yaml": "base_model: meta-llama/Llama-3.1-405B\nmicro_batch_size: 1\n",
    "lisa.yaml": LORA + "lisa_n_layers: 2\n",
}
READ = [
    ("lora.yaml", "lora.yaml: fits on 8"),
    ("zero.yaml", "zero.yaml: fits on 8"),
    ("large.yaml", "large.yaml: does not fit"),
    ("lisa.yaml", "configs/lisa.yaml:8: lisa_n_layers: LISA is not modelled"),
]


def config_faults(workflow, program):
    """Runs the step that asks for each config, over configs that fit, that do not, and that are refused."""
    step = next(step for step in workflow["jobs"]["fits"]["steps"] if step.get("name") == "Ask for each config")
    path = f"{pathlib.Path(program).resolve().parent}:{os.environ['PATH']}"
    for names, expected in [(list(TRAINED), 1), (["lora.yaml", "zero.yaml", "zero.launch.json"], 0)]:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "configs").mkdir()
            for name in names:
                (folder / "configs" / name).write_text(TRAINED[name], encoding="utf-8")
            env = dict(workflow["env"], PATH=path, HOME=str(folder), GITHUB_STEP_SUMMARY=str(folder / "summary"))
            done = subprocess.run(["bash", "-e", "-c", step["run"]], env=env, cwd=folder, text=True, capture_output=True)
            if done.returncode != expected:
                yield f"exit {done.returncode}, expected {expected}: {done.stderr.strip()}"
            told = (folder / "summary").read_text(encoding="utf-8")
            rows = [(name, words) for name, words in READ if name in names]
            for name, words in rows:
                if not re.search(rf"^\| configs/{name} \| .*{re.escape(words)}", told, re.MULTILINE):
                    yield f"{name}: expected {words!r} in:\n{told}"
            if told.count("\n") != len(rows) + 2:
                yield f"expected {len(rows)} rows in:\n{told}"


def main():
    folder, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    documents = {file.name: yaml.safe_load(file.read_text(encoding="utf-8")) for file in folder.glob("*.yml")}
    action = documents.pop("action.yml")
    gitlab = documents.pop("gitlab-ci.yml")
    faults = []
    if set(documents) != set(WORKFLOWS):
        faults.append(f"expected {sorted(WORKFLOWS)}, got {sorted(documents)}")
    for name, workflow in documents.items():
        triggers, rights = WORKFLOWS.get(name, (set(), {}))
        faults += [f"{name}: {fault}" for fault in workflow_faults(workflow, triggers, rights, program)]
    faults += [f"action.yml: {fault}" for fault in step_faults("runs", action["runs"]["steps"], program)]
    faults += [f"action.yml: {fault}" for fault in run_action(action, program)]
    with tempfile.TemporaryDirectory() as place:
        faults += [f"sheet.yml: {fault}" for fault in
                   team_repository.team_faults(documents["sheet.yml"], action, program, place)]
    faults += [f"configs.yml: {fault}" for fault in config_faults(documents["configs.yml"], program)]
    jobs = {name: job for name, job in gitlab.items() if isinstance(job, dict) and "script" in job}
    for name, job in jobs.items():
        steps = [{"run": script} for script in job.get("before_script", []) + job["script"]]
        faults += [f"gitlab-ci.yml: {fault}" for fault in step_faults(name, steps, program)]
    with tempfile.TemporaryDirectory() as place:
        faults += [f"gitlab-ci.yml: {fault}" for fault in gitlab_pipeline.pipeline_faults(gitlab, program, place)]
    for fault in faults:
        print(f"{folder}/{fault}")
    print(f"{len(documents)} workflows, the action and {len(jobs)} jobs of GitLab checked, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
