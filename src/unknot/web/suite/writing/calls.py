"""The method of a page object that performs a step of a draft, with its arguments."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from unknot.model.web.action import Action, FormField
from unknot.model.web.stars import in_place_of_stars
from unknot.model.web.web_model import WebModel
from unknot.web.pages.writing.code import Chain
from unknot.web.pages.writing.fields import MethodParameter
from unknot.web.pages.writing.literals import literal
from unknot.web.pages.writing.method_names import has_data, opens_data
from unknot.web.pages.writing.methods import PlannedMethod
from unknot.web.pages.writing.page_names import component_key
from unknot.web.pages.writing.plan import PagePlan, PlannedClass
from unknot.web.suite.draft import DraftStep

_TYPED = frozenset({"textbox", "searchbox", "spinbutton"})


class NotWritable(Exception):
    """The page objects cannot do this; the text says why."""


@dataclass(frozen=True)
class PageCall:
    """`component` is the attribute of the page that has the method; empty if the page has it. `method` belongs to
    `owner`."""

    owner: PlannedClass
    component: str
    method: PlannedMethod
    arguments: tuple[str, ...]

    def on(self, page: str, *, is_attempt: bool = False) -> Chain:
        """`page` is the name of a variable. An attempt expects nothing of what follows."""
        chain = Chain(page)
        if self.component:
            chain = chain.attribute(self.component)
        return chain.call(self.method.attempt if is_attempt else self.method.name, *self.arguments)


class CallReader:
    """Finds the calls of one application."""

    def __init__(self, model: WebModel, plan: PagePlan) -> None:
        self._model = model
        self._plan = plan
        self._pages = {page.kind: page for page in model.pages}
        self._components = {each.name: component_key(each) for each in model.components}
        self._classes = {each.name: each for each in plan.classes}
        self._by_key = {each.key: each for each in plan.classes}

    def class_of(self, kind: str) -> PlannedClass:
        name = self._plan.class_of.get(kind)
        if name is None:
            raise NotWritable("a page has no page object")
        return self._classes[name]

    def holds_text(self, kind: str, label: str) -> bool:
        """Whether the page has a field with this label that text is typed into."""
        fields = (
            field
            for each in self._model.actions_of(self._pages[kind])
            for field in each.action.fields
            if field.label == label
        )
        return any(not each.options and each.role in _TYPED for each in fields)

    def call(self, step: DraftStep) -> PageCall:
        page = self.class_of(step.kind)
        owner, component, name = self._place(page, step)
        method = next(each for each in owner.methods if each.name == name)
        return PageCall(owner, component, method, tuple(_arguments(step, method)))

    def _place(self, page: PlannedClass, step: DraftStep) -> tuple[PlannedClass, str, str]:
        key = step.action.key
        if name := self._plan.method_of.get((step.kind, key)):
            return page, "", name
        for each in self._pages[step.kind].components:
            attribute = self._plan.attribute_of.get((page.name, each))
            name = self._plan.method_of.get((self._components[each], key))
            if attribute and name:
                return self._by_key[self._components[each]], attribute, name
        raise NotWritable(f"{page.name} has no method for it")


def _arguments(step: DraftStep, method: PlannedMethod) -> Iterator[str]:
    """Those without a name come first: the text of a row, and the only one."""
    values = dict(step.values)
    given: list[tuple[MethodParameter, str]] = []
    for each in method.parameters:
        fields = [step.action.fields[number] for number in each.fields if number < len(step.action.fields)]
        if len(fields) < len(each.fields):
            raise NotWritable("its form has fewer fields than the method")
        value = literal(row_text(step.action)) if not each.fields else _value(each, fields, values)
        if value:
            given.append((each, value))
    several = sum(bool(each.fields) for each, _ in given) > 1
    for parameter, value in given:
        is_named = parameter.optional or (parameter.fields and several)
        yield f"{parameter.name}={value}" if is_named else value


def _value(parameter: MethodParameter, fields: Sequence[FormField], values: Mapping[str, str]) -> str:
    """Python; empty if the parameter is left out."""
    chosen = [each.label for each in fields if values.get(each.label) == "on"]
    if parameter.type.startswith("Collection"):
        return f"[{', '.join(map(literal, chosen))}]" if any(each.label in values for each in fields) else ""
    if len(fields) > 1:
        # Radio buttons: the parameter is the label of one.
        return _checked(parameter, chosen[0]) if chosen else ""
    (field,) = fields
    if field.constraint("type") == "file":
        raise NotWritable("it sends a file")
    if field.label not in values:
        if parameter.optional:
            return ""
        # The form has it filled in already.
        return "False" if parameter.type == "bool" else _checked(parameter, field.value)
    value = values[field.label]
    return str(value == "on") if parameter.type == "bool" else _checked(parameter, value)


def _checked(parameter: MethodParameter, value: str) -> str:
    found = literal(value)
    if parameter.type.startswith("Literal[") and found not in parameter.type.removeprefix("Literal[")[:-1].split(", "):
        raise NotWritable(f"{parameter.name} does not offer its value")
    return found


def row_text(action: Action) -> str:
    """By which a person tells the row: a text in it that its locators name, what is data in the name of the button, or
    what the link says."""
    if not action.row or opens_data(action):
        return action.name
    for locator in action.locators:
        for each in locator.chain():
            if each.role == action.row and each.text:
                return each.text
    if has_data(action) and (found := in_place_of_stars(action.title, action.name)):
        return found[0]
    raise NotWritable("nothing tells its row from others")
