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


class ReadWalk:
    """A walk from its reset on, as steps of drafts. Cost: a few passes over each page."""

    def __init__(self, walk: Sequence[TakenStep]) -> None:
        self.walk = walk
        self.data = data_of(walk)
        """By value, the place of the step that entered it first."""
        self._steps = [self._step(place, step) for place, step in enumerate(walk)]

    def draft(self, place: int) -> WalkDraft:
        """The steps up to this one. Those that failed are left out, but not the last one."""
        last = self.walk[place]
        assert last.before is not None
        worked = (place for place in range(place) if not self.walk[place].after.refused)
        steps = (self._steps[each] for each in (*worked, place))
        data = tuple(value for value, entered in self.data.items() if entered <= place)
        return WalkDraft(Draft(tuple(filter(None, steps)), data), last.before, last.after)

    def _step(self, place: int, step: TakenStep) -> DraftStep | None:
        if step.before is None or step.chosen is None:
            return None
        shown = [value for value, entered in self.data.items() if entered < place]
        action = naming_data(step.chosen.action, step.before.observation.root, shown)
        return DraftStep(step.before.kind, action, in_sequence(step.chosen), step.after.kind)


class FirstTimes:
    """Remembers the transitions that were taken: kind of page, key of the action, and the kind that followed."""

    def __init__(self) -> None:
        self._taken: set[_Transition] = set()

    def of(self, read: ReadWalk) -> Iterator[WalkDraft]:
        """For each transition that no walk has taken before, and for each step that ran code for the first time, the
        steps from the reset up to it."""
        for place, step in enumerate(read.walk):
            if step.before is None or step.chosen is None or step.after.refused:
                continue
            transition = step.before.kind, step.chosen.action.key, step.after.kind
            if transition not in self._taken or step.after.gain:
                yield read.draft(place)
            self._taken.add(transition)
