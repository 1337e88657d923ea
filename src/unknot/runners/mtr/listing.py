"""The tests that there are, in the order in which mtr would run them."""

import fnmatch
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from unknot.runners.mtr.account import ServerAccount
from unknot.runners.mtr.invocation import build_threads, mtr_words
from unknot.runners.mtr.prepare import prepare, run_mtr
from unknot.runners.mtr.request import EXTERN, Request
from unknot.runners.mtr.told import id_of, is_id

_NAME = re.compile(r"(?P<name>\S+)(?: '(?P<combinations>[^']*)')?")


def list_tests(request: Request, directory: Path, project: Path, who: ServerAccount) -> list[str]:
    """Asks mtr, with an empty `directory` to work in. The order is mtr's own, which puts tests with the same options
    beside each other and so has the fewest restarts. Raises RunnerError."""
    prepared = prepare(request, directory, project, who)
    words = [word for word in mtr_words(request, prepared.vardir, build_threads(0)[0]) if word != "--noreorder"]
    words += [f"--suite={','.join(request.names)}", "--dry-run"]
    return listed(run_mtr(words, prepared.test_directory(request), prepared, who), request)


def listed(said: str, request: Request) -> list[str]:
    """The ids in what mtr said. A server that stands already has no combinations of options to choose from: there a
    test has one id."""
    suites = set(request.names)
    ids = []
    for line in said.splitlines():
        found = _NAME.fullmatch(line)
        if found and found["name"].partition(".")[0].partition("-")[0] in suites:
            test = id_of(found["name"], None if request.server == EXTERN else found["combinations"])
            ids += [test] if is_id(test) else []
    return without(dict.fromkeys(ids), request.skip)


def without(ids: Iterable[str], patterns: Sequence[str]) -> list[str]:
    """Those that no pattern names; `gcol.*` and `*,row` are patterns, as of file names."""
    return [test for test in ids if not any(fnmatch.fnmatchcase(test, pattern) for pattern in patterns)]
