#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the workflow that docs/ offers for copying:  check_workflow.py FILE

It must parse, give no job more rights than it needs, use no action but the two of GitHub's own, put
nothing that a pull request says into a script, and call the program with options that it has.
"""
import re
import subprocess
import sys

import yaml

ACTIONS = {"actions/checkout", "actions/upload-artifact"}
RIGHTS = {
    "diff": {"contents": "read"},
    "comment": {"actions": "read", "pull-requests": "write"},
}


def scripts_of(job):
    return [step["run"] for step in job["steps"] if "run" in step]


def faults_of(workflow, program):
    if workflow.get("permissions") != {}:
        yield "permissions: expected none for the whole workflow"
    triggers = set(workflow[True])  # YAML 1.1 reads the key `on` as true
    if triggers != {"pull_request"}:
        yield f"on: expected pull_request alone, got {sorted(triggers)}"
    if set(workflow["jobs"]) != set(RIGHTS):
        yield f"jobs: expected {sorted(RIGHTS)}, got {sorted(workflow['jobs'])}"
    for name, job in workflow["jobs"].items():
        if job.get("permissions") != RIGHTS.get(name):
            yield f"jobs.{name}.permissions: expected {RIGHTS.get(name)}, got {job.get('permissions')}"
        for step in job["steps"]:
            action = step.get("uses", "").split("@")[0]
            if action and action not in ACTIONS:
                yield f"jobs.{name}: {action} is none of {sorted(ACTIONS)}"
        for script in scripts_of(job):
            if "${{" in script:
                yield f"jobs.{name}: a script holds an expression; pass it by env"
            checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
            if checked.returncode != 0:
                yield f"jobs.{name}: {checked.stderr.strip()}"
    if any("checkout" in step.get("uses", "") for step in workflow["jobs"]["comment"]["steps"]):
        yield "jobs.comment: runs code of the pull request"
    help_text = subprocess.run([program, "diff", "--help"], text=True, capture_output=True).stdout
    calls = re.findall(r"sizesheet diff[^\n]*", "\n".join(scripts_of(workflow["jobs"]["diff"])))
    if not calls:
        yield "jobs.diff: expected a call of sizesheet diff"
    for option in re.findall(r"--[a-z-]+", " ".join(calls)):
        if option not in help_text:
            yield f"jobs.diff: sizesheet diff has no {option}"


def main():
    path, program = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        workflow = yaml.safe_load(file)
    faults = list(faults_of(workflow, program))
    for fault in faults:
        print(f"{path}: {fault}")
    print(f"{len(workflow['jobs'])} jobs checked, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
