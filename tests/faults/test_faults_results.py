"""Results that are cut off, missing, another order's, with a test twice: at random, in every tenth run."""

import sys
from pathlib import Path

import pytest
from planted_project import CONFIGURATIONS, TRUTH, Project

pytestmark = pytest.mark.slow

WRAPPER = """
import os, random, sys
format, target, *tests = sys.argv[1:]
keeps = os.environ["KEEPS"]
with open(f"{keeps}/counted", "ab", buffering=0) as file:
    file.write(b"x")
    number = os.fstat(file.fileno()).st_size
chance = random.Random(number * 1000 + int(os.environ["SEED"]))
os.spawnvp(os.P_WAIT, "sh", ["sh", "suite.sh", format, f"{keeps}/new", *tests])
results = open(f"{keeps}/new").read()
written = results
if chance.random() < 0.1:
    fault = chance.choice(["cut off", "missing", "stale", "twice", "empty", "unknown"])
    lines = results.splitlines(keepends=True)
    first = 0 if format == "lines" else 1
    if fault == "cut off": written = results[: chance.randrange(len(results))]
    elif fault in ("missing", "empty"): written = ""
    elif fault == "stale": written = open(f"{keeps}/old").read() if os.path.exists(f"{keeps}/old") else ""
    elif fault == "twice": written = "".join([*lines[: first + 1], *lines[first:]])
    elif fault == "unknown": written = results.replace(tests[-1], "unheard_of")
    with open(f"{keeps}/faults", "a") as file: file.write(fault + "\\n")
    if fault == "missing": sys.exit(0)
if number % 3 == 0: os.replace(f"{keeps}/new", f"{keeps}/old")
with open(target, "w") as file: file.write(written)
"""


@pytest.mark.parametrize(("kind", "seed"), [("tap", 1), ("lines", 2), ("junit", 3)])
def test_results_that_are_wrong_at_random_change_no_edge(
    project: Project, tmp_path: Path, kind: str, seed: int
) -> None:
    keeps = tmp_path / "keeps"
    keeps.mkdir()
    project.write("wrapper.py", WRAPPER)
    project.configure(CONFIGURATIONS[kind].replace('"sh", "suite.sh"', f'"{sys.executable}", "-IS", "wrapper.py"'))
    project.environment |= {"KEEPS": str(keeps), "SEED": str(seed)}
    # One worker: so the same runs are spoilt each time.
    project.detected("-n", "1")
    assert len((keeps / "faults").read_text().splitlines()) > 5
    assert project.graph == TRUTH
