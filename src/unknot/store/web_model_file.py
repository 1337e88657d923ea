"""The model of a web application on disk: `unknot.web.json`. Documented for users in docs/reference/web-model.md.

The file is committed, so it says what the application is, and only at its end, under `counts`, how often each thing was
seen: a longer crawl of the same application changes these lines, and adds what is new.

A member that is added to a dataclass of the model, with a default, is written and read without a change here.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

from unknot import __version__
from unknot.model.errors import NewerFormatError
from unknot.model.web.portable_model import portable
from unknot.model.web.web_model import Component, Destination, Guard, PageAction, WebModel, WebPage
from unknot.store.atomic import write_atomically
from unknot.store.readable_json import readable_json
from unknot.store.typed_json import PLAIN, ErrorTemplate, Fault, JsonReader, Problem, explained, load
from unknot.store.web_model_checks import check_model, with_pages_of_components
from unknot.store.web_model_counts import Counts, counts_of, with_counts

FORMAT = 1
_MOST_BYTES = 50_000_000

_Pairs = tuple[tuple[str, str], ...]
"""Names, each with a value: an object in the file."""

_INLINED: Mapping[type, tuple[str, ...]] = {PageAction: ("action",)}
_COUNTED: Mapping[type, tuple[str, ...]] = {
    WebPage: ("visits",),
    PageAction: ("tries", "worked"),
    Destination: ("count",),
    Guard: ("held", "failed"),
}
"""Members that stand in `counts`."""
_DERIVED: Mapping[type, tuple[str, ...]] = {Component: ("pages",)}
"""Members that follow from others."""

_AGAIN = "run unknot crawl again"
_ERRORS: Mapping[Problem, ErrorTemplate] = {
    "missing": ErrorTemplate(slug="web-model-missing", hint="run unknot crawl first"),
    "other format": ErrorTemplate(slug="web-model-newer", hint="upgrade unknot", error=NewerFormatError),
    "damaged": ErrorTemplate(slug="web-model-damaged", hint=f"restore the file from version control, or {_AGAIN}"),
}


def dumps(model: WebModel) -> str:
    """The text of the file, of `portable(model)`. Guarantee: equal models give the same text, and `from_json` gives the
    model back."""
    model = portable(model)
    document = {
        "format": FORMAT,
        "tool": f"unknot {__version__}",
        **_object(model),
        "counts": _object(counts_of(model)),
    }
    return readable_json(document)


def write_web_model(path: Path, model: WebModel) -> None:
    """Replaces the file whole or not at all. Raises StorageError."""
    write_atomically(path, dumps(model))


def read_web_model(path: Path) -> WebModel:
    """The model in the file, fully checked. Raises StorageError, which names the file, the place in it, what is wrong
    there and what to do."""
    with explained(path, _ERRORS):
        return from_json(load(path, most_bytes=_MOST_BYTES))


def from_json(document: Any) -> WebModel:
    """The model in these JSON values. Raises Fault, for unknown members too.

    Guarantee: kinds of pages, components, and keys of the actions of one place are unique; what one part of the model
    says of another part exists.
    """
    number = PLAIN.read(int, document, "format")
    if number != FORMAT:
        raise Fault(f"{number} is unknown; this unknot knows format {FORMAT}", ".format", "other format")
    PLAIN.read(str, document, "tool")
    counts = _READER.read(Counts, document, "counts")
    rest = {name: value for name, value in document.items() if name not in ("format", "tool", "counts")}
    model = _READER.read(WebModel, rest)
    check_model(model)
    return with_counts(with_pages_of_components(model), counts)


def _object(value: Any) -> dict[str, Any]:
    """Members that have their default are left out."""
    kind: Any = type(value)
    left_out = {*_COUNTED.get(kind, ()), *_DERIVED.get(kind, ())}
    found: dict[str, Any] = {}
    for member in fields(kind):
        content = getattr(value, member.name)
        if member.name in left_out or content == member.default:
            continue
        if member.name in _INLINED.get(kind, ()):
            found |= _object(content)
        else:
            found[member.name] = _written(_hints(kind)[member.name], content)
    return found


def _written(kind: Any, value: Any) -> Any:
    if kind == _Pairs:
        return dict(value)
    if is_dataclass(value):
        return _object(value)
    if isinstance(value, tuple):
        return [_written(get_args(kind)[0], each) for each in value]
    if isinstance(value, Mapping):
        return {key: _written(get_args(kind)[1], each) for key, each in value.items()}
    return value


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _pairs(value: Any) -> _Pairs:
    return tuple(PLAIN.read(dict[str, str], value).items())


def _check_elsewhere(value: Any) -> None:
    """Members that have another place in the file have their default here."""
    defaults = {member.name: member.default for member in fields(value)}
    for name in (*_COUNTED.get(type(value), ()), *_DERIVED.get(type(value), ())):
        if getattr(value, name) != defaults[name]:
            raise Fault("does not belong here, see `counts`", f".{name}")


_READER = JsonReader(
    special={_Pairs: _pairs},
    checks=dict.fromkeys((*_COUNTED, *_DERIVED), _check_elsewhere),
    inlined=_INLINED,
    strict=True,
)
