"""A suite of tests as files, one for each page."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unknot.model.web.web_model import WebModel
from unknot.web.pages.writing.code import from_import
from unknot.web.pages.writing.literals import docstring
from unknot.web.pages.writing.plan import PagePlan
from unknot.web.pages.writing.stamp import stamped
from unknot.web.suite.draft import Check, CheckKind, Draft
from unknot.web.suite.writing.body import PAGE, Body, BodyWriter
from unknot.web.suite.writing.calls import CallReader, NotWritable
from unknot.web.suite.writing.names import NameGiver

_COMMAND = "unknot generate"
_ADVICE = "copy a test to a file of yours to change it."
_LINE = 88
_SUFFIXES = ("_page", "_dialog")


@dataclass(frozen=True)
class WrittenTest:
    """`lines` are those of the function. `classes` are the page objects that it names."""

    name: str
    file: str
    lines: tuple[str, ...]
    classes: frozenset[str]
    draft: Draft
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class WrittenTests:
    """`left_out` counts the drafts that the page objects cannot do, by the reason."""

    tests: tuple[WrittenTest, ...]
    left_out: Mapping[str, int]


def written_tests(model: WebModel, plan: PagePlan, drafts: Sequence[Draft]) -> WrittenTests:
    """The tests in the order of the drafts, without those that would be the same.

    Guarantee
        The names are unique, and made of letters, digits and underscores. Text of the application is only in string
        literals.
    """
    writer = BodyWriter(plan, CallReader(model, plan))
    names = NameGiver()
    tests: list[WrittenTest] = []
    left_out: dict[str, int] = {}
    known: set[tuple[str, ...]] = set()
    for draft in drafts:
        try:
            body = writer.body(draft)
        except NotWritable as why:
            left_out[str(why)] = left_out.get(str(why), 0) + 1
            continue
        inside = tuple(body.lines())
        if inside not in known:
            known.add(inside)
            tests.append(_written(names.name(draft, body), plan, draft, body, inside))
    return WrittenTests(tuple(tests), left_out)


def suite_files(tests: Sequence[WrittenTest], plan: PagePlan, pages: str) -> dict[str, str]:
    """The texts of the files of these tests, by their names. `pages` is the package of the page objects, as tests
    import it."""
    by_file: dict[str, list[WrittenTest]] = {}
    for each in tests:
        by_file.setdefault(each.file, []).append(each)
    return {file: stamped(_text(file, some, plan, pages), _ADVICE, by=_COMMAND) for file, some in by_file.items()}


def importing_file(plan: PagePlan, pages: str) -> str:
    """A test file that imports all page objects, and does nothing."""
    lines = [f"from {pages}.{each.module} import {each.name}" for each in plan.classes]
    return "\n".join([*lines, "", "", "def test_imports() -> None: ...", ""])


def _written(name: str, plan: PagePlan, draft: Draft, body: Body, inside: tuple[str, ...]) -> WrittenTest:
    module = body.call.owner.module
    if body.call.component:
        # What a menu does is about the page that it leads to.
        module = plan.module_of(body.after)
    for suffix in _SUFFIXES:
        module = module.removesuffix(suffix)
    head = f"def {name}({PAGE}: Page) -> None:"
    return WrittenTest(name, f"test_{module}.py", (head, *inside), body.classes, draft, body.written)


def _text(file: str, tests: Sequence[WrittenTest], plan: PagePlan, pages: str) -> str:
    code = "\n".join(line for each in tests for line in ("", "", *each.lines))
    names = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    about = file.removeprefix("test_").removesuffix(".py").replace("_", " ")
    classes = sorted({name for each in tests for name in each.classes}, key=plan.module_of)
    head = [
        *docstring([about], _LINE),
        "",
        *from_import("playwright.sync_api", ["Page", *(["expect"] if "expect" in names else [])]),
        "",
        *(line for name in classes for line in from_import(f"{pages}.{plan.module_of(name)}", [name])),
    ]
    return "\n".join([*head, code, ""])


def effects_of(test: WrittenTest) -> frozenset[str]:
    """What a suite of equal worth has to keep: each transition, and each sort of effect of the last one. A page that
    follows is checked by whatever passes through it."""
    passed = {f"{each.kind} {each.action.key} {each.leads_to}" for each in test.draft.steps}
    last = test.draft.steps[-1]
    act = f"{last.kind} {last.action.key} {last.leads_to}"
    effects = {
        f"{act} {each.kind.value} {each.values} {_masked(each.text, test.draft)}"
        for each in test.checks
        if each.kind is not CheckKind.PAGE
    }
    return frozenset(passed | effects)


def _masked(text: str, draft: Draft) -> str:
    for each in sorted(draft.data, key=len, reverse=True):
        text = text.replace(each, "*")
    return text
