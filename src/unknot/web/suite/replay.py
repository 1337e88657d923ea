"""Performs a draft on an application."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace

from unknot.model.web.action import Action
from unknot.web.application.protocol import Application
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.view import View
from unknot.web.suite.draft import Draft, DraftStep, own_key
from unknot.web.suite.rows import element_of


@dataclass(frozen=True)
class Replay:
    """`views` are what was in view after the reset and after each step that was performed. `problem` says why it ended
    at the last of these; empty if all steps led where the draft says. `draft` is what was performed, with the actions
    as they were on the pages."""

    draft: Draft
    views: tuple[View, ...]
    problem: str = ""

    @property
    def worked(self) -> bool:
        return not self.problem

    @property
    def before(self) -> View:
        """What was in view before the last step of the draft, if it came to that."""
        return self.views[-2] if len(self.views) > len(self.draft.steps) else self.views[-1]

    @property
    def after(self) -> View:
        return self.views[-1]


@dataclass(frozen=True)
class ReplayPlace:
    """Where drafts are performed. Several may share a reader, if they also share a `guard`. `shift_clock` sets the
    clock of the browser ahead by so many days, from the next reset on."""

    application: Application
    reader: PageReader
    guard: AbstractContextManager[object] = field(default_factory=nullcontext)
    shift_clock: Callable[[int], None] = lambda _: None

    def replay(self, draft: Draft, *, days: int = 0, may_be_refused: bool = False) -> Replay:
        """From a clean state. A step that is not possible, or leads elsewhere, ends it. `may_be_refused`: the last step
        may lead anywhere, or be refused.

        Cost: a reset, and the steps of the draft.
        """
        self.shift_clock(days)
        view = self._first()
        views, performed = [view], list(draft.steps)
        problem = ""
        for place, step in enumerate(draft.steps):
            found = found_on(view, step)
            if isinstance(found, str):
                problem = found
                break
            performed[place] = replace(step, action=replace(step.action, key=found.key, is_shared=found.is_shared))
            view = self._after(view, ChosenStep(found, step.values))
            views.append(view)
            if view.refused:
                problem = f"`{step.action.title}` is refused: {view.refusal}"
            elif view.kind != step.leads_to:
                problem = f"`{step.action.title}` leads to {view.kind} instead of {step.leads_to}"
            if problem:
                break
        if may_be_refused and len(views) > len(draft.steps) and not view.observation.is_lost:
            problem = ""
        return Replay(replace(draft, steps=tuple(performed)), tuple(views), problem)

    def _first(self) -> View:
        seen = self.reader.look(self.application, self.application.reset(), self.guard)
        with self.guard:
            return self.reader.view(seen)

    def _after(self, view: View, chosen: ChosenStep) -> View:
        with self.guard:
            self.reader.kinds.typed([value for _, value in chosen.values])
        performed = self.application.perform(chosen.action.step(dict(chosen.values)))
        seen = self.reader.look(self.application, performed, self.guard)
        with self.guard:
            return self.reader.view_after(view, chosen, seen)


def found_on(view: View, step: DraftStep) -> Action | str:
    """The action on the page that the step means: by kind and key, and in rows, or of several, the one that its
    locators find. Or why there is none."""
    title = f"`{step.action.title}`"
    if view.kind != step.kind:
        return f"{title} is on {step.kind}, and {view.kind} is in view"
    fitting = [each for each in view.actions if each.key == step.action.key]
    # It may have turned out since that it is shared by many pages, or that it is not.
    fitting = fitting or [each for each in view.actions if own_key(each.key) == own_key(step.action.key)]
    if not fitting:
        return f"{title} is not on the page"
    found = _named(view, step.action, fitting) if step.action.row or len(fitting) > 1 else fitting[0]
    if found is None:
        return f"there is no row for {title}"
    fields = {each.label: each for each in found.fields}
    for label, value in step.values:
        if label not in fields:
            return f"{title} has no field `{label}`"
        if fields[label].options and value and value not in fields[label].options:
            return f"`{label}` of {title} does not offer `{value}`"
    return found


def _named(view: View, wanted: Action, fitting: list[Action]) -> Action | None:
    root = view.observation.root
    meant = element_of(root, wanted)
    if meant is None:
        return None
    return next((each for each in fitting if element_of(root, each) is meant), None)
