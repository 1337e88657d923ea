"""Options that several verbs take."""

import argparse
import math
import os
from pathlib import Path
from typing import Any

LOCK = "unknot.lock.json"
STATE = ".unknot"


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


def add_verb(verbs: Any, name: str, told: str, description: str) -> argparse.ArgumentParser:
    """The parser of a verb; `told` is its line in the list of all. The description is printed as it is written."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        name,
        help=told,
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    return parser


def add_files(parser: argparse.ArgumentParser) -> None:
    files = parser.add_argument_group("files")
    files.add_argument("--lock", type=Path, default=Path(LOCK), metavar="FILE", help=f"the graph (default: {LOCK})")
    files.add_argument(
        "--state-dir", type=Path, default=Path(STATE), metavar="DIR", help=f"journal and reports (default: {STATE})"
    )


_PYTEST_RUNNERS = ("auto", "fork", "fresh")
_OTHER_RUNNERS = ("command", "junit", "mtr")


def add_pytest_runner(parser: argparse.ArgumentParser) -> None:
    """For verbs that know pytest suites only."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, directories or node ids for pytest")
    runner = _runner_group(parser)
    runner.add_argument(
        "--runner",
        choices=_PYTEST_RUNNERS,
        default="auto",
        help="fork children from a warm pytest, or start a fresh one for every order (default: fork where it is safe)",
    )
    _add_surroundings(runner)


def add_runner(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files, directories or node ids for pytest; for other suites the ids of tests, with * and ?",
    )
    add_runner_options(parser)


def add_runner_options(parser: argparse.ArgumentParser) -> None:
    """Without the tests."""
    runner = _runner_group(parser)
    runner.add_argument(
        "--runner",
        choices=(*_PYTEST_RUNNERS, *_OTHER_RUNNERS),
        default="auto",
        help="fork children from a warm pytest, or start a fresh one for every order; or run another kind of suite: by"
        " a command, JUnit, MariaDB's mtr (default: what the configuration describes, else pytest, forked where it is"
        " safe)",
    )
    runner.add_argument(
        "--suite", action="append", default=[], metavar="NAME", help="for mtr: a suite to run; may be given again"
    )
    runner.add_argument(
        "--cluster",
        default="",
        metavar="ADDRESS",
        help="run orders on the workers of a cluster, for example dask://127.0.0.1:8786 (needs `unknot[cluster]`)",
    )
    _add_surroundings(runner)


def _runner_group(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    runner = parser.add_argument_group("how the tests are run")
    runner.add_argument(
        "-n", "--workers", type=positive_int, default=None, metavar="N", help="at the same time (default: all cores)"
    )
    return runner


def _add_surroundings(runner: argparse._ArgumentGroup) -> None:
    runner.add_argument(
        "--workdir",
        choices=("auto", "copy", "shared"),
        default="auto",
        help="run each worker in its own copy of the project and undo what tests write there, or all in place"
        " (default: a copy, unless the project is very large)",
    )
    runner.add_argument(
        "--reset",
        default="",
        metavar="COMMAND",
        help="shell command that restores outside state, run before each order",
    )
    runner.add_argument(
        "--timeout", type=positive_float, default=300.0, metavar="SECONDS", help="for one test (default: 300)"
    )


def workers(given: int | None) -> int:
    if given is not None:
        return given
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return os.cpu_count() or 1
