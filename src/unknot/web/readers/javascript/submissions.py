"""Calls that submit values to a page or a server: which of their arguments are the values."""

import re
from collections.abc import Sequence

from unknot.web.readers.interpreter.values import Entries, Items, Native, Text, Unknown, Value, words

_TYPING = words(
    "fill type pressSequentially selectOption setInputFiles setFiles insertText select setValue addValue",
    "selectByVisibleText selectByAttribute sendKeys typeText setFilesToUpload selectFile attachFile realType",
)
_LAST_ONLY = frozenset(["selectByAttribute"])
_SENDING = frozenset(["post", "put", "patch"])
_BODIES = ("data", "form", "multipart", "body", "json")
_VALUES = words("label value contents fileName name buffer filePath index")
_SPECIAL_KEY = re.compile(
    r"\{(?:[a-zA-Z]+[aA]rrow|enter|esc|del|backspace|tab|selectall|home|end|ctrl|shift|alt|meta"
    r"|page(?:Up|Down)|moveTo(?:Start|End)|insert|cmd|control|option)\}",
    re.IGNORECASE,
)


def submitted_by(receiver: Value, name: str, arguments: Sequence[Value]) -> list[Value]:
    """The values that `receiver.name(arguments)` submits; none if it submits nothing."""
    is_cypress = isinstance(receiver, Native) and receiver.name == "cy"
    if is_cypress and name == "request":
        return _requested(arguments)
    if name in _SENDING or name == "fetch":
        return _sent(arguments)
    if is_cypress and name == "check":
        return [_typed(value) for value in arguments[:1] if isinstance(value, Text | Items)]
    if name not in _TYPING or isinstance(receiver, Items | Text):
        return []
    values = [value for value in arguments if not _is_options(value)]
    if len(values) > 1 and not is_cypress and name != "sendKeys":
        values = values[1:]
    if name in _LAST_ONLY:
        values = values[-1:]
    return [_typed(value) for value in (values[:1] if is_cypress else values)]


def _is_options(value: Value) -> bool:
    """`{ delay: 100 }`, and not `{ label: 'Blue' }`."""
    return isinstance(value, Entries) and not _VALUES & value.entries.keys()


def _typed(value: Value) -> Value:
    """Without Cypress's special keys: `user{enter}` types `user`."""
    if isinstance(value, Text) and "{" in value.text:
        return Text(_SPECIAL_KEY.sub("", value.text), value.place, value.is_text)
    if isinstance(value, Entries):
        return Items([part for name, part in value.entries.items() if name in _VALUES])
    return value


def _requested(arguments: Sequence[Value]) -> list[Value]:
    """`cy.request('POST', url, body)`, `cy.request(url, body)`, `cy.request({ method, url, body })`."""
    if arguments and isinstance(arguments[0], Entries):
        method = arguments[0].entries.get("method")
        is_reading = not isinstance(method, Text | Unknown) or (
            isinstance(method, Text) and method.text.upper() == "GET"
        )
        return [] if is_reading else _body(arguments[0])
    return list(arguments[1:][-1:]) if len(arguments) > 1 and not _is_url(arguments[-1]) else []


def _is_url(value: Value) -> bool:
    return isinstance(value, Text)


def _sent(arguments: Sequence[Value]) -> list[Value]:
    """`request.post(url, { data })`, `fetch(url, { method, body })`, `axios.post(url, data)`."""
    if len(arguments) < 2 or not isinstance(arguments[1], Entries):
        return []
    return _body(arguments[1]) or [arguments[1]]


def _body(options: Entries) -> list[Value]:
    return [options.entries[name] for name in _BODIES if name in options.entries]
