"""What the programs of this package are asked to do: the same words for all of them, made here and read here."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FRESH = "fresh"
"""mtr starts servers of its own for each order, and others whenever the next test wants other options."""
EXTERN = "extern"
"""One server for each slot, put back before each order; mtr only talks to it."""


@dataclass(frozen=True)
class Request:
    """`program` is mysql-test-run.pl. `user` is whose processes the servers shall be; empty for one's own. `suites` are
    names that mtr knows, `own` are directories, from the project's directory, of suites that it does not know. `big`
    says to run the tests that mtr leaves out unless told. `options` go to mtr as they are."""

    program: Path
    suites: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    user: str = ""
    server: str = FRESH
    big: bool = False
    skip: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    @property
    def test_directory(self) -> Path:
        """Where mtr lives, with its suites and includes."""
        return self.program.parent

    @property
    def names(self) -> tuple[str, ...]:
        """The suites as tests' ids begin."""
        return (*self.suites, *(Path(suite).name for suite in self.own))

    def words(self) -> tuple[str, ...]:
        """As options of a command line, for `read_request`."""
        words = [f"--program={self.program}", f"--server={self.server}"]
        if self.user:
            words.append(f"--user={self.user}")
        if self.big:
            words.append("--big")
        for name, values in (("suite", self.suites), ("own", self.own), ("skip", self.skip), ("option", self.options)):
            words += [f"--{name}={value}" for value in values]
        return tuple(words)


def add_request(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--server", choices=(FRESH, EXTERN), default=FRESH)
    parser.add_argument("--user", default="")
    parser.add_argument("--big", action="store_true")
    for name in ("suite", "own", "skip", "option"):
        parser.add_argument(f"--{name}", action="append", default=[])


def read_request(given: argparse.Namespace) -> Request:
    return Request(
        program=given.program,
        suites=tuple(given.suite),
        own=tuple(given.own),
        user=given.user,
        server=given.server,
        big=given.big,
        skip=tuple(given.skip),
        options=tuple(given.option),
    )


def doubled(words: Sequence[str]) -> tuple[str, ...]:
    """Words in which no placeholder is meant."""
    return tuple(word.replace("{", "{{").replace("}", "}}") for word in words)
