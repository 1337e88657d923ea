"""What pytest collected, checked and turned into a Listing."""

import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unknot.model.errors import CollectionError, ExitCode, NoTestsError, RunnerError, UsageError
from unknot.model.suite import Suite, TestId
from unknot.runners.dispatch.crash_attribution import may_be_foreign
from unknot.runners.protocol import Listing
from unknot.runners.pytest.process import PytestProcess
from unknot.runners.pytest.workspace import PytestWorkspace

_NO_TESTS = 5
_USAGE = 4
_CRASH = "INTERNALERROR>"
_CRASH_LINES = 4
_MOST_PROBLEMS = 2
_MAKE_IT_COLLECT = "make `pytest --collect-only` succeed first, or leave the broken file out"


@dataclass(frozen=True, kw_only=True)
class Collected(Listing):
    """What pytest reports besides."""

    inipath: str
    fork_is_unsafe: str
    of_one_worker: str

    @classmethod
    def from_message(cls, message: Mapping[str, Any], workspace: PytestWorkspace) -> "Collected":
        if message["problems"]:
            raise CollectionError(
                f"pytest could not collect the suite:\n{_first_problems(message['problems'], workspace)}",
                hint=_MAKE_IT_COLLECT,
                slug="collection-failed",
            )
        tests = message["tests"]
        if not tests:
            raise NoTestsError(
                "pytest collected no tests", hint="check the paths and the options after `--`", slug="no-tests"
            )
        # Thousands of tests stand in a few files.
        files = {name: workspace.original(name) for name in {test["file"] for test in tests}}
        return cls(
            suite=Suite(tuple(TestId(workspace.original_id(test["id"])) for test in tests)),
            files=tuple(files[test["file"]] for test in tests),
            chains=tuple(tuple(test["chain"]) for test in tests),
            root=workspace.original(message["root"]),
            inipath=str(workspace.original(message["inipath"])) if message["inipath"] else "",
            modules=tuple(workspace.original(name) for name in message["modules"]),
            plugins=(*message["plugins"], f"pytest=={message['pytest']}", f"python=={sys.version}"),
            by_hand=tuple(message["by_hand"]),
            fork_is_unsafe=_why_not_fork(message),
            of_one_worker=message["of_one_worker"],
            details=workspace.original_id(message.get("details", "")),
        )


def _first_problems(problems: Sequence[str], workspace: PytestWorkspace) -> str:
    """The first ones, because many files may lack the same module. Paths are relative to the project: a working copy is
    gone when the user reads them."""
    told = [problem.replace(f"{workspace.directory}/", "") for problem in problems[:_MOST_PROBLEMS]]
    left = len(problems) - len(told)
    return "\n".join([*told, f"and {left} more"] if left else told)


def is_same_suite(one: Suite, other: Suite) -> bool:
    """Whether two collections list the same tests in the same order.

    Ids may differ in their parameters, as those with the time of day in them do, and tests are then known by their
    workspace. Not so if the ids are the same and only their order differs: the parameters come from a set.
    """
    if one.tests == other.tests:
        return True
    is_reordered = sorted(one.tests) == sorted(other.tests)
    return not is_reordered and [_function(test) for test in one.tests] == [_function(test) for test in other.tests]


def check_same_suite(here: Suite, there: Suite) -> None:
    """Raises RunnerError if a worker has collected something else."""
    if not is_same_suite(here, there):
        raise RunnerError(
            f"pytest collects other tests on a worker: {_difference(here, there)}",
            hint="install the same packages there as here",
            slug="collection-varies",
        )


def _difference(here: Suite, there: Suite) -> str:
    if missing := [test for test in here.tests if test not in there.index]:
        return f"{missing[0]} is not there"
    if more := [test for test in there.tests if test not in here.index]:
        return f"{more[0]} is only there"
    return "their sequence differs"


def _function(test: TestId) -> str:
    return test.partition("[")[0]


def _why_not_fork(message: Mapping[str, Any]) -> str:
    if sys.platform != "linux":
        return f"forking a warm process is not safe on {sys.platform}"
    if message["cuda"]:
        return "CUDA is in use after collection, and its state does not survive a fork"
    if message["connections"]:
        return f"{message['connections'][0]} is open after collection, and two processes cannot share it"
    threads: Sequence[str] = message["threads"]
    if threads:
        return (
            f"threads run after collection ({'; '.join(threads)}), and they do not survive a fork; start them in a"
            " session fixture, or again after a fork (os.register_at_fork)"
        )
    return ""


def explain_early_end(process: PytestProcess, workspace: PytestWorkspace) -> Exception:
    """pytest ended before it had collected: say why in its own words."""
    status = process.exit_status
    log = _gist(process.log().replace(str(workspace.directory), str(workspace.settings.directory)))
    if "No module named pytest" in log:
        return UsageError(
            f"pytest is not installed for {workspace.settings.python}",
            hint="install unknot in the project's own environment, where pytest is: `pip install pytest unknot`",
            slug="pytest-missing",
        )
    if status == _NO_TESTS:
        return NoTestsError(
            "pytest collected no tests", hint="check the paths and the options after `--`", slug="no-tests"
        )
    if "while loading conftest" in log:
        message = f"a conftest.py cannot be loaded:\n{log}"
        return CollectionError(message, hint=_MAKE_IT_COLLECT, exit_code=ExitCode.USAGE, slug="collection-failed")
    if status == _USAGE and log:
        return UsageError(
            f"pytest rejects the command line:\n{log}", hint="options for pytest go after `--`", slug="pytest-options"
        )
    if status is not None and may_be_foreign(-status):
        return CollectionError(
            f"pytest was killed by {signal.Signals(-status).name} each time it collected the suite\n{log}".rstrip(),
            hint="look for an out-of-memory killer or a watchdog",
            exit_code=ExitCode.RUNNER,
            slug="collection-failed",
        )
    # 1 would mean that dependencies were found.
    code = ExitCode(status) if status in (2, 3) else ExitCode.RUNNER
    return CollectionError(
        f"pytest ended with status {status} before it had collected the suite:\n{log}",
        hint=_MAKE_IT_COLLECT,
        exit_code=code,
        slug="collection-failed",
    )


def _gist(log: str) -> str:
    """Of a crash inside pytest, which a file that calls `sys.exit` causes, the end: there stands the cause."""
    inner = [line.removeprefix(_CRASH).strip() for line in log.splitlines() if line.startswith(_CRASH)]
    return "\n".join(inner[-_CRASH_LINES:]) if inner else log
