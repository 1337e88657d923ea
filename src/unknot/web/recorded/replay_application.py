"""A recorded trace behind the protocol of all applications."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from unknot.model.errors import RunnerError
from unknot.model.web.step import PageStep
from unknot.web.application.observation import Observation
from unknot.web.crawl.trace import TakenStep


class NeverRecorded(RunnerError):
    """The trace does not say what follows."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"the recorded crawl does not say what follows {what}",
            hint="Explore the application itself: an answer from a record cannot be made up.",
            slug="crawl-not-recorded",
        )


@dataclass
class _Moment:
    """What followed the same steps after a reset, each time that they were taken."""

    answers: list[Observation] = field(default_factory=list)
    given: int = 0
    then: dict[PageStep, "_Moment"] = field(default_factory=dict)

    def answer(self) -> Observation:
        """The first time the first one; the last one again when there are no more."""
        found = self.answers[min(self.given, len(self.answers) - 1)]
        self.given += 1
        return found


class ReplayApplication:
    """Answers from traces.

    Idea
        Steps since the reset decide what follows. Where the same steps were taken several times, and an application
        that is not put back answered differently, the answers are given in the sequence in which they were recorded.
    Guarantee
        An explorer that makes the same choices as the recorded one sees the same observations, so a deterministic one
        makes the same trace. Raises NeverRecorded for a step that was never taken there: nothing is made up.
    Cost
        One look-up for each step.
    """

    def __init__(self, traces: Iterable[Iterable[TakenStep]]) -> None:
        """A trace for each worker."""
        self._start = _Moment()
        self._now: _Moment | None = None
        for trace in traces:
            self._remember(trace)

    def reset(self) -> Observation:
        if not self._start.answers:
            raise NeverRecorded("a reset")
        self._now = self._start
        return self._start.answer()

    def perform(self, step: PageStep) -> Observation:
        follows = self._now.then.get(step) if self._now is not None else None
        if follows is None:
            raise NeverRecorded("this step, in this sequence of steps since the reset")
        self._now = follows
        return follows.answer()

    def look_again(self) -> Observation | None:
        """A page that was looked at twice has its second look already."""
        return None

    def _remember(self, trace: Iterable[TakenStep]) -> None:
        now = self._start
        for each in trace:
            if each.chosen is None:
                now = self._start
            else:
                now = now.then.setdefault(each.chosen.action.step(dict(each.chosen.values)), _Moment())
            now.answers.append(each.after.observation)
