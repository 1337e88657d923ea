"""All kinds of resets by name."""

import difflib
from collections.abc import Callable, Mapping
from types import MappingProxyType

from unknot.model.errors import UsageError
from unknot.runners.sut.resets.by_command import CommandReset, RestartReset
from unknot.runners.sut.resets.by_http import HttpReset
from unknot.runners.sut.resets.directory import DirectoryReset
from unknot.runners.sut.resets.mariadb import MariadbReset
from unknot.runners.sut.resets.postgresql import PostgresqlReset
from unknot.runners.sut.resets.protocol import Reset, ResetContext, ResetOptions
from unknot.runners.sut.resets.sqlite import SqliteReset
from unknot.runners.sut.spec import ResetSpec

_MAKERS: Mapping[str, Callable[[ResetOptions, ResetContext], Reset]] = MappingProxyType(
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

KINDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "restart": frozenset(),
        "command": frozenset({"run"}),
        "http": frozenset({"url", "method"}),
        "directory": frozenset({"path", "live", "links"}),
        "sqlite": frozenset({"file"}),
        "postgresql": frozenset(
            {"url", "host", "port", "user", "password", "dbname", "maintenance", "strategy", "share"}
        ),
        "mariadb": frozenset({"socket", "host", "port", "user", "password", "database"}),
    }
)
"""The options of each kind."""

REQUIRED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "command": frozenset({"run"}),
        "http": frozenset({"url"}),
        "sqlite": frozenset({"file"}),
        "mariadb": frozenset({"database"}),
    }
)
"""Those that a kind cannot do without."""


def check_reset(spec: ResetSpec, where: str = "") -> None:
    """Whether kind and options are known and all there; a UsageError says what is not. `where` names the file and key
    that they come from. Their values are looked at by `make_reset`, when the placeholders are known."""
    place = f"{where}: " if where else ""
    if spec.kind not in KINDS:
        raise UsageError(
            f"{place}unknown reset {spec.kind!r}{_nearest(spec.kind, KINDS)}", hint=_listed(KINDS), slug="reset-config"
        )
    known = KINDS[spec.kind]
    given = [name for name, _ in spec.options]
    for name in given:
        if name not in known:
            raise UsageError(
                f"{place}reset {spec.kind!r} has no option {name!r}{_nearest(name, known)}",
                hint=_listed(known),
                slug="reset-config",
            )
        if given.count(name) > 1:
            raise UsageError(
                f"{place}reset {spec.kind!r} is given {name!r} twice", hint="leave one of them out", slug="reset-config"
            )
    for name in sorted(REQUIRED.get(spec.kind, frozenset())):
        if not dict(spec.options).get(name):
            raise UsageError(
                f"{place}reset {spec.kind!r} needs the option {name!r}",
                hint="see docs/reference/resets.md",
                slug="reset-config",
            )


def make_reset(spec: ResetSpec, placed: ResetContext) -> Reset:
    """Does nothing to the instance yet. A wrong kind, option or value is a UsageError."""
    check_reset(spec)
    return _MAKERS[spec.kind](ResetOptions(spec, placed), placed)


def _nearest(name: str, known: Mapping[str, object] | frozenset[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _listed(known: Mapping[str, object] | frozenset[str]) -> str:
    return f"there are {', '.join(sorted(known))}" if known else "it has no options"
