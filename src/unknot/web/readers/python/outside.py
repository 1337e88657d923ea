"""Calls of what is not the project's: pages, elements, libraries."""

from typing import TYPE_CHECKING

from unknot.web.readers.python import unread
from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.collected import laid_out
from unknot.web.readers.python.library import FUNCTIONS
from unknot.web.readers.python.submissions import submitted
from unknot.web.readers.python.things import UNKNOWN, Bound, Foreign, Function, Mark, Partial, Values, texts_of

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter


def called(reader: "Interpreter", callee: Foreign, arguments: Arguments) -> Values:
    """What the call submits and mentions is heard. Functions that it is given may be called by it: they are read,
    with nothing known of their arguments."""
    if _is_kept(callee):
        return (Mark(callee.last, arguments.positional, arguments.keywords, arguments.place.line),)
    typed = list(submitted(reader, callee, arguments))
    for text in typed:
        reader.speech.submits(text, arguments.place)
    for values in arguments.all:
        for text in laid_out(reader, values):
            reader.speech.uses(text, arguments.place)
    if callee.path == "request.getfixturevalue" and arguments.positional:
        names = texts_of(arguments.positional[0])
        return reader.fixture(names[0]) if len(names) == 1 else UNKNOWN
    known = FUNCTIONS.get(callee.path)
    answer = known(reader, arguments) if known is not None else None
    if answer is None:
        _call_back(reader, arguments)
    return answer or unread.result(reader, callee, arguments, is_heard=bool(typed))


def _is_kept(callee: Foreign) -> bool:
    return callee.path.startswith("pytest.mark.") or callee.path in _KEPT_PATHS or callee.last in _KEPT


_KEPT = frozenset({"fixture", "yield_fixture", "expand"})
_KEPT_PATHS = frozenset({"pytest.param", "ddt.data"})


def _call_back(reader: "Interpreter", arguments: Arguments) -> None:
    for values in arguments.all:
        for thing in values:
            if isinstance(thing, Function | Bound | Partial):
                with reader.in_doubt():
                    reader.call((thing,), Arguments(arguments.place, is_open=True))
