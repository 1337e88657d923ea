"""Runs some tests in a given order, from a clean state."""

from collections.abc import Sequence
from dataclasses import replace

from unknot.app.find_tests import first_few
from unknot.app.options import RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.session.session import open_session, settings_from
from unknot.model.errors import UsageError
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import Order, Suite, TestId


def run_order(tests: Sequence[str], options: RunnerOptions, listener: ProgressListener) -> Run:
    """Raises UsageError for tests that the suite does not have, and for a test that is named twice."""
    # The tests are chosen by their ids: the runner lists the whole suite.
    options = replace(options, paths=())
    settings = replace(settings_from(options, listener), workers=1)
    with open_session(settings, options, listener) as session:
        order = _order(tests, session.listing.suite)
        (run,) = session.runner.run_orders([OrderRequest(order)])
    return run


def _order(tests: Sequence[str], suite: Suite) -> Order:
    unknown = [TestId(test) for test in tests if test not in suite.index]
    if unknown:
        hint = "Use the ids that the runner lists; `unknot report` shows those of the lock file."
        raise UsageError(f"not a test of this suite: {first_few(unknown)}", hint=hint, slug="no-such-test")
    twice = [test for test in tests if tests.count(test) > 1]
    if twice:
        raise UsageError(f"named twice: {twice[0]}", hint="Name each test once.", slug="test-repeated")
    return tuple(map(TestId, tests))
