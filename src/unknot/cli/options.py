"""Options that several verbs take, and the values that are made of them."""

import argparse
import math
from pathlib import Path

from unknot.app.options import LOCK, TIMEOUT, ProjectFiles, RunnerOptions, options_from
from unknot.store.state_directory import STATE

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


def add_lock(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--lock", type=Path, default=Path(LOCK), metavar="FILE", help=f"the lock file (default: {LOCK})")


def add_files(parser: argparse.ArgumentParser) -> None:
    files = parser.add_argument_group("files")
    add_lock(files)
    files.add_argument(
        "--state-dir",
        type=Path,
        default=Path(STATE),
        metavar="DIR",
        help=f"directory for the journal, recordings and reports (default: {STATE})",
    )


def add_durations(parser: argparse.ArgumentParser) -> None:
    """For verbs that plan."""
    parser.add_argument(
        "--durations-file",
        type=Path,
        default=None,
        metavar="FILE",
        help="how long each test takes (default: durations.json in the state directory)",
    )


def add_output(group: argparse._ArgumentGroup | argparse.ArgumentParser) -> None:
    group.add_argument(
        "-o", "--output", type=Path, default=None, metavar="FILE", help="write to a file (default: standard output)"
    )


def add_quiet(group: argparse._ArgumentGroup) -> None:
    group.add_argument("-q", "--quiet", action="store_true", help="do not show progress")


def add_workers(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-n",
        "--workers",
        type=positive_int,
        default=None,
        metavar="N",
        help="number of parallel workers (default: all cores)",
    )


def add_pytest_runner(parser: argparse.ArgumentParser) -> None:
    """For verbs that are for pytest suites only."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, directories or node ids for pytest")
    runner = parser.add_argument_group("how the tests are run")
    add_workers(runner)
    runner.add_argument(
        "--runner",
        choices=_PYTEST_RUNNERS,
        default="auto",
        help="fork each order from a warm pytest process, or start a fresh one for each (default: fork where safe)",
    )
    _add_environment(runner)


def add_runner(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files, directories or node ids for pytest; test ids with wildcards * and ? for other suites",
    )
    add_runner_options(parser)


def add_runner_options(parser: argparse.ArgumentParser) -> None:
    """Without the tests."""
    runner = parser.add_argument_group("how the tests are run")
    add_workers(runner)
    runner.add_argument(
        "--runner",
        choices=(*_PYTEST_RUNNERS, *_OTHER_RUNNERS),
        default="auto",
        help="fork each order from a warm pytest process, or start a fresh one for each; or run another kind of suite:"
        " with a command, JUnit, or MariaDB's mtr (default: what the configuration describes, otherwise pytest, forked"
        " where it is safe)",
    )
    runner.add_argument(
        "--suite", action="append", default=[], metavar="NAME", help="for mtr: a suite to run; can be repeated"
    )
    runner.add_argument(
        "--cluster",
        default="",
        metavar="ADDRESS",
        help="run orders on the workers of a cluster, for example dask://127.0.0.1:8786 (requires `unknot[cluster]`)",
    )
    _add_environment(runner)


def _add_environment(runner: argparse._ArgumentGroup) -> None:
    runner.add_argument(
        "--workdir",
        choices=("auto", "copy", "shared"),
        default="auto",
        help="run each worker in its own copy of the project and undo what tests write there, or run all workers in"
        " the project itself (default: a copy, unless the project is very large)",
    )
    runner.add_argument(
        "--reset",
        default="",
        metavar="COMMAND",
        help="shell command that restores external state, run before each order",
    )
    runner.add_argument(
        "--timeout",
        type=positive_float,
        default=TIMEOUT,
        metavar="SECONDS",
        help=f"time limit for one test (default: {TIMEOUT:g})",
    )


def runner_options(given: argparse.Namespace) -> RunnerOptions:
    return options_from(RunnerOptions, vars(given), directory=Path.cwd())


def project_files(given: argparse.Namespace) -> ProjectFiles:
    return options_from(ProjectFiles, vars(given))
