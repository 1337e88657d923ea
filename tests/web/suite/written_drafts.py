"""Drafts of tests for any model: walks along its transitions, with any checks."""

from hypothesis import assume
from hypothesis import strategies as st
from web.pages.model_strategies import texts, web_models

from unknot.model.web.web_model import WebModel
from unknot.web.suite.draft import Check, CheckKind, Draft, DraftStep

_MOST_STEPS = 4


@st.composite
def drafted_models(draw: st.DrawFn) -> tuple[WebModel, list[Draft]]:
    model = draw(web_models())
    return model, draw(st.lists(drafts(model), min_size=1, max_size=5))


@st.composite
def drafts(draw: st.DrawFn, model: WebModel) -> Draft:
    """Some steps lead elsewhere than the model says, as when a form is refused."""
    pages = {page.kind: page for page in model.pages}
    kind = draw(st.sampled_from(list(pages)))
    steps: list[DraftStep] = []
    for _ in range(draw(st.integers(1, _MOST_STEPS))):
        actions = model.actions_of(pages[kind])
        if not actions:
            break
        known = draw(st.sampled_from(actions))
        ends = [kind if each.stays else each.kind for each in known.destinations]
        after = draw(st.sampled_from([*ends, *ends, kind, *pages]))
        values = tuple((each.label, _value(draw, each.options)) for each in known.action.fields if draw(st.booleans()))
        steps.append(DraftStep(kind, known.action, values, after))
        kind = after
    assume(steps)
    names = [each.name for each in pages[kind].values] or ["Title"]
    checks = st.builds(Check, st.sampled_from(CheckKind), texts, st.sampled_from(names), st.sampled_from([1, -1, 2]))
    data = tuple(dict.fromkeys(value for step in steps for _, value in step.values if value))
    return Draft(tuple(steps), data, tuple(draw(st.lists(checks, min_size=1, max_size=4, unique=True))))


def _value(draw: st.DrawFn, options: tuple[str, ...]) -> str:
    return draw(st.sampled_from(options) if options else texts)
