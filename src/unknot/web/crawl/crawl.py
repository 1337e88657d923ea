"""A crawl: resets and steps, as an explorer chooses them, until a budget is spent."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from unknot.model.errors import RunnerError, UnknotError
from unknot.model.sanitise import shown
from unknot.model.web.element import Element
from unknot.web.application.observation import Observation
from unknot.web.application.protocol import Application
from unknot.web.crawl.actions import actions_of
from unknot.web.crawl.components import SharedComponents
from unknot.web.crawl.covered_code import CoveredCode
from unknot.web.crawl.explorer import ChosenStep, Explorer
from unknot.web.crawl.kinds import PageKinds
from unknot.web.crawl.parts import is_field
from unknot.web.crawl.rejections import Rejections
from unknot.web.crawl.safety import Safety
from unknot.web.crawl.trace import TakenStep
from unknot.web.crawl.value_lists import value_lists
from unknot.web.crawl.view import View

_VALUES = ("listitem", "cell", "gridcell", "rowheader")
"""Roles of elements whose texts are data, but for those that stand beside a field."""

_IDLE_RESETS = 25
"""So many in a row without a step: a strategy that goes back to pages that are not there again gives up one at a time.
Fewer would end it early."""


class PageReader:
    """Makes views of observations, each once and in the sequence of the crawl: `covered` is what they ran together.
    Without a `safety`, no action is left alone."""

    def __init__(self, kinds: PageKinds, safety: Safety | None = None) -> None:
        self.kinds = kinds
        self.covered = CoveredCode()
        self._safety = safety
        self._components = SharedComponents()
        self._rejections = Rejections()

    def view(self, observation: Observation) -> View:
        kind = self.kinds.kind_of(observation)
        actions, spared = [], []
        for action in self._components.mark(kind, actions_of(self.kinds.noise.stable(observation.root))):
            why = self._safety.why_not(action, observation.address) if self._safety else ""
            if why:
                spared.append((action, why))
            else:
                actions.append(action)
        values = dict.fromkeys(_values(observation.root))
        gain = self.covered.add(observation.coverage)
        lists = value_lists(observation.root)
        return View(observation, kind, tuple(actions), tuple(values), tuple(spared), gain, lists=lists)

    def look(self, application: Application, seen: Observation, guard: AbstractContextManager[object]) -> Observation:
        """What the application has just shown. Looks at it once more, without the guard, if noise may be found."""
        with guard:
            is_wanted = not seen.refusal and self.kinds.wants_twin(seen)
        again = application.look_again() if is_wanted else None
        return seen if again is None else replace(seen, again=again.root)

    def view_after(self, before: View, chosen: ChosenStep, observation: Observation) -> View:
        """Of what is there after a step. A page that is lost, or that cannot be read, is of no kind of its own: the
        step failed on the one before."""
        if observation.is_lost:
            return View(observation, before.kind, ())
        try:
            after = self.view(observation)
            return replace(after, rejection=self._rejections.why(before, chosen.action, after))
        except Exception as problem:  # noqa: BLE001 - whatever a page holds, the crawl goes on without it
            return View(_unreadable(observation, problem), before.kind, ())

    def taken(self, before: View, chosen: ChosenStep, observation: Observation) -> TakenStep:
        """A step that explores, or did so when it was recorded: where it led says which pages behave alike."""
        after = self.view_after(before, chosen, observation)
        if not after.refused and not chosen.values:
            self.kinds.led_to(before.observation, before.kind, chosen.action, after.kind)
        return TakenStep(before, chosen, after)


def _values(root: Element) -> Iterator[str]:
    waiting = [root]
    while waiting:
        each = waiting.pop()
        if each.role == "row" and any(map(is_field, each.walk())):
            # What stands there is labels; but a table of the layout may hold others in a cell.
            inner = (part for child in each.children for part in child.children)
            waiting.extend(part for part in inner if part.role in ("table", "list", "grid"))
            continue
        if each.role in _VALUES and not each.all_text().endswith(":"):
            yield each.all_text()
        waiting.extend(reversed(each.children))


def crawl(
    application: Application,
    explorer: Explorer,
    reader: PageReader,
    goes_on: Callable[[], bool],
    guard: AbstractContextManager[object] | None = None,
) -> Iterator[TakenStep]:
    """Yields every step and reset as it was taken, as long as `goes_on`, and as long as there is something to do.
    Begins with a reset. Raises UnknotErrors of the application, and one if its first page cannot be read; what was
    yielded before is valid.

    Several of them may share a reader, and explorers that share what they learn, if they also share a `guard`. A step
    is yielded with the guard held: what the caller does with the steps has the same sequence as what was learned.
    """
    guard = guard or nullcontext()
    view: View | None = None
    resets = 0
    while goes_on():
        with guard:
            chosen = None if view is None else explorer.choose(view)
            if chosen is not None:
                reader.kinds.typed([value for _, value in chosen.values])
        if view is None or chosen is None:
            if resets >= _IDLE_RESETS or (resets and view is not None and not view.actions):
                return
            resets += 1
            try:
                seen = reader.look(application, application.reset(), guard)
                with guard:
                    view = reader.view(seen)
            except UnknotError:
                raise
            except Exception as problem:
                raise RunnerError(
                    f"the first page: {_why(problem)}",
                    hint="Begin at another address of the application.",
                    slug="crawl-unreadable",
                ) from problem
            with guard:
                explorer.begin(view)
                yield TakenStep(None, None, view)
            continue
        resets = 0
        try:
            seen = reader.look(application, application.perform(chosen.action.step(dict(chosen.values))), guard)
        except UnknotError:
            raise
        except Exception as problem:  # noqa: BLE001 - as in `view_after`
            seen = _unreadable(view.observation, problem)
        with guard:
            step = reader.taken(view, chosen, seen)
            explorer.learn(view, chosen, step.after)
            yield step
        view = None if step.after.observation.is_lost else step.after


def _unreadable(seen: Observation, problem: Exception) -> Observation:
    """What is there instead of a page that cannot be read: none, so that a reset follows."""
    return Observation(seen.address, "", Element("document"), refusal=_why(problem), seconds=seen.seconds, is_lost=True)


def _why(problem: Exception) -> str:
    first, _, _ = str(problem).partition("\n")
    return f"the page cannot be read: {type(problem).__name__}: {shown(first)}"


def learn_again(explorer: Explorer, step: TakenStep) -> None:
    """A step that was recorded."""
    if step.before is None or step.chosen is None:
        explorer.begin(step.after)
    else:
        explorer.learn(step.before, step.chosen, step.after)
