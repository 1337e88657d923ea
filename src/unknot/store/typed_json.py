"""The one way to read JSON that may be damaged, edited by hand or not ours: into typed values, or refused with the
file, the place in it, what was expected there and what to do.

A type says what a document must hold: `PLAIN.read(Cost, document, "cost")`. Unknown members are ignored, so that a
later version may add some, unless the reader is `strict`.

Why not a library: msgspec, the best candidate, deletes about a hundred lines here and none of the checks that need the
suite. It accepts a key that occurs twice (merged lock files have them), rejects the lone surrogates that unknot itself
writes for file names that are not UTF-8, rejects a byte order mark, names neither the line of a syntax error nor the
key of a mapping, and skips bytes that are not UTF-8 in members it does not know. Its one advantage is speed: 0.03 s
against 0.14 s for a lock file of 10,000 tests, once per command.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from itertools import repeat
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NewType, TypeVar, cast, get_args, get_origin, get_type_hints

from unknot.model.errors import StorageError, UnknotError
from unknot.model.sanitise import shown

_MOST_SECONDS = 1e12
"""Thirty thousand years: sums of it are still numbers."""

_T = TypeVar("_T")
_Converter = Callable[[Any], Any]

Problem = Literal["missing", "unreadable", "too large", "not UTF-8", "other format", "damaged"]


class Fault(Exception):
    """The document is not what it should be: `what` completes the sentence that begins with `where`, the JSON path,
    such as `needs[3].any_of`; the path of the whole document is empty."""

    def __init__(self, what: str, where: str = "", problem: Problem = "damaged") -> None:
        super().__init__(what, where)
        self.what = what
        self.problem: Problem = problem
        self._where = where

    @property
    def where(self) -> str:
        return self._where.removeprefix(".")

    def inside(self, step: str) -> "Fault":
        """The same fault seen from further outside: a step is `.member`, `[3]` or `["key"]`."""
        self._where = step + self._where
        return self

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


@contextmanager
def at(step: str) -> Iterator[None]:
    """Faults inside the block are faults of this part of the document."""
    try:
        yield
    except Fault as fault:
        raise fault.inside(step) from None


def entry(key: str) -> str:
    """The step to a member of an object whose keys are data, such as test ids."""
    return f'["{shown(key)}"]'


@dataclass(frozen=True)
class ErrorTemplate:
    """The error for one problem with one kind of file."""

    slug: str
    hint: str
    error: type[UnknotError] = StorageError
    message: str = "{path}: {fault}"


UNREADABLE = ErrorTemplate(
    slug="file-unreadable", hint="check that it is a file that you may read", message="cannot read {path}: {fault}"
)


@contextmanager
def explained(path: Path, explanations: Mapping[Problem, ErrorTemplate]) -> Iterator[None]:
    """A fault inside the block leaves it as the error that is given for its problem, or else for a damaged file."""
    try:
        yield
    except Fault as fault:
        known = {"unreadable": UNREADABLE, **explanations}
        found = known.get(fault.problem, known["damaged"])
        message = found.message.format(path=shown(str(path)), fault=fault)
        raise found.error(message, hint=found.hint, slug=found.slug) from fault


def state_errors(what: str, hint: str) -> Mapping[Problem, ErrorTemplate]:
    """For a file of the state directory that unknot alone writes."""
    written = f"{{path}}: the {what} was written by another version ({{fault}})"
    return {
        "missing": ErrorTemplate(slug="state-missing", hint=hint, message=f"{{path}}: there is no {what} of the suite"),
        "other format": ErrorTemplate(slug="state-other-version", hint=hint, message=written),
        "damaged": ErrorTemplate(
            slug="state-damaged", hint=hint, message=f"{{path}}: the {what} is damaged ({{fault}})"
        ),
    }


def load(path: Path, *, known_format: int | None = None, most_bytes: int = -1) -> Any:
    """The JSON values in a file. Reads little more than `most_bytes`: the path may lead to a pipe or a device that
    never ends. Raises Fault."""
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes + 1 if most_bytes >= 0 else -1)
    except FileNotFoundError:
        raise Fault("there is no such file", problem="missing") from None
    except (OSError, ValueError) as error:
        # A path with a NUL in it is a ValueError.
        raise Fault(str(getattr(error, "strerror", None) or error), problem="unreadable") from error
    if 0 <= most_bytes < len(data):
        raise Fault(f"more than {most_bytes // 1_000_000} MB", problem="too large")
    try:
        document = parsed(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Fault(f"not UTF-8 (byte {error.start})", problem="not UTF-8") from error
    if known_format is not None:
        _check_format(document, known_format)
    return document


def parsed(text: str) -> Any:
    """The values in the text. Stricter than Python's own reader: no NaN, no key twice in one object. Raises Fault."""
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise Fault(f"not JSON: {error.msg}, line {error.lineno} column {error.colno}") from error
    except RecursionError as error:
        raise Fault("not JSON of ours: nested too deeply") from error
    except ValueError as error:
        # A whole number of more digits than Python converts.
        raise Fault("not JSON of ours: a number too large") from error


