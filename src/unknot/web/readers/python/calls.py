"""What calls give, and what is followed on the way."""

from dataclasses import replace
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter.machine import Activation
from unknot.web.readers.interpreter.values import (
    BROWSER,
    UNKNOWN,
    CallArguments,
    Entries,
    Items,
    NameScope,
    ProjectObject,
    Result,
    Steps,
    Text,
    Unknown,
    Value,
    either,
    one_of_all,
    options,
)
from unknot.web.readers.python import foreign_calls, methods
from unknot.web.readers.python.attributes import INHERITED, method_of
from unknot.web.readers.python.containers import members
from unknot.web.readers.python.values import (
    NONE,
    BoundMethod,
    BuiltinMethod,
    PartialCall,
    PythonClass,
    PythonFunction,
    same_or_unknown,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

_MOST_TURNS = 3
"""How often a function may be within itself, each time with other arguments."""

_MOST_CALLED = 8
"""How many functions one call may mean; a table of more is not a call of any of them that we could name."""

_DEEPEST = 100
"""Calls within each other."""

_NO_CALL = Unknown(f"{INHERITED}.__call__")


def called(language: "PythonLanguage", callee: Value, given: CallArguments) -> Result:
    several = options(callee)
    if len(several) == 1:
        return _one(language, callee, given)
    doubtful = replace(given, uncertain=given.uncertain + 1)
    return one_of_all(_one(language, option, doubtful) for option in several[:_MOST_CALLED])


def _one(language: "PythonLanguage", callee: Value, given: CallArguments) -> Result:
    match callee:
        case PythonFunction():
            return _entered(language, callee, given)
        case BoundMethod(function=function, to=to):
            return _entered(language, function, given.after(to))
        case PartialCall(callee=inner, positional=positional, keywords=keywords):
            return called(
                language, inner, replace(given.after(*positional), keywords={**dict(keywords), **given.keywords})
            )
        case PythonClass():
            return made_instance(language, callee, given)
        case BuiltinMethod():
            return methods.called(language, callee, given)
        case ProjectObject():
            method = language.attribute(callee, "__call__", given.place)
            return (
                foreign_calls.called(language, UNKNOWN, given)
                if method == _NO_CALL
                else called(language, method, given)
            )
        case Unknown():
            return foreign_calls.called(language, callee, given)
        case _:
            return foreign_calls.called(language, UNKNOWN, given)


def _entered(language: "PythonLanguage", function: PythonFunction, given: CallArguments) -> Steps:
    at = activation(language, function, given)
    if at is None:
        return UNKNOWN
    yield run(language, function, at)
    if at.yielded:
        return Items(at.yielded)
    return either(at.returned) if at.returned else NONE


def activation(language: "PythonLanguage", function: PythonFunction, given: CallArguments) -> Activation | None:
    """The call before it starts. None for a function that is within itself: with the same arguments it adds nothing
    new; with others it is followed a few times, and then there is a gap."""
    taken = _with_annotations(language, function, _bound(function, given))
    arguments = tuple(taken.values())
    turns = [earlier for active, earlier in language.active if active.code is function.code]
    if arguments in turns:
        return None
    if len(turns) >= _MOST_TURNS:
        language.add_gap(f"{function.name} calls itself, too often to be followed", given.place)
        return None
    if len(language.active) >= _DEEPEST:
        language.add_gap("too deeply nested to be followed", given.place)
        return None
    scope = NameScope(taken, function.scope)
    return Activation(scope, function.code.file, function.name, uncertain=given.uncertain)


def run(language: "PythonLanguage", function: PythonFunction, at: Activation) -> Steps:
    language.active.append((function, tuple(at.scope.names.values())))
    try:
        yield language.machine.value(function.code.body, at)
    finally:
        language.active.pop()
    return UNKNOWN


def _bound(function: PythonFunction, given: CallArguments) -> dict[str, Value]:
    """Each parameter with its argument, its default, or nothing known. What does not fit is dropped."""
    signature = function.code.signature
    names, keyword_only = signature.positional, signature.keyword_only
    taken: dict[str, Value] = dict(zip(names[len(names) - len(function.defaults) :], function.defaults, strict=False))
    keyword_defaults = zip(keyword_only, function.keyword_defaults, strict=False)
    taken |= {name: value for name, value in keyword_defaults if value is not None}
    taken |= dict(zip(names, given.positional, strict=False))
    known = {*names, *keyword_only}
    taken |= {name: value for name, value in given.keywords.items() if name in known}
    rest = UNKNOWN if given.is_open else None
    if signature.rest:
        taken[signature.rest] = Items(given.positional[len(names) :], rest)
    if signature.keyword_rest:
        others = {name: value for name, value in given.keywords.items() if name not in known}
        taken[signature.keyword_rest] = Entries(others, "", rest)
    return {name: taken.get(name, UNKNOWN) for name in (*names, *keyword_only)} | taken


def _with_annotations(
    language: "PythonLanguage", function: PythonFunction, taken: dict[str, Value]
) -> dict[str, Value]:
    """An argument of which nothing is known is an object of the project's class that its annotation names."""
    for name, annotation in function.code.annotations.items():
        if taken.get(name) not in (UNKNOWN, BROWSER):
            continue
        at = Activation(function.scope, function.code.file, "")
        for meant in options(language.machine.drive(language.machine.value(annotation, at))):
            if isinstance(meant, PythonClass) and not meant.is_enumeration and not meant.field_names:
                given = CallArguments(place=at.place(annotation.line), is_open=True)
                taken[name] = language.machine.drive(made_instance(language, meant, given))
                break
    return taken


def made_instance(language: "PythonLanguage", of: PythonClass, given: CallArguments) -> Result:
    """With what `__init__` gives it; a class without one is a record, whose fields take the arguments in turn."""
    return _member(of, given) if of.is_enumeration else _new(language, of, given)


def _new(language: "PythonLanguage", of: PythonClass, given: CallArguments) -> Steps:
    made = ProjectObject(of)
    initialiser = method_of(of, "__init__")
    if initialiser is not None:
        yield called(language, BoundMethod(initialiser, made), given)
        return made
    made.fields.update(zip(of.field_names, given.positional, strict=False))
    made.fields.update(given.keywords)
    finisher = method_of(of, "__post_init__")
    if finisher is not None:
        yield called(language, BoundMethod(finisher, made), CallArguments(place=given.place, uncertain=given.uncertain))
    return made


def _member(of: PythonClass, given: CallArguments) -> Value:
    wanted = given.get(0, "value")
    if wanted is None or not all(isinstance(option, Text) for option in options(wanted)):
        return UNKNOWN
    return same_or_unknown([each for each in members(of) if set(options(each.fields["value"])) & set(options(wanted))])
