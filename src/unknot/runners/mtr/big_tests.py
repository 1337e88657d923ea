"""Which tests say that they are big: mtr leaves these out, but not if a test is asked for by its name, as we do."""

import re
from collections.abc import Iterable
from pathlib import Path

_SOURCE = re.compile(r"\s*(?:--)?\s*source\s+([^;\s]+)")
_BIG = "include/big_test.inc"


class BigTests:
    """Reads test files and what they include, each once, as mtr does."""

    def __init__(self, test_directory: Path) -> None:
        self._test_directory = test_directory
        self._known: dict[Path, bool] = {}

    def of(self, suite: Path) -> list[str]:
        """The names of big tests in the directory of one suite, without the suite's name."""
        tests = suite / "t" if (suite / "t").is_dir() else suite
        return sorted(file.stem for file in tests.glob("*.test") if self._is_big(file, suite))

    def _is_big(self, file: Path, suite: Path) -> bool:
        if file not in self._known:
            # Two files may include each other.
            self._known[file] = False
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
            lines = [line for line in lines if not line.startswith("#")]
            self._known[file] = any(_BIG in line for line in lines) or any(
                self._is_big(included, suite) for included in self._included(lines, file, suite)
            )
        return self._known[file]

    def _included(self, lines: Iterable[str], file: Path, suite: Path) -> Iterable[Path]:
        for line in lines:
            if found := _SOURCE.match(line):
                for directory in (file.parent, suite, self._test_directory):
                    included = directory / found[1]
                    if included != file and included.is_file():
                        yield included
                        break
