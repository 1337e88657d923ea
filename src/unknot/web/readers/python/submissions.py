"""Which arguments of which calls end up in a page or a request: what is typed, selected or uploaded."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter.uploads import base_name, looks_like_a_file
from unknot.web.readers.interpreter.values import CallArguments, Text, Unknown, Value, options
from unknot.web.readers.python.attributes import INHERITED
from unknot.web.readers.python.containers import texts_within
from unknot.web.readers.python.lowering import written
from unknot.web.readers.python.texts import MODIFIERS
from unknot.web.readers.python.values import KeyboardKey

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage


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

_LOCATOR_FIRST = frozenset({f"{INHERITED}.send_keys", "sb.send_keys"})
"""SeleniumBase's own, unlike Selenium's."""


def submitted(language: "PythonLanguage", called: Unknown, given: CallArguments) -> Iterator[str]:
    """The texts that the call submits. Numbers are typed as they are written; a page shows the name of a file, and not
    the path."""
    way = _FUNCTIONS.get(called.path) or (_METHODS.get(called.last) if "." in called.path else None)
    if way is None or called.path.startswith("unittest.mock."):
        return
    if called.path in _LOCATOR_FIRST and len(given.positional) > 1:
        way = _TYPED
    values = list(_values(way, given))
    shortest = 2 if any(_is_modifier(value) for value in values) else 1
    for value in values:
        for text in (*texts_within(language, value), *_numbers(value)):
            if len(text) >= shortest:
                yield text
            if way is _FILES or called.path in _UPLOADING or (called.last == "send_keys" and looks_like_a_file(text)):
                yield base_name(text)


def _values(way: _Way, given: CallArguments) -> Iterator[Value]:
    named = [given.keywords[name] for name in way.values if name in given.keywords]
    yield from named
    positional = given.positional
    if way.all:
        yield from positional[way.before :]
    elif len(positional) > way.before:
        yield from positional[way.before : way.before + 1]
    elif not named and not way.always:
        yield from positional[:1]


def _is_modifier(value: Value) -> bool:
    return any(isinstance(option, KeyboardKey) and option.name in MODIFIERS for option in options(value))


def _numbers(value: Value) -> list[str]:
    scalars = [option.scalar for option in options(value) if isinstance(option, Text) and not option.is_text]
    return [written(each) for each in scalars if isinstance(each, int | float) and not isinstance(each, bool)]
