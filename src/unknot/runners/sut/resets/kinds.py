"""All kinds of resets by name."""

import difflib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from unknot.model.errors import UsageError
from unknot.runners.sut.commands import InstanceContext
from unknot.runners.sut.resets.calls import CommandReset, HttpReset, RestartReset
from unknot.runners.sut.resets.directory import DirectoryReset
from unknot.runners.sut.resets.mariadb import MariadbReset
from unknot.runners.sut.resets.postgresql import PostgresqlReset
from unknot.runners.sut.resets.protocol import Reset, ResetOptions
from unknot.runners.sut.resets.sqlite import SqliteReset
from unknot.runners.sut.spec import ResetSpec

KINDS: Mapping[str, type[Reset]] = MappingProxyType(
    {
        "restart": RestartReset,
        "command": CommandReset,
        "http": HttpReset,
        "directory": DirectoryReset,
        "sqlite": SqliteReset,
        "postgresql": PostgresqlReset,
        "mariadb": MariadbReset,
    }
)


def check_reset(spec: ResetSpec, where: str = "") -> None:
    """Whether kind and options are known and all there; a UsageError says what is not. `where` names the file and key
    that they come from. Their values are checked by `make_reset`, when the placeholders are known."""
    place = f"{where}: " if where else ""
    if spec.kind not in KINDS:
        raise _wrong(f"{place}unknown reset {spec.kind!r}{_nearest(spec.kind, KINDS)}", _listed(KINDS))
    kind = KINDS[spec.kind]
    given = [name for name, _ in spec.options]
    for name in given:
        if name not in kind.OPTIONS:
            nearest = _nearest(name, kind.OPTIONS)
            raise _wrong(f"{place}reset {spec.kind!r} has no option {name!r}{nearest}", _listed(kind.OPTIONS))
        if given.count(name) > 1:
            raise _wrong(f"{place}reset {spec.kind!r} is given {name!r} twice", "leave one of them out")
    for name in kind.REQUIRED:
        if not dict(spec.options).get(name):
            raise _wrong(f"{place}reset {spec.kind!r} needs the option {name!r}", "see docs/reference/resets.md")


def make_reset(spec: ResetSpec, context: InstanceContext) -> Reset:
    """Does nothing to the instance yet. A wrong kind, option or value is a UsageError."""
    check_reset(spec)
    return KINDS[spec.kind](ResetOptions(spec, context), context)


def _wrong(why: str, hint: str) -> UsageError:
    return UsageError(why, hint=hint, slug="reset-config")


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _listed(known: Iterable[str]) -> str:
    return f"there are {names}" if (names := ", ".join(sorted(known))) else "it has no options"
