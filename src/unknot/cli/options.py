"""How options are declared, and those that several verbs take."""

import argparse
import math
from collections.abc import Callable, Iterable
from pathlib import Path

from unknot.app.options import LOCK, TIMEOUT
from unknot.store.state_directory import STATE

FIX_ORDER = "run tests that fail in suite order because what they need comes later after what they need"
FROM_RECORDING = (
    "plan by what one recorded run shows, with nothing proved; a suite without a recording is recorded first"
)
_PYTEST_RUNNERS = ("auto", "fork", "fresh")
_OTHER_RUNNERS = ("command", "junit", "mtr")


def positive_int(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text}")
    return value


def positive_float(text: str) -> float:
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"must be more than 0, not {text}")
    return value


def seconds(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value >= 0):
        raise argparse.ArgumentTypeError(f"must be 0 or more, not {text}")
    return value


positive_int.__name__ = "whole number"
positive_float.__name__ = seconds.__name__ = "number"


def shard(text: str) -> tuple[int, int]:
    """`2/6` for the second of six."""
    number, slash, count = text.partition("/")
    if not (slash and number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"must be like 2/6, the second of six, not {text!r}")
    return int(number), int(count)


class OptionGroup:
    """The options of a verb, or a group of them. A name may have two spellings: `-o|--output`."""

    def __init__(self, container: argparse._ActionsContainer) -> None:
        self._container = container
        self.add = container.add_argument

    def group(self, title: str) -> "OptionGroup":
        return OptionGroup(self._container.add_argument_group(title))

    def flag(self, name: str, description: str) -> None:
        self.add(*name.split("|"), action="store_true", help=description)

    def value(
        self,
        name: str,
        metavar: str,
        description: str,
        kind: Callable[[str], object] = str,
        default: object = None,
    ) -> None:
        """An option with one value. The help names the default, unless it is empty or the description does so."""
        if default not in (None, "") and "(default:" not in description:
            description += f" (default: {default:g})" if isinstance(default, float) else f" (default: {default})"
        self.add(*name.split("|"), type=kind, default=default, metavar=metavar, help=description)

    def values(self, name: str, metavar: str, description: str) -> None:
        """An option that can be repeated."""
        self.add(name, action="append", default=[], metavar=metavar, help=f"{description}; can be repeated")

    def choice(
        self,
        name: str,
        choices: Iterable[str],
        default: str,
        description: str = "",
        *,
        type: Callable[[str], str] = str,  # noqa: A002 - as argparse has it
    ) -> None:
        if "(default:" not in description:
            description = f"{description} (default: {default})".lstrip()
        self.add(name, type=type, choices=tuple(choices), default=default, help=description)

    def output(
        self, formats: Iterable[str] = (), *, ids: str = "", file: bool = False, quiet: str = ""
    ) -> "OptionGroup":
        """What is written, and where: the formats, the first of which is the default; `ids` says what the format of
        that name lists; `quiet` what the option of that name leaves out."""
        output = self.group("output")
        if names := (*formats, *(["ids"] if ids else [])):
            output.choice("--format", names, names[0], f"ids: one {ids} per line" if ids else "")
        if file:
            output.value("-o|--output", "FILE", "write to a file (default: standard output)", Path)
        if quiet:
            output.flag("-q|--quiet", quiet)
        return output

    def files(self, *, durations: bool = False) -> None:
        """`durations` is for verbs that plan."""
        files = self.group("files")
        files.value("--lock", "FILE", "the lock file", Path, Path(LOCK))
        files.value("--state-dir", "DIR", "directory for the journal, recordings and reports", Path, Path(STATE))
        if durations:
            where = "durations.json in the state directory"
            files.value("--durations-file", "FILE", f"how long each test takes (default: {where})", Path)

    def workers(self) -> None:
        self.value("-n|--workers", "N", "number of parallel workers (default: all cores)", positive_int)

    def orders(self, default: str) -> None:
        """Which orders a search may use."""
        what = "find problems in any order, or only among tests that keep the reference order"
        self.choice("--orders", ("any", "reference"), default, what)
        self.value("--seed", "N", "seed for random orders", int, 0)

    def limits(self) -> "OptionGroup":
        limits = self.group("limits")
        limits.value("--max-orders", "N", "stop after so many orders", positive_int)
        limits.value("--max-tests", "N", "stop after so many test runs", positive_int)
        return limits

    def pytest_runner(self) -> None:
        """For verbs that are for pytest suites only."""
        self.add("paths", nargs="*", metavar="PATH", help="files, directories or node ids for pytest")
        how = "fork each order from a warm pytest process, or start a fresh one for each"
        self._environment(_PYTEST_RUNNERS, f"{how} (default: fork where safe)")

    def runner(self) -> None:
        """For any suite: which tests, and how they are run."""
        paths = "files, directories or node ids for pytest; test ids with wildcards * and ? for other suites"
        self.add("paths", nargs="*", metavar="PATH", help=paths)
        self.runner_options()

    def runner_options(self) -> None:
        """Without the tests."""
        runner = self._environment(
            (*_PYTEST_RUNNERS, *_OTHER_RUNNERS),
            "fork each order from a warm pytest process, or start a fresh one for each; or run another kind of suite:"
            " with a command, JUnit, or MariaDB's mtr (default: what the configuration describes, otherwise pytest,"
            " forked where it is safe)",
        )
        runner.values("--suite", "NAME", "for mtr: a suite to run")
        cluster = "run orders on the workers of a cluster, for example dask://127.0.0.1:8786"
        runner.value("--cluster", "ADDRESS", f"{cluster} (requires `unknot[cluster]`)", default="")

    def _environment(self, runners: Iterable[str], which: str) -> "OptionGroup":
        group = self.group("how the tests are run")
        group.workers()
        group.choice("--runner", runners, "auto", which)
        group.choice(
            "--workdir",
            ("auto", "copy", "shared"),
            "auto",
            "run each worker in its own copy of the project and undo what tests write there, or run all workers in"
            " the project itself (default: a copy, unless the project is very large)",
        )
        reset = "shell command that restores external state, run before each order"
        group.value("--reset", "COMMAND", reset, default="")
        group.value("--timeout", "SECONDS", "time limit for one test", positive_float, TIMEOUT)
        return group