def _no_constant(name: str) -> float:
    raise Fault(f"not JSON: {name} is no number")


def _object(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Fault(f'the key "{shown(twice)}" stands twice in one object')
    return found


def _check_format(document: object, known: int) -> None:
    try:
        number = PLAIN.read(int, document, "format")
    except Fault as fault:
        raise Fault(fault.what, fault.where, "other format") from None
    if number != known:
        raise Fault(f"{number} is unknown; this unknot knows format {known}", ".format", "other format")


def to_rows(values: Iterable[Any], special: Mapping[Any, Callable[[Any], object]]) -> list[list[object]]:
    """Values of one dataclass as lists of all their fields, in order; `special` writes fields of some types. A reader
    with the same `rows` and the reverse of `special` gives them back."""

    def column(kind: Any, value: Any) -> object:
        if kind in special:
            return special[kind](value)
        return to_rows(value, special) if isinstance(value, tuple) and value and is_dataclass(value[0]) else value

    rows = list(values)
    members = fields(rows[0]) if rows else ()
    return [[column(member.type, getattr(row, member.name)) for member in members] for row in rows]


def pick(values: Sequence[_T]) -> Callable[[Any], _T]:
    """Reads a position in `values` as the value there."""

    def picked(position: Any) -> _T:
        number = _whole_number(position)
        if number >= len(values):
            raise Fault(f"there is no entry {number}, only {len(values)}")
        return values[number]

    return picked


class JsonReader:
    """Reads JSON values as what a type says: `str`, `bool`, whole numbers from 0 (`int`), seconds (`float`), string
    enums, `tuple[X, ...]`, `tuple[X, Y]`, `frozenset[X]`, `Mapping[K, V]`, `X | None`, NewTypes of these, and
    dataclasses as objects. A dataclass may have members of its own type.

    `special` replaces the reading of a type, `checks` adds to it; both raise Fault with a path from there. `rows` are
    dataclasses that are written as lists of all their fields, in order. `required` names members that must be there
    although the dataclass has a default for them. `inlined` names members, dataclasses themselves, whose members stand
    beside those of the object around. `strict` refuses unknown members.
    """

    def __init__(
        self,
        *,
        special: Mapping[Any, _Converter] | None = None,
        checks: Mapping[Any, Callable[[Any], None]] | None = None,
        rows: Collection[type] = (),
        required: Mapping[type, Collection[str]] | None = None,
        inlined: Mapping[type, Collection[str]] | None = None,
        strict: bool = False,
    ) -> None:
        self._converters: dict[Any, _Converter] = dict(special or {})
        self._checks = checks or {}
        self._rows = rows
        self._required = required or {}
        self._inlined = inlined or {}
        self._strict = strict

    def read(self, kind: type[_T], value: Any, *members: str) -> _T:
        """The value, or a member of a member of it. Raises Fault."""
        where = ""
        for name in members:
            if not isinstance(value, dict):
                raise expected("an object", value).inside(where)
            where += f".{name}"
            if name not in value:
                raise Fault("missing", where)
            value = value[name]
        with at(where):
            try:
                return cast(_T, self._converter(kind)(value))
            except RecursionError:
                raise Fault("nested too deeply") from None

    def _converter(self, kind: Any) -> _Converter:
        if kind not in self._converters:
            # A type may hold itself.
            self._converters[kind] = lambda value: self._converters[kind](value)
            made = self._made(kind)
            check = self._checks.get(kind)
            self._converters[kind] = made if check is None else _checked(made, check)
        return self._converters[kind]

    def _made(self, kind: Any) -> _Converter:
        if kind in _SCALARS:
            return _SCALARS[kind]
        if isinstance(kind, NewType):
            return self._converter(kind.__supertype__)
        if is_dataclass(kind):
            return self._record(cast(type, kind))
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return _choice(kind)
        origin, arguments = get_origin(kind), get_args(kind)
        first = self._converter(arguments[0])
        if origin is UnionType and arguments[1:] == (NoneType,):
            return lambda value: None if value is None else first(value)
        if origin in (Mapping, dict):
            return _mapping(first, self._converter(arguments[1]))
        if origin is tuple and arguments[1:] != (...,):
            return _list([self._converter(argument) for argument in arguments], tuple)
        return _list(repeat(first), origin)

    def _record(self, kind: type) -> _Converter:
        hints = get_type_hints(kind)
        converters = {member.name: self._converter(hints[member.name]) for member in fields(kind)}
        if kind in self._rows:
            return _list(list(converters.values()), lambda values: kind(*values))
        inlined = {name: _members(hints[name]) for name in self._inlined.get(kind, ())}
        known = _members(kind).difference(inlined).union(*inlined.values())
        required = {
            member.name for member in fields(kind) if member.default is MISSING and member.default_factory is MISSING
        }.union(self._required.get(kind, ()))

        def convert(value: Any) -> Any:
            if not isinstance(value, dict):
                raise expected("an object", value)
            if self._strict:
                _check_known(value, known)
            found = {}
            for name, member in converters.items():
                if name in inlined:
                    found[name] = member({inner: value[inner] for inner in value if inner in inlined[name]})
                elif name in value:
                    try:
                        found[name] = member(value[name])
                    except Fault as fault:
                        raise fault.inside(f".{name}") from None
                elif name in required:
                    raise Fault("missing", f".{name}")
            return kind(**found)

        return convert


def _members(kind: Any) -> frozenset[str]:
    return frozenset(member.name for member in fields(kind))


def _check_known(value: Mapping[str, Any], known: Collection[str]) -> None:
    for name in value:
        if name not in known:
            raise Fault(f"unknown; known here are {', '.join(sorted(known))}", f".{shown(name)}")


def _checked(made: _Converter, check: Callable[[Any], None]) -> _Converter:
    def convert(value: Any) -> Any:
        found = made(value)
        check(found)
        return found

    return convert


def _list(converters: Iterable[_Converter], made: Callable[[Any], Any]) -> _Converter:
    """A list with one converter for each element; with an endless iterable, of any length."""

    def convert(value: Any) -> Any:
        if not isinstance(value, list):
            raise expected("a list", value)
        if isinstance(converters, list) and len(value) != len(converters):
            raise Fault(f"must have {len(converters)} members, has {len(value)}")
        found: list[Any] = []
        try:
            # The list in front, so that its end is seen before a converter is taken.
            for element, converted in zip(value, converters, strict=False):
                found.append(converted(element))
        except Fault as fault:
            raise fault.inside(f"[{len(found)}]") from None
        return made(found)

    return convert


def _mapping(read_key: _Converter, read_value: _Converter) -> _Converter:
    def convert(value: Any) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise expected("an object", value)
        found = {}
        key = ""
        try:
            for key, element in value.items():
                found[read_key(key)] = read_value(element)
        except Fault as fault:
            raise fault.inside(entry(key)) from None
        return found

    return convert


def _choice(kind: type[StrEnum]) -> _Converter:
    known = {member.value: member for member in kind}
    noun = re.sub(r"\B[A-Z]", r" \g<0>", kind.__name__).lower()

    def convert(value: Any) -> StrEnum:
        name = _text(value)
        if name not in known:
            raise Fault(f"unknown {noun} {shown(name)!r}; known are {', '.join(known)}")
        return known[name]

    return convert


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise expected("a string", value)
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise expected("true or false", value)
    return value


def _whole_number(value: Any) -> int:
    # In Python true is an int too; in JSON it is no number.
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise expected("a whole number, 0 or more", value)
    return value


def _seconds(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= _MOST_SECONDS:
        raise expected("a number of seconds, 0 or more", value)
    return float(value)


_SCALARS: Mapping[type, _Converter] = {str: _text, bool: _truth, int: _whole_number, float: _seconds}


def expected(wanted: str, value: object) -> Fault:
    if isinstance(value, bool) or value is None:
        found = json.dumps(value)
    elif isinstance(value, int | float):
        found = f"the number {value!r}" if abs(value) < 1e15 else "a number too large"
    else:
        found = "a string" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"
    return Fault(f"must be {wanted}, is {found}")


PLAIN = JsonReader()
"""For documents whose values need no further checks."""
