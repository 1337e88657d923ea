"""A crawl: resets and steps, as an explorer chooses them, until a budget is spent."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from unknot.web.application.observation import Observation
from unknot.web.application.protocol import Application
from unknot.web.crawl.actions import actions_of
from unknot.web.crawl.explorer import ChosenStep, Explorer
from unknot.web.crawl.kinds import PageKinds
from unknot.web.crawl.safety import Safety
from unknot.web.crawl.view import Action, View

_VALUES = ("listitem", "cell", "gridcell", "rowheader")
"""Roles of elements whose texts are data."""


@dataclass(frozen=True)
class TakenStep:
    """One step of a trace, or a reset if nothing was chosen."""

    before: View | None
    chosen: ChosenStep | None
    after: View


class PageReader:
    """Makes views of observations. `spared` has the actions that were left out, each with the reason, by the kind of
    page; without a `safety` there are none."""

    def __init__(self, kinds: PageKinds, safety: Safety | None = None) -> None:
        self.kinds = kinds
        self._safety = safety
        self.spared: dict[tuple[str, str], tuple[Action, str]] = {}
        self.kinds_seen: set[str] = set()

    def view(self, observation: Observation) -> View:
        kind = self.kinds.kind_of(observation)
        self.kinds_seen.add(kind)
        actions = []
        for action in actions_of(observation.root):
            why = self._safety.why_not(action, observation.address) if self._safety else ""
            if why:
                self.spared.setdefault((kind, action.key), (action, why))
            else:
                actions.append(action)
        values = dict.fromkeys(each.all_text() for each in observation.root.walk() if each.role in _VALUES)
        return View(observation, kind, tuple(actions), tuple(values))


def crawl(
    application: Application, explorer: Explorer, reader: PageReader, goes_on: Callable[[], bool]
) -> Iterator[TakenStep]:
    """Yields every step and reset as it was taken, as long as `goes_on`. Begins with a reset. Raises what the
    application raises; what was yielded before is valid."""
    view: View | None = None
    while goes_on():
        chosen = None if view is None else explorer.choose(view)
        if view is None or chosen is None:
            view = reader.view(application.reset())
            explorer.begin(view)
            yield TakenStep(None, None, view)
            continue
        reader.kinds.typed([value for _, value in chosen.values])
        after = reader.view(application.perform(chosen.action.step(dict(chosen.values))))
        explorer.learn(view, chosen, after)
        yield TakenStep(view, chosen, after)
        view = after
