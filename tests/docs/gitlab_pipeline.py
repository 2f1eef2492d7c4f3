# SPDX-License-Identifier: Apache-2.0
"""The build of docs/ci/gitlab-ci.yml, run in a team's repository as GitLab's runner runs it."""
import os
import pathlib
import subprocess

import team_repository


def run_build(document, team, base, head, place):
    """Runs the script of the job in a clone; `base` is "" on the default branch. Returns how it ended."""
    team.checkout(head, place)
    env = {"PATH": f"{pathlib.Path(team.program).parent}:{os.environ['PATH']}", "HOME": str(place),
           "SHEET": document["variables"]["SHEET"], "CATALOG": document["variables"]["CATALOG"]}
    if base:
        env["CI_MERGE_REQUEST_DIFF_BASE_SHA"] = base
    script = "\n".join(document["edition"]["script"])
    return subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=place, env=env, text=True, capture_output=True)


def pipeline_faults(document, program, folder):
    """What is wrong: a first sheet, a dearer price, and the default branch."""
    folder = pathlib.Path(folder)
    team = team_repository.Team(folder, program)
    begun = team.commit("nothing yet")
    team.write_sheet()
    first = team.commit("a sheet")
    team.write_price(16, "2026-10-01")
    priced = team.commit("a price")
    team.write_price(22, "2026-11-01")
    dearer = team.commit("a dearer price")
    for name, base, head, said in [("the first merge request", begun, first, "**The first edition"),
                                   ("the first price", first, priced, team_repository.TAG),
                                   ("a dearer price", priced, dearer, team_repository.TAG),
                                   ("the default branch", "", dearer, None)]:
        place = folder / name.replace(" ", "-")
        done = run_build(document, team, base, head, place)
        if done.returncode != 0:
            yield f"{name}: exit {done.returncode}: {done.stderr.strip()[-300:]}"
            continue
        if not (place / "edition/index.html").is_file():
            yield f"{name}: no edition"
        words = place / "diff.md"
        got = words.read_text(encoding="utf-8") if words.is_file() else None
        if (got is None) != (said is None) or (said and not got.startswith(said)):
            yield f"{name}: diff.md: expected {said!r} at its head, got {got[:60] if got else None!r}"
