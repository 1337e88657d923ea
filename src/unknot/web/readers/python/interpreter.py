"""Reads code as if it ran: every statement in turn, with what is known of values, and both sides of every doubt.

Guarantees: no code of the project is run; what is read for one test takes at most `_STEPS` expressions and statements,
whatever the code is, and never raises. Where code goes on beyond a limit, the test has a gap.
Assumes that decorators do not change what a function does, and that nobody replaces attributes behind Python's back.
Errs on the side of more texts: of a condition that is not known both branches are read.
"""

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from unknot.web.readers.python import attributes, binding, calls, expressions, imports, statements
from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.heap import Heap
from unknot.web.readers.python.project import Project
from unknot.web.readers.python.scope import Module, Scope
from unknot.web.readers.python.speech import Place, Speech, telling_parts
from unknot.web.readers.python.things import UNKNOWN, Function, Known, Partly, Thing, Values

_STEPS = 100_000
"""A test of a page-object suite takes a few hundred to some thousand."""

_DEEPEST = 170
"""Expressions, statements and calls within each other. Each takes two to four frames of ours; Python allows 1,000."""


def _no_fixture(_name: str) -> Values:
    return UNKNOWN


class OutOfSteps(Exception):
    """The code goes on for longer than anybody wants to read."""


@dataclass(slots=True)
class Interpreter:
    """Reads for one test, or imports one module. `fixture` gives the value of a fixture by its name."""

    project: Project
    speech: Speech = field(default_factory=Speech)
    heap: Heap = field(default_factory=Heap)
    fixture: Callable[[str], Values] = _no_fixture
    test_object: Values = UNKNOWN
    active: "list[tuple[Function, tuple[Values, ...]]]" = field(default_factory=list)
    _steps: int = _STEPS
    _depth: int = 0

    def evaluate(self, node: ast.expr, scope: Scope) -> Values:
        """What the expression may be. What it says, and what it calls says, is heard on the way."""
        self._begin_step()
        if self._depth > _DEEPEST:
            self._depth -= 1
            self.misses("too deeply nested to be followed", Place(scope, node.lineno))
            return UNKNOWN
        try:
            values = expressions.HANDLERS.get(type(node), expressions.anything_else)(self, node, scope)
        finally:
            self._depth -= 1
        if not self.speech.silent:
            self._mention(values, node, scope)
        return values

    def run(self, block: list[ast.stmt], scope: Scope) -> bool:
        """Whether the block surely ends what it stands in, by a return, a raise, a break or a continue."""
        for statement in block:
            self._begin_step()
            try:
                if self._depth > _DEEPEST:
                    self.misses("too deeply nested to be followed", Place(scope, statement.lineno))
                    return False
                if statements.HANDLERS.get(type(statement), statements.anything_else)(self, statement, scope):
                    return True
            finally:
                self._depth -= 1
        return False

    def _begin_step(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise OutOfSteps
        self._depth += 1

    @property
    def spent(self) -> int:
        return _STEPS - self._steps

    def spend(self, steps: int) -> None:
        """Work that grows with what code has made, and not with the code, is counted as well."""
        self._steps -= steps
        if self._steps < 0:
            raise OutOfSteps

    def call(self, called: Values, arguments: Arguments) -> Values:
        return calls.called(self, called, arguments)

    def attribute(self, thing: Thing, name: str, place: Place) -> Values:
        return attributes.attribute(self, thing, name, place)

    def bind(self, target: ast.expr, values: Values, scope: Scope) -> None:
        binding.bind(self, target, values, scope)

    def known(self, values: Values, place: Place) -> Values:
        """With imports followed."""
        return imports.followed(self, values, place)

    def misses(self, what: str, place: Place) -> None:
        self.speech.misses(f"{place.shown}: {what}")

    @contextmanager
    def in_doubt(self) -> Iterator[None]:
        """What is read now may not happen."""
        self.heap.doubts += 1
        try:
            yield
        finally:
            self.heap.doubts -= 1

    def touch(self, module: Module) -> None:
        """The module is about to be used: it is read first, once for all tests. Its gaps become ours."""
        if not module.is_read:
            module.is_read = True
            self._read_module(module)
        for gap in module.gaps:
            self.speech.misses(gap)

    def _read_module(self, module: Module) -> None:
        if module.tree is None:
            return
        module.is_being_read = True
        reader = Interpreter(self.project, Speech(silent=True), Heap(is_shared=True), _depth=self._depth)
        try:
            with reader.limits(module.path):
                reader.run(module.tree.body, module.scope)
        finally:
            module.gaps.extend(reader.speech.gaps)
            module.is_being_read = False

    @contextmanager
    def limits(self, what: str) -> Iterator[None]:
        """Ends what is read within when it goes on for too long, and says so."""
        try:
            yield
        except OutOfSteps:
            self.speech.misses(f"{what} takes more than {_STEPS:,} steps to follow")
        except RecursionError:
            self.speech.misses(f"{what} is too deeply nested to be followed")

    def _mention(self, values: Values, node: ast.expr, scope: Scope) -> None:
        for thing in values:
            if isinstance(thing, Known):
                if isinstance(thing.value, str) and thing.value not in self.speech.used:
                    self.speech.uses(thing.value, Place(scope, node.lineno))
            elif isinstance(thing, Partly):
                for part in telling_parts(thing.parts):
                    self.speech.uses(part, Place(scope, node.lineno))
