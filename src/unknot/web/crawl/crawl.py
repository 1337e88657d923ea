"""A crawl: resets and steps, as an explorer chooses them, until a budget is spent."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from unknot.web.application.element import TEXT
from unknot.web.application.observation import Observation
from unknot.web.application.protocol import Application
from unknot.web.crawl.actions import actions_of
from unknot.web.crawl.explorer import ChosenStep, Explorer
from unknot.web.crawl.kinds import PageKinds
from unknot.web.crawl.view import View


@dataclass(frozen=True)
class TakenStep:
    """One step of a trace, or a reset if nothing was chosen."""

    before: View | None
    chosen: ChosenStep | None
    after: View


def crawl(
    application: Application, explorer: Explorer, kinds: PageKinds, goes_on: Callable[[], bool]
) -> Iterator[TakenStep]:
    """Yields every step and reset as it was taken, as long as `goes_on`. Begins with a reset. Raises what the
    application raises; what was yielded before is valid."""
    view: View | None = None
    while goes_on():
        chosen = None if view is None else explorer.choose(view)
        if view is None or chosen is None:
            view = view_of(application.reset(), kinds)
            explorer.begin(view)
            yield TakenStep(None, None, view)
            continue
        after = view_of(application.perform(chosen.action.step(dict(chosen.values))), kinds)
        explorer.learn(view, chosen, after)
        yield TakenStep(view, chosen, after)
        view = after


def view_of(observation: Observation, kinds: PageKinds) -> View:
    values = dict.fromkeys(
        each.all_text() for each in observation.root.walk() if each.role in ("listitem", "cell", "option", TEXT)
    )
    return View(observation, kinds.kind_of(observation), actions_of(observation.root), tuple(values))
