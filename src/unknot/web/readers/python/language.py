"""Names, attributes, calls and modules as Python has them.

Guarantees: no code of the project is run; what is followed for one test takes at most `MOST_STEPS` steps, whatever the
code is, and never raises. Where code goes on beyond a limit, the test has a gap.
Assumes that decorators do not change what a function does, and that attributes are not replaced behind Python's back.
"""

import builtins
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

from unknot.model.recording import Frame
from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.language import Language
from unknot.web.readers.interpreter.machine import MOST_STEPS, Activation, Exhausted, Machine
from unknot.web.readers.interpreter.statements import STOPPED, Stopped, bound, put
from unknot.web.readers.interpreter.string_trace import StringTrace
from unknot.web.readers.python import calls, members, texts
from unknot.web.readers.python.lowering import ImportCode, PythonClassCode, PythonFunctionCode, SuperCode, WithCode
from unknot.web.readers.python.members import append
from unknot.web.readers.python.project import PythonProject, bind_imported, followed
from unknot.web.readers.python.values import (
    NONE,
    FunctionKind,
    PythonClass,
    PythonFunction,
    PythonModule,
    SuperObject,
    constant,
    first,
)

_KINDS: dict[str, FunctionKind] = {
    "staticmethod": "static",
    "classmethod": "class",
    "property": "property",
    "cached_property": "property",
}


def _no_fixture(_name: str) -> v.Value:
    return v.UNKNOWN


