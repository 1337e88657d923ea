"""A planned class as the text of two files: the generated base class, and the user's subclass of it."""

import ast
from collections.abc import Iterator

from unknot.web.pages.writing.code import INDENT, WIDTH, Chain, columns, from_import, signature, statement
from unknot.web.pages.writing.literals import docstring, literal
from unknot.web.pages.writing.methods import PlannedMethod
from unknot.web.pages.writing.plan import PagePlan, PlannedClass, PlannedRows
from unknot.web.pages.writing.signs import EXACT

BASE = "BasePage"
GENERATED = "_generated"

_OVERLOADS = 3
"""So many pages type checkers tell apart; more are cast."""


def base_class(plan: PagePlan, planned: PlannedClass) -> str:
    """The file that is written again after each crawl, without its stamp."""
    body = [line for part in _parts(plan, planned) for line in ("", *part)]
    doc = docstring([planned.doc], WIDTH - len(INDENT))
    head = [f"class {planned.name}Base({BASE}):", *(f"{INDENT}{line}" if line else "" for line in doc)]
    code = [*head, *body]
    text = "\n".join([*_imports(plan, planned, "\n".join(code)), "", "", *code])
    return f"{text}\n"


def own_class(planned: PlannedClass) -> str:
    """The user's file, which is written once."""
    lines = [
        '"""This file is yours: `unknot pages` keeps it as it is."""',
        "",
        *from_import(f".{GENERATED}.{planned.module}", [f"{planned.name}Base"]),
        "",
        "",
        f"class {planned.name}({planned.name}Base):",
        *(f"{INDENT}{line}" if line else "" for line in docstring([planned.doc], WIDTH - len(INDENT))),
    ]
    return "\n".join([*lines, ""])


def _imports(plan: PagePlan, planned: PlannedClass, code: str) -> list[str]:
    names = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    standard = [
        *(["import re"] if "re" in names else []),
        *_imported("collections.abc", ["Collection"], names),
        *_imported("typing", ["Literal", "Self", "cast"], names),
    ]
    browser = _imported("playwright.sync_api", ["Locator", "Page"], names)
    targets = {target for method in planned.methods for target in method.targets if target}
    modules = {module for _, _, module in planned.parts} | {plan.module_of(each) for each in targets}
    return [
        "from __future__ import annotations",
        *(["", *standard] if standard else []),
        *(["", *browser] if browser else []),
        "",
        *(from_import("..", sorted(modules)) if modules else []),
        f"from ..base_page import {BASE}",
        *_imported(".page_object", ["requires"], names),
    ]


def _imported(package: str, wanted: list[str], names: set[str]) -> list[str]:
    used = [each for each in wanted if each in names]
    return from_import(package, used) if used else []


def _parts(plan: PagePlan, planned: PlannedClass) -> Iterator[list[str]]:
    """The members of the class, each a list of lines."""
    if planned.sign.address:
        yield statement(Chain("re").call("compile", planned.sign.address), 1, "address = ")
    if planned.parts:
        yield [
            f"{INDENT}def __init__(self, page: Page) -> None:",
            f"{INDENT * 2}super().__init__(page)",
            *(
                line
                for attribute, name, module in planned.parts
                for line in statement(Chain(module).call(name, "page"), 2, f"self.{attribute} = ")
            ),
        ]
    yield [
        f"{INDENT}@property",
        f"{INDENT}def recognised_by(self) -> Locator:",
        *statement(planned.sign.found, 2, "return "),
    ]
    if planned.path:
        yield [
            f"{INDENT}def visit(self) -> None:",
            *statement(Chain("self").call("_go_to", literal(planned.path)), 2),
        ]
    for each in planned.getters:
        yield [
            f"{INDENT}@property",
            f"{INDENT}def {each.name}(self) -> list[str]:",
            *statement(each.texts, 2, "return "),
        ]
    for rows in planned.rows:
        yield from _rows(rows)
    for method in planned.methods:
        if method.attempt:
            yield _attempt(method)
        yield _method(plan, planned, method)


