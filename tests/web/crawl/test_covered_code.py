"""What a crawl counts as run, and what its strategy makes of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.web.action import Action
from unknot.model.web.code_coverage import CodeSet, CodeSize, StepCoverage, ranges_of
from unknot.model.web.element import Element
from unknot.web.application.observation import Observation
from unknot.web.crawl.covered_code import CoveredCode
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.promising import PromisingFirst, promise
from unknot.web.crawl.summary_builder import SummaryBuilder
from unknot.web.crawl.trace import TakenStep
from unknot.web.crawl.view import View


def code(*lines: int) -> CodeSet:
    return CodeSet(server_lines={"a.py": ranges_of(lines)} if lines else {})


STEPS = st.lists(st.frozensets(st.integers(1, 30)), max_size=8)


@given(STEPS)
def test_gains_add_up_to_all_that_ran_and_no_line_is_gained_twice(steps: list[frozenset[int]]) -> None:
    covered = CoveredCode()
    gains = [covered.add(StepCoverage(code(*lines), code(*lines, 99) if lines else CodeSet())) for lines in steps]
    together = frozenset().union(*steps)
    assert sum(gain.server_lines for gain in gains if gain) == len(together)
    assert covered.ran == code(*together)
    assert covered.known.size().server_lines == (len(together) + 1 if together else 0)


def test_what_was_not_measured_gains_nothing_and_says_so() -> None:
    covered = CoveredCode()
    assert covered.add(None) is None
    assert covered.add(StepCoverage()) == CodeSize()


def test_code_that_ran_is_known() -> None:
    covered = CoveredCode()
    covered.add(StepCoverage(code(1, 2)))
    assert covered.known == code(1, 2)


def test_both_sides_weigh_as_lines() -> None:
    assert CodeSize(client_bytes=80, functions=7, server_lines=3).in_lines == 5


def observation(*lines: int) -> Observation:
    return Observation("http://x/", "Page", Element("document"), coverage=StepCoverage(code(*lines), code(1, 2, 3, 4)))


def test_views_have_the_gain_and_the_summary_the_totals() -> None:
    reader, summary = PageReader(KindByTitle()), SummaryBuilder()
    views = [reader.view(observation(*lines)) for lines in ((1, 2), (2,), (2, 3))]
    assert [view.gain for view in views] == [CodeSize(server_lines=lines) for lines in (2, 0, 1)]
    for view in views:
        summary.add(TakenStep(None, None, view))
    coverage = summary.summary().coverage
    assert coverage is not None
    assert (coverage.ran.server_lines, coverage.known.server_lines) == (3, 4)


def test_without_coverage_the_summary_has_none() -> None:
    summary = SummaryBuilder()
    summary.add(TakenStep(None, None, PageReader(KindByTitle()).view(Observation("", "", Element("document")))))
    assert summary.summary().coverage is None


@pytest.mark.parametrize("use_gain", [True, False])
def test_an_action_that_ran_new_code_promises_more(use_gain: bool) -> None:
    explorer = PromisingFirst(0, use_gain=use_gain)
    action = Action("go", "Go", "Go", ())
    gain, none = (View(observation(), "Page", (action,), gain=CodeSize(server_lines=lines)) for lines in (5, 0))
    explorer.begin(none)
    promises = []
    for after in (none, none, none, gain):
        explorer.learn(none, ChosenStep(action), after)
        promises.append(promise(explorer.model.records["Page", "go"]))
    assert promises[0] > promises[1] > promises[2]
    assert (promises[3] > promises[2]) is use_gain
