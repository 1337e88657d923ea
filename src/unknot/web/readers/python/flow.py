"""Branches and loops: what is known after them is what any way through them may have left."""

import ast
from typing import TYPE_CHECKING

from unknot.web.readers.python.collected import elements
from unknot.web.readers.python.scope import Scope
from unknot.web.readers.python.speech import Place
from unknot.web.readers.python.things import UNKNOWN, Values, joined, texts_of
from unknot.web.readers.python.truth import truth

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_MOST_ROUNDS = 300


def branches(reader: "Interpreter", node: ast.If, scope: Scope) -> bool:
    answer = truth(reader.heap, reader.evaluate(node.test, scope))
    if _asks_for_main(node.test):
        return False
    if answer is not None:
        return reader.run(node.body if answer else node.orelse, scope)
    return _either(reader, [node.body, node.orelse], scope)


def _asks_for_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _either(reader: "Interpreter", blocks: list[list[ast.stmt]], scope: Scope) -> bool:
    """Any one of the blocks is run: names may then be what each of them has made of them."""
    before = scope.names
    ends: list[dict[str, Values]] = []
    for block in blocks:
        scope.names = dict(before)
        with reader.in_doubt():
            if not reader.run(block, scope):
                ends.append(scope.names)
    scope.names = _merged(ends) if ends else before
    return not ends


def _merged(ends: list[dict[str, Values]]) -> dict[str, Values]:
    names = dict.fromkeys(name for end in ends for name in end)
    return {name: joined(*(end[name] for end in ends if name in end)) for name in names}


def loop_over(reader: "Interpreter", node: ast.For | ast.AsyncFor, scope: Scope) -> bool:
    values = reader.evaluate(node.iter, scope)
    found, is_whole = elements(reader, values)
    if len(texts_of(values)) == len(values):
        # Who goes through the letters of a text types them one by one: it is the text that is typed.
        found = [(text,) for text in values]
    if len(found) > _MOST_ROUNDS:
        reader.misses(f"only the first {_MOST_ROUNDS} rounds of a loop are followed", Place(scope, node.lineno))
    if not found or not is_whole:
        _repeated(reader, [*([] if is_whole else [UNKNOWN]), *found[:_MOST_ROUNDS]], node, scope)
    else:
        for values in found[:_MOST_ROUNDS]:
            reader.bind(node.target, values, scope)
            # A break or a return may stand in a branch that is not taken: go on.
            reader.run(node.body, scope)
    return _otherwise(reader, node.orelse, scope)


def _repeated(reader: "Interpreter", rounds: list[Values], node: ast.For | ast.AsyncFor, scope: Scope) -> None:
    before = dict(scope.names)
    _forget(node.body, scope)
    with reader.in_doubt():
        for values in rounds:
            reader.bind(node.target, values, scope)
            reader.run(node.body, scope)
    scope.names = _merged([before, scope.names])


def _forget(body: list[ast.stmt], scope: Scope) -> None:
    """Of what a loop sets, nothing is certain in it: an earlier round may have set it."""
    for statement in body:
        for each in ast.walk(statement):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id in scope.names:
                scope.names[each.id] = joined(scope.names[each.id], UNKNOWN)


def loop_while(reader: "Interpreter", node: ast.While, scope: Scope) -> bool:
    if not isinstance(node.test, ast.Constant) and _counted(reader, node, scope):
        return _otherwise(reader, node.orelse, scope)
    before = dict(scope.names)
    _forget(node.body, scope)
    with reader.in_doubt():
        reader.evaluate(node.test, scope)
        reader.run(node.body, scope)
    scope.names = _merged([before, scope.names])
    return _otherwise(reader, node.orelse, scope)


def _counted(reader: "Interpreter", node: ast.While, scope: Scope) -> bool:
    """Follows the rounds for as long as it is known that there is another; whether it is known that there is none."""
    for _ in range(_MOST_ROUNDS):
        answer = truth(reader.heap, reader.evaluate(node.test, scope))
        if answer is None:
            return False
        if not answer:
            return True
        if reader.run(node.body, scope):
            return False
    reader.misses(f"only the first {_MOST_ROUNDS} rounds of a loop are followed", Place(scope, node.lineno))
    return False


def _otherwise(reader: "Interpreter", block: list[ast.stmt], scope: Scope) -> bool:
    """What a loop does that was not left by a break: nothing says that this one was not."""
    return _either(reader, [block, []], scope) if block else False


def attempt(reader: "Interpreter", node: ast.Try, scope: Scope) -> bool:
    before = dict(scope.names)
    body_ended = reader.run(node.body, scope)
    ends = [] if body_ended else [scope.names]
    for handler in node.handlers:
        scope.names = _merged([before, scope.names])
        if handler.type is not None:
            reader.evaluate(handler.type, scope)
        if handler.name:
            scope.names[handler.name] = UNKNOWN
        with reader.in_doubt():
            if not reader.run(handler.body, scope):
                ends.append(scope.names)
    scope.names = _merged(ends) if ends else scope.names
    ended = not ends
    if not body_ended:
        ended = reader.run(node.orelse, scope) and not node.handlers
    return reader.run(node.finalbody, scope) or ended


def choice(reader: "Interpreter", node: ast.Match, scope: Scope) -> bool:
    subject = reader.evaluate(node.subject, scope)
    for case in node.cases:
        for each in ast.walk(case.pattern):
            if isinstance(each, ast.MatchValue):
                reader.evaluate(each.value, scope)
            elif isinstance(each, ast.MatchAs | ast.MatchStar) and each.name:
                scope.names[each.name] = subject if each is case.pattern else UNKNOWN
            elif isinstance(each, ast.MatchMapping) and each.rest:
                scope.names[each.rest] = UNKNOWN
    _either(reader, [case.body for case in node.cases] + [[]], scope)
    return False