def _rows(rows: PlannedRows) -> Iterator[list[str]]:
    every = Chain("self.page").call("get_by_role", literal(rows.role))
    text = Chain("self.page").call("get_by_text", "text", "exact=True")
    one = Chain(f"self.{rows.several}").call("filter", f"has={text}")
    yield [
        f"{INDENT}@property",
        f"{INDENT}def {rows.several}(self) -> Locator:",
        *statement(every, 2, "return "),
    ]
    yield [
        f"{INDENT}def {rows.one}(self, text: str) -> Locator:",
        f'{INDENT * 2}"""The one that shows exactly this text somewhere."""',
        *statement(one, 2, "return "),
    ]


def _method(plan: PagePlan, planned: PlannedClass, method: PlannedMethod) -> list[str]:
    references = {name: f"{plan.module_of(name)}.{name}" for name in method.targets if name}
    returns = [references.get(name, "Self") for name in method.targets] or ["None"]
    doc = docstring(method.docs, WIDTH - 2 * len(INDENT)) if method.docs else []
    return [
        *(_requirement(method.requires) if method.requires else []),
        *signature(method.name, _parameters(method), returns, 1),
        *(f"{INDENT * 2}{line}" if line else "" for line in doc),
        *(_attempted(method) if method.attempt else method.body),
        *_returned(plan, planned, method, references),
    ]


def _parameters(method: PlannedMethod) -> list[str]:
    parameters = [str(each) for each in method.parameters]
    first_optional = next((number for number, each in enumerate(method.parameters) if each.optional), None)
    if first_optional is not None:
        parameters.insert(first_optional, "*")
    return parameters


def _attempt(method: PlannedMethod) -> list[str]:
    return [
        *signature(method.attempt, _parameters(method), ["None"], 1),
        f'{INDENT * 2}"""Without expecting that the application accepts it."""',
        *method.body,
    ]


def _attempted(method: PlannedMethod) -> list[str]:
    arguments = (f"{each.name}={each.name}" if each.optional else each.name for each in method.parameters)
    return statement(Chain("self").call(method.attempt, *arguments), 2)


def _requirement(text: str) -> list[str]:
    line = f"{INDENT}@requires({literal(text)})"
    return [line] if columns(line) <= WIDTH else [f"{INDENT}@requires(", f"{INDENT * 2}{literal(text)},", f"{INDENT})"]


def _returned(plan: PagePlan, planned: PlannedClass, method: PlannedMethod, references: dict[str, str]) -> list[str]:
    if not method.targets:
        return []
    if method.targets == ("",):
        return [f"{INDENT * 2}return self"]
    signs = {each.name: each.sign.specificity for each in plan.classes}
    # What is recognised for certain is looked for first.
    ordered = sorted(method.targets, key=lambda name: signs.get(name or planned.name, EXACT))
    arguments = [references.get(name, "type(self)") for name in ordered]
    arrived = Chain("self").call("_arrive_at", *arguments)
    if len(arguments) <= _OVERLOADS:
        return statement(arrived, 2, "return ")
    return [*statement(arrived, 2, "arrived = "), *_cast([references.get(name, "Self") for name in method.targets])]


def _cast(union: list[str]) -> list[str]:
    """The union on as many lines as it needs."""
    indent = INDENT * 3
    lines = [union[0]]
    for each in union[1:]:
        if len(f'{indent}"{lines[-1]} | {each}",') <= WIDTH:
            lines[-1] += f" | {each}"
        else:
            lines.append(f" | {each}")
    if len(lines) == 1:
        return statement(Chain("cast").called(f'"{lines[0]}"', "arrived"), 2, "return ")
    texts = [f'{indent}"{line}"' for line in lines]
    return [f"{INDENT * 2}return cast(", *texts[:-1], f"{texts[-1]},", f"{indent}arrived,", f"{INDENT * 2})"]
