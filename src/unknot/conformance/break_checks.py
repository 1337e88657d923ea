"""Checks of orders that break off, and of what is told about bad outcomes."""

from unknot.conformance.asking import Asking, outcomes
from unknot.conformance.opened import Answers, Feature
from unknot.conformance.suites import CRASHING, HANGING, troubled
from unknot.model.outcome import Outcome


class BreakChecks(Asking[Answers]):
    def test_a_crash_is_a_crash_and_the_rest_was_not_run(self) -> None:
        self.needs(Feature.CRASHES)
        (run,) = self.ask(CRASHING, ["shows_banner", "crashes_with_ink_left", "clean_sheet", "leaves_ink"])
        assert outcomes(run) == (Outcome.PASSED, Outcome.CRASHED, Outcome.NOT_RUN, Outcome.NOT_RUN)

    def test_whoever_crashes_crashes_at_every_place(self) -> None:
        self.needs(Feature.CRASHES)
        self.ask(
            CRASHING,
            ["crashes_with_ink_left"],
            ["crashes_with_ink_left", "shows_banner"],
            ["leaves_ink", "shows_banner", "crashes_with_ink_left"],
            ["shows_banner", "leaves_ink"],
        )

    def test_executed_counts_up_to_the_crash(self) -> None:
        self.needs(Feature.CRASHES)
        (run,) = self.ask(CRASHING, ["shows_banner", "crashes_with_ink_left", "clean_sheet"], attempt=1)
        assert run.executed == 2

    def test_an_order_sees_nothing_of_one_that_crashed(self) -> None:
        self.needs(Feature.CRASHES)
        self.ask(CRASHING, ["leaves_ink", "crashes_with_ink_left"])
        self.ask(CRASHING, ["clean_sheet", "shows_banner"])

    def test_a_crash_has_a_story(self) -> None:
        self.needs(Feature.CRASHES, Feature.STORIES)
        (run,) = self.ask(CRASHING, ["crashes_with_ink_left"])
        assert run.results[0].story.strip()

    def test_a_hang_is_timed_out_and_the_rest_was_not_run(self) -> None:
        self.needs(Feature.HANGS)
        (run,) = self.ask(HANGING, ["shows_banner", "hangs_with_ink_left", "clean_sheet"])
        assert outcomes(run) == (Outcome.PASSED, Outcome.TIMED_OUT, Outcome.NOT_RUN)
        self.ask(HANGING, ["clean_sheet"])

    def test_a_failure_has_a_story_and_a_success_has_none(self) -> None:
        self.needs(Feature.FAILURES, Feature.STORIES)
        suite = troubled(with_skips=Feature.SKIPS not in self.lacks)
        for result in self.ask(suite, ["fails_always", "clean_sheet"])[0].results:
            assert bool(result.story.strip()) == result.outcome.is_bad