class PythonLanguage(Language):
    """`fixture` gives the value of a fixture of the test that is followed, by its name; `test_object` is its `self`.
    `active` are the functions under way with their arguments, the innermost last. `steps_taken` counts
    those of all tests."""

    reads_count: ClassVar[bool] = True
    block_scopes: ClassVar[bool] = False
    has_this: ClassVar[bool] = False
    browser_names: ClassVar[frozenset[str]] = frozenset()
    most_rounds: ClassVar[int] = 300
    nothing: ClassVar[v.Value] = NONE

    def __init__(self, project: PythonProject) -> None:
        self.project = project
        self.machine = Machine(self)
        self.fixture: Callable[[str], v.Value] = _no_fixture
        self.test_object: v.Value = v.UNKNOWN
        self.active: list[tuple[PythonFunction, tuple[v.Value, ...]]] = []
        self.steps_taken = 0

    @contextmanager
    def test(self, name: str) -> Iterator[StringTrace]:
        """One test is followed within; what it changes is undone."""
        trace = StringTrace()
        self.fixture, self.test_object = _no_fixture, v.UNKNOWN
        with self._state(trace), self.machine.changes.undone():
            with self._limits(name):
                yield trace
            self.steps_taken += MOST_STEPS - self.machine.steps_left

    @contextmanager
    def silent(self) -> Iterator[None]:
        """What is followed within belongs to no test."""
        with self._state(StringTrace(is_silent=True)):
            yield

    @contextmanager
    def _state(self, trace: StringTrace) -> Iterator[None]:
        machine = self.machine
        before = (machine.trace, machine.steps_left, machine.depth, self.active)
        machine.trace, machine.steps_left, self.active = trace, MOST_STEPS, []
        try:
            yield
        finally:
            machine.trace, machine.steps_left, machine.depth, self.active = before

    @contextmanager
    def _limits(self, what: str) -> Iterator[None]:
        """Stops what is followed within when it takes too long, and records a gap."""
        try:
            yield
        except Exhausted:
            self.machine.trace.add_gap(f"{what} takes more than {MOST_STEPS:,} steps to follow")
        except RecursionError:
            self.machine.trace.add_gap(f"{what} is too deeply nested to be followed")

    def load(self, module: PythonModule) -> None:
        """The module is about to be used: it is read first, once for all tests. Its gaps become those of the test."""
        if not module.is_read:
            module.is_read = True
            self._read(module)
        for gap in module.gaps:
            self.machine.trace.add_gap(gap)

    def _read(self, module: PythonModule) -> None:
        if module.code is None:
            return
        module.is_being_read = True
        trace = StringTrace(is_silent=True)
        fixture, test_object = self.fixture, self.test_object
        self.fixture, self.test_object = _no_fixture, v.UNKNOWN
        try:
            with self._state(trace), self.machine.changes.lasting(), self._limits(module.path):
                self.machine.value(module.code, Activation(module.scope, module.path, ""))
        finally:
            module.gaps.extend(trace.gaps)
            module.is_being_read = False
            self.fixture, self.test_object = fixture, test_object

    def module_at(self, at: Activation) -> PythonModule:
        module = self.project.module(at.file)
        assert module is not None, "code that is followed is code of the project"
        return module

    def add_gap(self, what: str, place: Frame) -> None:
        self.machine.trace.add_gap(f"{place.file}:{place.line}: {what}")

    def mention_all(self, given: v.CallArguments) -> None:
        """What a call is given counts as used there."""
        for value in given.all:
            for text in members.texts_within(self, value):
                self.machine.trace.uses_text(text, given.place)

    def attribute(self, of: v.Value, name: str, place: Frame) -> v.Value:
        return v.either([members.attribute(self, option, name, place) for option in v.options(of)])

    def call(self, callee: v.Value, given: v.CallArguments) -> v.Value:
        return calls.called(self, callee, given)

    def free_name(self, name: str, at: Activation) -> v.Value:
        if name == "__file__":
            return constant(at.file)
        return v.Unknown(f"builtins.{name}") if hasattr(builtins, name) else v.UNKNOWN

    def resolve(self, value: v.Value) -> v.Value:
        return followed(self, value)

    def assign_free(self, name: str, value: v.Value, at: Activation) -> None:
        put(self.machine, self.module_at(at).scope.names, name, value, at.uncertain)

    def invoke(self, receiver: v.Value, name: str, arguments: v.CallArguments, at: Activation, line: int) -> v.Value:
        callee = self.attribute(receiver, name, at.place(line)) if name else receiver
        return calls.called(self, callee, arguments)

    def member(self, receiver: v.Value, name: str, at: Activation, line: int, *, quiet: bool = False) -> v.Value:  # noqa: ARG002
        return members.attribute(self, receiver, name, at.place(line))

    def item(self, of: v.Value, key: v.Value, at: Activation, line: int) -> v.Value:
        return members.item(self, of, key, at.place(line))

    def set_member(self, owner: v.Value, name: str, value: v.Value, at: Activation, line: int) -> None:
        members.set_attribute(self, owner, name, value, at.place(line), at.uncertain)

    def set_item(self, owner: v.Value, key: v.Value, value: v.Value, at: Activation) -> None:
        if isinstance(owner, v.Items):
            append(self, owner, [value])
        elif isinstance(owner, v.Entries):
            for option in v.options(key):
                if isinstance(option, v.Text):
                    put(self.machine, owner.entries, option.value, value, at.uncertain)

    def elements(self, value: v.Value) -> tuple[list[v.Value], bool]:
        return members.elements(self, value)

    def loop_items(self, value: v.Value, *, keys: bool) -> tuple[list[v.Value], bool]:  # noqa: ARG002
        several = v.options(value)
        if all(isinstance(option, v.Text) and option.is_text for option in several):
            # Code that goes through the letters of a text types them one by one: it is the text that is typed.
            return list(several), all(len(option.text) <= 50 for option in several if isinstance(option, v.Text))
        return members.elements(self, value)

    def truth(self, value: v.Value) -> bool | None:
        return texts.truth(value)

    def compare(self, left: v.Value, operator: str, right: v.Value) -> bool | None:
        return texts.compare(left, operator, right)

    def note_compared(self, operands: Sequence[v.Value], at: Activation, line: int) -> None:
        self.mention_all(v.CallArguments(list(operands), place=at.place(line)))

    def join(self, parts: list[v.Value], at: Activation, line: int) -> v.Value:  # noqa: ARG002
        return texts.put_together(parts)

    def operate(self, left: v.Value, operator: str, right: v.Value) -> v.Value:
        return texts.combined(left, operator, right)

    def function_of(self, code: c.FunctionCode, at: Activation) -> v.Value:
        return _function(self, code, at) if isinstance(code, PythonFunctionCode) else v.UNKNOWN

    def class_of(self, code: c.ClassCode, at: Activation) -> v.Value:
        return _class(self, code, at) if isinstance(code, PythonClassCode) else v.UNKNOWN


def _function_scope(at: Activation) -> v.NameScope:
    """The parent of functions that are defined here: a class body is none."""
    is_body = at.is_class_body and at.scope is at.root and at.scope.parent is not None
    return at.scope.parent if is_body and at.scope.parent is not None else at.scope


def _qualified(name: str, at: Activation) -> str:
    return f"{at.function}.{name}" if at.is_class_body and at.scope is at.root else name


def _function(language: PythonLanguage, code: PythonFunctionCode, at: Activation) -> v.Value:
    """Decorators are kept for fixtures and marks; besides, they count as changing nothing."""
    machine = language.machine
    name = code.name if code.name == "<lambda>" else _qualified(code.name, at)
    made = PythonFunction(code, _function_scope(at), name=name)
    made.defaults = tuple(_several(machine, code.defaults, at))
    keyword_defaults: list[v.Value | None] = []
    for default in code.keyword_defaults:
        value = None if default is None else machine.value(default, at)
        keyword_defaults.append(value)
    made.keyword_defaults = tuple(keyword_defaults)
    if code.accessor:
        return _with_setter(at.scope.names.get(code.name, made), made if code.accessor == "setter" else None)
    made.decorators = tuple(_several(machine, code.decorators, at))
    for decorator in made.decorators:
        for option in v.options(decorator):
            if isinstance(option, v.Unknown):
                made.kind = _KINDS.get(option.last, made.kind)
    return made


