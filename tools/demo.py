"""`python tools/demo.py DIRECTORY`: what pytest and unknot do with examples/shop, a line or two for each command.

Works on a copy in this directory, where the report and the whole output of every command are left, too.
"""

import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_SHOP = Path(__file__).resolve().parents[1] / "examples" / "shop"
_VICTIM = "tests/test_checkout.py::test_order_is_audited"
_OUTPUT = "output.txt"
_WIDE, _COLUMN = 24, 34
_COUNTS = r"^=* ?(\d+ (?:passed|failed).*?) in "


@dataclass(frozen=True)
class Step:
    """A command, the exit codes that it may end with, and a pattern for the lines of its output that say most."""

    command: str
    codes: Sequence[int]
    telling: str


STEPS = (
    Step("pytest", (0,), _COUNTS),
    Step("pytest -n 2", (0, 1), _COUNTS),
    Step("unknot detect -n 6", (1,), r"^(\d+ of \d+ tests depend on others: .*?\.)(?= |$)|^(Fix .*)"),
    Step("unknot plan -n 2", (0,), r"^\d+ tests on (.*)"),
    Step("unknot run -n 2", (0,), _COUNTS),
    Step(f"unknot fix --write {_VICTIM}", (0,), r"^Trying: (.*)|: (removed; .*)"),
)


def main(directory: Path) -> int:
    shop = directory / "shop"
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(_SHOP, shop, ignore=shutil.ignore_patterns("var", ".*", "*.lock.json", "__pycache__"))
    say(f"A copy of examples/shop, in {directory}")
    with open(directory / _OUTPUT, "w", encoding="utf-8") as log:
        for step in STEPS:
            began = time.monotonic()
            done = run(step.command, shop)
            seconds = time.monotonic() - began
            log.write(f"$ {step.command}\n{done.stdout}\n")
            log.flush()
            if done.returncode not in step.codes:
                say(f"{step.command} ended with {done.returncode}:\n{done.stdout}")
                return 1
            report(step, done.stdout, seconds)
    say(f"\nreport      {shop / '.unknot' / 'report.html'}\nall output  {directory / _OUTPUT}")
    return 0


def run(command: str, shop: Path) -> subprocess.CompletedProcess[str]:
    """With the programs of this Python's environment, and none of the plugins that would put tests in another order."""
    words = command.split()
    if words[0] == "pytest":
        words += ["-q", "-p", "no:randomly", "-p", "no:cacheprovider"]
    program = [sys.executable, "-m", *words]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore", "COLUMNS": "200"}
    return subprocess.run(
        program, cwd=shop, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def report(step: Step, output: str, seconds: float) -> None:
    told = ["".join(filter(None, groups.groups())) for groups in re.finditer(step.telling, output, re.MULTILINE)]
    command = step.command.replace(_VICTIM, "…")
    lines = [line for text in told for line in textwrap.wrap(text, 100 - _COLUMN)]
    say(f"{seconds:6.1f} s  {command:<{_WIDE}} {lines[0] if lines else ''}")
    for line in lines[1:]:
        say(" " * _COLUMN + line)


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
