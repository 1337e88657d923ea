"""Suites of tests that sleep, and a log of which processes were started for them."""

import json
from dataclasses import dataclass
from pathlib import Path

ONE_BY_ONE = "one-by-one"
TOGETHER = "together"
KINDS = (ONE_BY_ONE, TOGETHER)

_ONE = 'echo 1 >> "$LOG"; exec sleep 0.001'
_ALL = """
echo $# >> "$LOG"
echo "1..$#"
number=0
for test in "$@"; do
    number=$((number + 1))
    sleep 0.001
    echo "ok $number - $test"
done
"""


@dataclass(frozen=True)
class Sleeping:
    """`directory` holds the project, and beside it the log: a line for each process, with how many tests it ran."""

    kind: str
    tests: int
    directory: Path

    @property
    def project(self) -> Path:
        return self.directory / "project"

    @property
    def log(self) -> Path:
        return self.directory / "log"

    def write(self) -> None:
        self.project.mkdir()
        (self.project / "one.sh").write_text(_ONE)
        (self.project / "all.sh").write_text(_ALL)
        run, results = ["sh", "one.sh", "{test}"], ""
        if self.kind == TOGETHER:
            run, results = ["sh", "all.sh", "{tests}"], 'results = "tap"\n'
        ids = [f"test-{number}" for number in range(self.tests)]
        (self.project / "unknot.toml").write_text(
            f"[command]\nrun = {json.dumps(run)}\ntests = {json.dumps(ids)}\n{results}"
        )

    def command(self, tests: int) -> list[str]:
        """What runs so many tests, from any directory."""
        if self.kind == ONE_BY_ONE:
            return ["sh", str(self.project / "one.sh"), "test-0"]
        return ["sh", str(self.project / "all.sh"), *(f"test-{number}" for number in range(tests))]
