"""The fields of a form as parameters, and what enters them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from unknot.model.web.action import Action, FormField
from unknot.model.web.locator import Locator
from unknot.web.pages.writing.code import INDENT, Chain, statement
from unknot.web.pages.writing.literals import literal
from unknot.web.pages.writing.locator_code import ROLES, best_locator, by_role, has_to_be_exact, located
from unknot.web.pages.writing.words import TakenNames, is_command, singular, snake, without_articles, words_of

_FEW = range(2, 9)
"""Numbers of options that are worth a type of their own."""

_LONGEST_OPTION = 30
_LONGEST_TYPE = 60
_MOST_WORDS = 3
_ATTRIBUTE_NAME = re.compile(r"[a-z][a-z_-]{2,20}")
_DANGLING = frozenset({"for", "of", "in", "to", "on", "from", "at", "by", "with"})
_TICKED = frozenset({"checkbox", "switch"})


@dataclass(frozen=True)
class MethodParameter:
    """An `optional` one is None by default, and its field is left as it is then. `fields` are those of the action that
    it is entered into, by their numbers; one without any takes the text of a row, or of a link."""

    name: str
    type: str
    optional: bool = False
    fields: tuple[int, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return f"{self.name}: {self.type} | None = None" if self.optional else f"{self.name}: {self.type}"


@dataclass(frozen=True)
class FieldEntry:
    """What enters one parameter. `before` and `after` the name of the parameter make the statement."""

    parameter: MethodParameter
    chain: Chain

    def lines(self, depth: int) -> list[str]:
        if not self.parameter.optional:
            return statement(self.chain, depth)
        head = f"{INDENT * depth}if {self.parameter.name} is not None:"
        return [head, *statement(self.chain, depth + 1)]


class FieldReader:
    """`labels` are those of all fields in view. `things` are words for what the application is about: options with such
    a label are data."""

    def __init__(self, labels: Sequence[str], things: frozenset[str]) -> None:
        self._labels = labels
        self._things = things

    def entries(self, action: Action, scope: str, taken: TakenNames) -> list[FieldEntry]:
        """In the order of the form. Without a button, the last one sends it, so it has to be given."""
        entries = [self._entry(action, fields, scope, taken) for fields in _grouped(action.fields)]
        if entries and not action.locators:
            last = entries[-1]
            entries[-1] = replace(last, parameter=replace(last.parameter, optional=False))
        return entries

    def _entry(self, action: Action, fields: Sequence[FormField], scope: str, taken: TakenNames) -> FieldEntry:
        several = len(fields) > 1
        entry = self._several(fields, scope, taken) if several else self._one(action, fields[0], scope, taken)
        numbers = tuple(map(action.fields.index, fields))
        return replace(entry, parameter=replace(entry.parameter, fields=numbers))

    def _one(self, action: Action, field: FormField, scope: str, taken: TakenNames) -> FieldEntry:
        name = taken.take(_name(action, field), [_attribute_name(field), "value"])
        parameter = MethodParameter(name, self._type(field), _is_optional(action, field))
        return FieldEntry(parameter, _entered(self._found(action, field, scope), field, name))

    def _several(self, fields: Sequence[FormField], scope: str, taken: TakenNames) -> FieldEntry:
        """Radio buttons, of which one is chosen, or boxes of which some are ticked."""
        first = fields[0]
        name = taken.take(_attribute_name(first), ["choice"])
        if first.role == "radio":
            labels = [each.label for each in fields]
            is_few = len(fields) in _FEW and not any(map(_looks_like_data, labels))
            parameter = MethodParameter(name, _one_of(labels) if is_few else "str", optional=True)
            chosen = Chain(scope).call("get_by_role", literal("radio"), f"name={name}", "exact=True")
            return FieldEntry(parameter, chosen.call("check"))
        boxes = located(Locator(attribute=("name", first.constraint("name"))), scope, ())
        return FieldEntry(
            MethodParameter(name, "Collection[str]", optional=True), Chain("self").call("_tick", boxes, name)
        )

    def _type(self, field: FormField) -> str:
        if field.role in _TICKED:
            return "bool"
        if len(field.options) not in _FEW or field.varies or any(map(_looks_like_data, field.options)):
            return "str"
        about = singular(words_of(field.label))
        if about and about[-1] in self._things:
            return "str"
        return _one_of(field.options)

    def _found(self, action: Action, field: FormField, scope: str) -> Chain:
        best = best_locator(field.locators) or Locator(role="textbox")
        named = best.name or best.text
        if field.title and best.role in ROLES:
            return by_role(Chain(scope), best.role, "") if _is_only_one(action, field) else located(best, scope, ())
        words = named.split()
        # Two labels of one field.
        is_twice = len(words) % 2 == 0 and words[: len(words) // 2] == words[len(words) // 2 :]
        is_plain = best.within is None and best.nth is None and named == field.label and not is_twice
        if is_plain and named == field.constraint("placeholder"):
            return Chain(scope).call("get_by_placeholder", literal(named))
        if is_plain and named != field.constraint("title"):
            others = [each for each in self._labels if each != named]
            is_part = any(named.casefold() in each.casefold() for each in others)
            exact = ["exact=True"] if is_part and has_to_be_exact(named, others) else []
            return Chain(scope).call("get_by_label", literal(named), *exact)
        return located(best, scope, self._labels)


def _one_of(options: Sequence[str]) -> str:
    """A type for them; if it is too long to be read, any text."""
    found = f"Literal[{', '.join(map(literal, options))}]"
    return found if len(found) <= _LONGEST_TYPE else "str"


def _grouped(fields: Sequence[FormField]) -> Iterator[list[FormField]]:
    """Radio buttons and boxes that are sent under one name belong together."""
    groups: dict[tuple[str, str], list[FormField]] = {}
    for each in fields:
        name = each.constraint("name")
        key = (each.role, name) if each.role in ("radio", "checkbox") and name else ("", each.label)
        groups.setdefault(key, []).append(each)
    yield from groups.values()


def _entered(found: Chain, field: FormField, name: str) -> Chain:
    if field.role in _TICKED:
        return found.call("set_checked", name)
    if field.role == "radio":
        return found.call("check")
    if field.constraint("type") == "file":
        return found.call("set_input_files", name)
    if field.options:
        return found.call("select_option", f"label={name}")
    return found.call("fill", name)


def _name(action: Action, field: FormField) -> str:
    title = field.title or field.label
    words = list(dict.fromkeys(without_articles(words_of(title.partition("*")[0] or title))))
    while len(words) > 1 and words[-1] in _DANGLING:
        words.pop()
    attribute = _attribute_name(field)
    if words == words_of(action.title) or (not action.locators and is_command(words)):
        return "text" if not field.options else attribute or "choice"
    if attribute and (not words or len(words) > _MOST_WORDS or title.endswith("?")):
        return attribute
    if is_command(words) and len(words) > 1 and attribute:
        return attribute
    return snake(words)


def _attribute_name(field: FormField) -> str:
    attribute = field.constraint("name")
    return snake(words_of(attribute)) if _ATTRIBUTE_NAME.fullmatch(attribute) else ""


def _is_optional(action: Action, field: FormField) -> bool:
    """Fields for text are needed if the form says so, or, in a form that says nothing, if they are empty and the form
    sends something that is new."""
    if field.required:
        return False
    texts = [each for each in action.fields if not each.options and each.role not in (*_TICKED, "radio")]
    if field not in texts:
        return len(action.fields) > 1
    if len(texts) == 1 and not field.is_filled:
        return False
    says_so = any(each.required for each in action.fields)
    return says_so or field.is_filled or not (action.writes or field.constraint("type") == "password")


def _is_only_one(action: Action, field: FormField) -> bool:
    return sum(each.role == field.role for each in action.fields) == 1


def _looks_like_data(option: str) -> bool:
    return any(map(str.isdigit, option)) or len(option) > _LONGEST_OPTION or not option.isprintable()
