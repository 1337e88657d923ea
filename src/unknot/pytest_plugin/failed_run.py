"""Tests that fail under `pytest -n N --unknot` although they passed in suite order: what ran before each, and the
command that finds out why.

pytest has reported such a failure before anything can be run again, and no hook can withdraw a report. So the run stays
red, and nothing is run again here: `unknot blame` does that, from the order in which the test has failed, and corrects
the lock file.
"""

import os
import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId
from unknot.pytest_plugin.messages import list_few
from unknot.report.wording import counted
from unknot.store.atomic import write_atomically
from unknot.store.state_directory import STATE, StateDirectory

_COMMANDS = 3
_USUAL_LOCK = "unknot.lock.json"


def unexpected(dependencies: Dependencies, failed: Iterable[TestId]) -> list[TestId]:
    """Those that passed in suite order, each once."""
    outcomes = dependencies.outcomes
    return [test for test in dict.fromkeys(failed) if test in outcomes and not outcomes[test].is_bad]


def advice(tests: Sequence[TestId], lanes: Sequence[tuple[str, Order]], lock: Path, here: Path) -> Iterator[str]:
    """Lines for the summary. Writes what the workers ran before these tests to the state directory."""
    yield f"unknot: passed in suite order before: {counted(len(tests), 'test')}: {list_few(tests)}"
    state = StateDirectory(lock.parent / STATE)
    try:
        state.prepare()
        write_atomically(state.failed_run, "".join(_log(tests, lanes)))
    except StorageError as problem:
        yield f"unknot: `unknot run` finds out why; what ran before them was not kept: {shown(problem.message)}"
        return
    yield "unknot: a dependency may be missing in the lock file; this finds it, and adds it:"
    usual = here / _USUAL_LOCK
    where = [] if lock == usual else ["--lock", _from(here, lock), "--state-dir", _from(here, state.path)]
    for test in tests[:_COMMANDS]:
        words = ["unknot", "blame", test, "--log", _from(here, state.failed_run), "--save", *where]
        yield f"unknot:   {shown(shlex.join(words))}"
    if len(tests) > _COMMANDS:
        yield f"unknot:   then the same for those of the other {len(tests) - _COMMANDS} that still fail"


def _log(tests: Collection[TestId], lanes: Iterable[tuple[str, Order]]) -> Iterator[str]:
    """What each worker with such a test ran until the last of them, in the words of `pytest -v -n`."""
    for worker, lane in lanes:
        places = [place for place, test in enumerate(lane) if test in tests]
        for test in lane[: max(places, default=-1) + 1]:
            yield f"[{worker}] {'FAILED' if test in tests else 'PASSED'} {shown(test)}\n"


def _from(here: Path, path: Path) -> str:
    return os.path.relpath(path, here)
