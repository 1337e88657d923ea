"""The page objects of a model as files."""

from collections.abc import Mapping
from dataclasses import dataclass

from unknot.model.web.web_model import WebModel
from unknot.web.pages.writing.class_code import GENERATED, base_class, own_class
from unknot.web.pages.writing.page_object import BASE_PAGE, GENERATED_PACKAGE, PACKAGE, PAGE_OBJECT
from unknot.web.pages.writing.plan import PagePlan, PlannedClass
from unknot.web.pages.writing.planner import plan_pages
from unknot.web.pages.writing.stamp import stamped

_ADVICE = "change the modules beside this package instead."


@dataclass(frozen=True)
class WrittenPages:
    """Texts by their paths. `generated` are written each time, `own` once: they belong to the user then."""

    plan: PagePlan
    generated: dict[str, str]
    own: dict[str, str]


def written_pages(model: WebModel, known: Mapping[str, str] | None = None) -> WrittenPages:
    """`known` has names of classes from before, as stamps have them.

    Guarantee
        Every file is Python. Text of the application is only in string literals, docstrings and, escaped, in stamps;
        names and paths are made of letters, digits and underscores.
    """
    plan = plan_pages(model, known or {})
    generated = {
        f"{GENERATED}/__init__.py": stamped(GENERATED_PACKAGE, _ADVICE),
        f"{GENERATED}/page_object.py": stamped(PAGE_OBJECT, "change ../base_page.py instead."),
    }
    own = {"__init__.py": PACKAGE, "base_page.py": BASE_PAGE}
    for each in plan.classes:
        generated[f"{GENERATED}/{each.module}.py"] = _stamped(plan, each)
        own[f"{each.module}.py"] = own_class(each)
    return WrittenPages(plan, generated, own)


def _stamped(plan: PagePlan, planned: PlannedClass) -> str:
    advice = f"change ../{planned.module}.py instead."
    return stamped(base_class(plan, planned), advice, planned.key, planned.name)
