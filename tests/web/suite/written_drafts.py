"""Drafts of tests for any model: walks along its transitions, with any checks."""

from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st
from web.pages.model_strategies import texts, web_models

from unknot.model.web.action import Action
from unknot.model.web.locator import Locator
from unknot.model.web.web_model import WebModel
from unknot.web.pages.writing.plan import PagePlan
from unknot.web.pages.writing.written import written_pages
from unknot.web.suite.draft import Check, CheckKind, Draft, DraftStep

_MOST_STEPS = 4


@st.composite
def drafted_models(draw: st.DrawFn) -> tuple[WebModel, list[Draft]]:
    model = draw(web_models())
    plan = written_pages(model).plan
    assume(plan.method_of)
    return model, draw(st.lists(drafts(model, plan), min_size=1, max_size=4))


@st.composite
def drafts(draw: st.DrawFn, model: WebModel, plan: PagePlan) -> Draft:
    """Some steps lead elsewhere than the model says, as when a form is refused."""
    pages = {page.kind: page for page in model.pages}
    kind = draw(st.sampled_from([kind for kind, _ in plan.method_of if kind in pages] or list(pages)))
    steps: list[DraftStep] = []
    for _ in range(draw(st.integers(1, _MOST_STEPS))):
        actions = [each for each in model.actions_of(pages[kind]) if (kind, each.action.key) in plan.method_of]
        if not actions:
            break
        known = draw(st.sampled_from(actions))
        ends = [kind if each.stays else each.kind for each in known.destinations]
        after = draw(st.sampled_from([*ends * 4, *pages]))
        values = tuple((each.label, draw(_values(each.options))) for each in known.action.fields if draw(st.booleans()))
        steps.append(DraftStep(kind, draw(_in_row(known.action)), values, after))
        kind = after
    assume(steps)
    lists = [name for owner, name in plan.getter_of if owner == plan.class_of[kind]]
    checks = st.builds(
        Check, st.sampled_from(CheckKind), texts, st.sampled_from([*lists, "Title"]), st.sampled_from([1, -1, 2])
    )
    data = tuple(dict.fromkeys(value for step in steps for _, value in step.values if value))
    return Draft(tuple(steps), data, tuple(draw(st.lists(checks, min_size=1, max_size=4, unique=True))))


def _values(options: tuple[str, ...]) -> st.SearchStrategy[str]:
    return st.sampled_from(options) if options else texts


def _in_row(action: Action) -> st.SearchStrategy[Action]:
    if not action.row:
        return st.just(action)
    return texts.filter(bool).map(
        lambda text: replace(action, locators=(Locator("button", "Go", within=Locator(action.row, text=text)),))
    )
