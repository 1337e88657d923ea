"""What walks did for the first time, as drafts of tests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unknot.web.crawl.trace import TakenStep
from unknot.web.crawl.view import View
from unknot.web.suite.draft import Draft, DraftStep
from unknot.web.suite.new_data import data_of, in_sequence
from unknot.web.suite.rows import naming_data

_Transition = tuple[str, str, str]


@dataclass(frozen=True)
class WalkDraft:
    """A draft as a walk did it, with what was in view before and after its last step."""

    draft: Draft
    before: View
    after: View


class FirstTimes:
    """Remembers the transitions that were taken: kind of page, key of the action, and the kind that followed."""

    def __init__(self) -> None:
        self._taken: set[_Transition] = set()

    def of(self, walk: Sequence[TakenStep]) -> Iterator[WalkDraft]:
        """For each transition that no walk has taken before, and for each step that ran code for the first time, the
        steps from the reset up to it. Steps that failed are left out."""
        for place, step in enumerate(walk):
            if step.before is None or step.chosen is None or step.after.refused:
                continue
            transition = step.before.kind, step.chosen.action.key, step.after.kind
            if transition not in self._taken or step.after.gain:
                yield walk_draft(walk[: place + 1])
            self._taken.add(transition)


def walk_draft(walk: Sequence[TakenStep]) -> WalkDraft:
    """All steps that worked, and the last one anyway."""
    data = data_of(walk)
    last = walk[-1]
    assert last.before is not None
    worked = [each for each in walk if each is last or not each.after.refused]
    return WalkDraft(Draft(tuple(_steps(worked, data)), data), last.before, last.after)


def _steps(walk: Sequence[TakenStep], data: tuple[str, ...]) -> Iterator[DraftStep]:
    for step in walk:
        if step.before is not None and step.chosen is not None:
            action = naming_data(step.chosen.action, step.before.observation.root, data)
            yield DraftStep(step.before.kind, action, in_sequence(step.chosen), step.after.kind)
