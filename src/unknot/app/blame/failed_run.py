"""The order of the tests in a run that failed: from its seed, a list, a JUnit file or a log."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from unknot.model.blame import NamedOrder
from unknot.model.errors import UsageError
from unknot.model.suite import Order, Suite, TestId
from unknot.runners.command.results.junit_xml import read_junit
from unknot.runners.settings import Settings

_WORDS = "PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|RERUN"
_XDIST = re.compile(rf"\[(gw\d+)\]\s*(?:\[\s*\d+%\]\s*)?(?:{_WORDS})\s+(.+?)\s*$")
_VERBOSE = re.compile(rf"^(.*?::.*?)\s+(?:{_WORDS})\b")
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_JUNIT_ID = "{classname}::{name}"


@dataclass(frozen=True, kw_only=True)
class FailedRun:
    """What is known of a run in which the test failed; usually at most one of these."""

    seed: int | None = None
    random_order_seed: int | None = None
    order: Path | None = None
    junit: Path | None = None
    log: Path | None = None


def orders_of(failed: FailedRun, test: TestId, suite: Suite, settings: Settings) -> list[NamedOrder]:
    """Each ends with the test. Tests that the suite no longer has are left out. Raises UsageError if an order lacks the
    test or a file cannot be read, and CollectionError if the plugin cannot shuffle."""
    found = _orders(failed, test, suite, settings)
    return [NamedOrder(what, _until(test, order, suite, what)) for what, order in found]


def _orders(failed: FailedRun, test: TestId, suite: Suite, settings: Settings) -> Iterator[tuple[str, Order]]:
    if failed == FailedRun():
        return
    # It imports pytest, which takes a while.
    from unknot.runners.pytest.shuffled_order import shuffled_order

    if failed.seed is not None:
        words = ["-p", "randomly", f"--randomly-seed={failed.seed}"]
        yield f"pytest-randomly, seed {failed.seed}", shuffled_order(settings, words, "pytest-randomly")
    if failed.random_order_seed is not None:
        words = ["-p", "no:randomly", "-p", "random_order", f"--random-order-seed={failed.random_order_seed}"]
        what = f"pytest-random-order, seed {failed.random_order_seed}"
        yield what, shuffled_order(settings, words, "pytest-random-order")
    if failed.order is not None:
        lines = _read(failed.order).decode("utf-8", "replace").splitlines()
        yield f"the order in {failed.order}", tuple(TestId(line.strip()) for line in lines if line.strip())
    if failed.junit is not None:
        yield f"the order in {failed.junit}", _in_junit(failed.junit, suite)
    if failed.log is not None:
        yield f"the order in {failed.log}", _in_log(_read(failed.log).decode("utf-8", "replace"), test, suite)


def _until(test: TestId, order: Order, suite: Suite, what: str) -> Order:
    if test not in order:
        known = [other for other in order if other in suite.index]
        raise UsageError(
            f"{what} does not have {test}; {len(known)} of its tests are in this suite",
            hint="Give the run in which this test failed. A log must list each test: run pytest with -v.",
            slug="order-lacks-test",
        )
    before = dict.fromkeys(other for other in order[: order.index(test)] if other in suite.index)
    return (*before, test)


def _in_junit(path: Path, suite: Suite) -> Order:
    """pytest names a test case by its module, classes and function."""
    reading = read_junit(_read(path), _JUNIT_ID)
    ids = {_junit_name(test): test for test in suite.tests}
    return tuple(ids[case.test] for case in reading.tests if case.test in ids)


def _junit_name(test: TestId) -> str:
    file, *names = test.split("::")
    module = re.sub(r"\.py$", "", file.replace("/", "."))
    return f"{'.'.join([module, *names[:-1]])}::{names[-1] if names else ''}"


def _in_log(text: str, test: TestId, suite: Suite) -> Order:
    """With xdist, only what the worker of the test has run."""
    found: dict[str, dict[TestId, None]] = {}
    for line in _COLOURS.sub("", text).splitlines():
        by_worker, plain = _XDIST.search(line), _VERBOSE.search(line)
        worker, name = by_worker.groups() if by_worker else ("", plain.group(1) if plain else "")
        if known := _known_id(name, suite):
            found.setdefault(worker, {})[known] = None
    return tuple(next((tests for tests in found.values() if test in tests), next(iter(found.values()), {})))


def _known_id(text: str, suite: Suite) -> TestId | None:
    """A CI service may put a time before each line."""
    words = text.strip()
    while words:
        if words in suite.index:
            return TestId(words)
        words = words.partition(" ")[2].lstrip()
    return None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise UsageError(
            f"{path} cannot be read: {problem.strerror}", hint="Give a file of the failed run.", slug="file-unreadable"
        ) from problem