def _with_setter(getter: v.Value, setter: PythonFunction | None) -> v.Value:
    for option in v.options(getter):
        if isinstance(option, PythonFunction):
            option.setter = setter or option.setter
    return getter


def _several(machine: Machine, codes: Sequence[c.Code], at: Activation) -> list[v.Value]:
    return [machine.value(code, at) for code in codes]


def _class(language: PythonLanguage, code: PythonClassCode, at: Activation) -> v.Value:
    machine = language.machine
    bases = _several(machine, code.bases, at)
    _several(machine, code.keywords, at)
    scope = v.NameScope({}, _function_scope(at))
    inner = Activation(
        scope, code.file, _qualified(code.name, at), uncertain=at.uncertain, root=scope, is_class_body=True
    )
    machine.value(code.body or c.NOTHING, inner)
    decorators = _several(machine, code.decorators, at)
    made = PythonClass(
        code,
        at.scope,
        statics=scope.names,
        bases=tuple(option for base in bases for option in v.options(base)),
        fields=code.fields,
        decorators=tuple(decorators),
    )
    for value in scope.names.values():
        for option in v.options(value):
            if isinstance(option, PythonFunction) and option.owner is None and option.name != "<lambda>":
                option.owner = made
    return made


def _import(machine: Machine, code: ImportCode, at: Activation) -> v.Value:
    if isinstance(machine.language, PythonLanguage):
        bind_imported(machine.language, code, at)
    return v.UNKNOWN


def _super(machine: Machine, code: SuperCode, at: Activation) -> v.Value:
    """`super()`, whose class and object are those of the method that is followed."""
    for argument in code.arguments:
        machine.value(argument, at)
    active = machine.language.active if isinstance(machine.language, PythonLanguage) else []
    for function, given in reversed(active):
        if isinstance(function.owner, PythonClass) and given:
            return SuperObject(function.owner, first(given[0]))
    return v.UNKNOWN


def _with(machine: Machine, code: WithCode, at: Activation) -> v.Value:
    language, place = machine.language, at.place(code.line)
    assert isinstance(language, PythonLanguage)
    entered: list[v.ProjectObject] = []
    for manager, target in code.managers:
        value = machine.value(manager, at)
        entered.extend(option for option in v.options(value) if isinstance(option, v.ProjectObject))
        given = v.either([_entered(language, option, place, at) for option in v.options(value)])
        if target is not None:
            bound(machine, target, given, at)
    ended = machine.value(code.body, at)
    for instance in entered:
        for name in ("__exit__", "__aexit__"):
            leaving = members.optional_method(language, instance, (name,), place)
            if leaving is not None:
                calls.called(language, leaving, v.CallArguments(place=place, is_open=True, uncertain=at.uncertain))
    return STOPPED if isinstance(ended, Stopped) else v.UNKNOWN


def _entered(language: PythonLanguage, manager: v.Value, place: Frame, at: Activation) -> v.Value:
    if isinstance(manager, v.ProjectObject):
        entering = members.optional_method(language, manager, ("__enter__", "__aenter__"), place)
        if entering is not None:
            return calls.called(language, entering, v.CallArguments(place=place, uncertain=at.uncertain))
    # A generator function that is used as a context manager gives what it yields.
    found, is_whole = language.elements(manager)
    return v.either(found) if found and is_whole else manager


def _formatted(machine: Machine, code: c.Formatted, at: Activation) -> v.Value:
    value = machine.value(code.value, at)
    return v.UNKNOWN if code.spec is None else texts.formatted(value, code.conversion, code.spec)


def _slice(machine: Machine, code: c.Slice, at: Activation) -> v.Value:
    held = machine.value(code.of, at)
    bounds = _several(machine, code.bounds, at)
    return v.either(option if isinstance(option, v.Items) else texts.cut(option, bounds) for option in v.options(held))


Machine.evaluators.update(
    {
        PythonFunctionCode: lambda machine, code, at: machine.language.function_of(code, at),
        PythonClassCode: lambda machine, code, at: machine.language.class_of(code, at),
        ImportCode: _import,
        SuperCode: _super,
        WithCode: _with,
        c.Formatted: _formatted,
        c.Slice: _slice,
    }
)
