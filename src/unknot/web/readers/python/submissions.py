"""Which arguments of which calls end up in a page or a request: what is typed, selected or uploaded."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter.submitted_files import base_name, looks_like_a_file
from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.attributes import OF_OUTSIDE_CLASS
from unknot.web.readers.python.collected import laid_out
from unknot.web.readers.python.texts import MODIFIERS, as_text
from unknot.web.readers.python.things import Foreign, Key, Known, Values

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter


@dataclass(frozen=True)
class _Way:
    """Where a call has what it submits. `values` are the keywords for it. The first `before` positional arguments name
    an element or an address, if there are more; `always` says that they do so even if there are no more. `all` says
    that everything behind them is submitted, and not only what comes next."""

    values: tuple[str, ...] = ()
    before: int = 0
    always: bool = False
    all: bool = False


_TYPED = _Way(("value", "text"), before=1)
_CHOSEN = _Way(("value", "label", "values"), before=1)
_FILES = _Way(("files", "file_path", "filepath", "paths"), before=1)
_ONE = _Way(("value", "text", "files"))
_BODY = ("data", "form", "json", "multipart", "files", "body", "content")
_SENT = _Way(_BODY, before=1, always=True)

_METHODS: dict[str, _Way] = {
    # Playwright; `fill` and `type` are those of Splinter, SeleniumBase and others, too.
    "fill": _TYPED,
    "type": _TYPED,
    "press_sequentially": _ONE,
    "insert_text": _ONE,
    "select_option": _CHOSEN,
    "set_input_files": _FILES,
    "set_files": _FILES,
    "accept": _Way(("prompt_text",), all=True),
    # Selenium.
    "send_keys": _Way(all=True),
    "send_keys_to_element": _Way(before=1, always=True, all=True),
    "select_by_visible_text": _ONE,
    "select_by_value": _ONE,
    # Requests past the page: Playwright's, requests', httpx's; the address takes the place of the element.
    "post": _SENT,
    "put": _SENT,
    "patch": _SENT,
    "fetch": _SENT,
    "request": _Way(_BODY, before=2, always=True),
    # SeleniumBase, Selene, Splinter.
    "add_text": _TYPED,
    "update_text": _TYPED,
    "set_text": _TYPED,
    "set_value": _TYPED,
    "js_type": _TYPED,
    "js_update_text": _TYPED,
    "select_option_by_text": _Way(("option",), before=1),
    "select_option_by_value": _Way(("option",), before=1),
    "choose_file": _FILES,
    "attach_file": _FILES,
    "fill_form": _Way(("field_values",), all=True),
    "choose": _Way(("value",), before=1, always=True),
    "select": _Way(("value",), before=1, always=True),
}

_FUNCTIONS: dict[str, _Way] = {
    "helium.write": _Way(("text",)),
    "helium.select": _Way(("value",), before=1, always=True),
    "helium.attach_file": _Way(("file_path",)),
}

_UPLOADING = frozenset({"helium.attach_file"})

_LOCATOR_FIRST = frozenset({f"{OF_OUTSIDE_CLASS}.send_keys", "sb.send_keys"})
"""SeleniumBase's own, unlike Selenium's."""


def submitted(reader: "Interpreter", called: Foreign, arguments: Arguments) -> Iterator[str]:
    """The texts that the call submits. Numbers are typed as they are written; a page shows the name of a file, and not
    the path."""
    way = _FUNCTIONS.get(called.path) or (_METHODS.get(called.last) if "." in called.path else None)
    if way is None or called.path.startswith("unittest.mock."):
        return
    if called.path in _LOCATOR_FIRST and len(arguments.positional) > 1:
        way = _TYPED
    given = list(_given(way, arguments))
    shortest = 2 if any(_is_modifier(values) for values in given) else 1
    for values in given:
        for text in (*laid_out(reader, values), *_numbers(values)):
            if len(text) >= shortest:
                yield text
            if way is _FILES or called.path in _UPLOADING or (called.last == "send_keys" and looks_like_a_file(text)):
                yield base_name(text)


def _given(way: _Way, arguments: Arguments) -> Iterator[Values]:
    named = [arguments.keywords[name] for name in way.values if name in arguments.keywords]
    yield from named
    positional = arguments.positional
    if way.all:
        yield from positional[way.before :]
    elif len(positional) > way.before:
        yield from positional[way.before : way.before + 1]
    elif not named and not way.always:
        yield from positional[:1]


def _is_modifier(values: Values) -> bool:
    return any(isinstance(thing, Key) and thing.name in MODIFIERS for thing in values)


def _numbers(values: Values) -> list[str]:
    return [
        as_text(thing.value)
        for thing in values
        if isinstance(thing, Known) and isinstance(thing.value, int | float) and not isinstance(thing.value, bool)
    ]
