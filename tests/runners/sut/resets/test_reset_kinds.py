"""What a user can say about a reset, and what cannot be meant."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from unknot.model.errors import UsageError
from unknot.runners.sut.commands import InstanceContext
from unknot.runners.sut.resets.kinds import KINDS, check_reset, make_reset
from unknot.runners.sut.spec import ResetSpec

_LEAST: dict[str, dict[str, str]] = {
    "restart": {},
    "command": {"run": "true"},
    "http": {"url": "http://127.0.0.1:{port0}/"},
    "directory": {},
    "sqlite": {"file": "{dir}/a.db"},
    "postgresql": {"dbname": "app"},
    "mariadb": {"database": "app"},
}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_can_be_made_and_says_what_it_can(kind: str, placed: InstanceContext) -> None:
    reset = make_reset(ResetSpec(kind, tuple(_LEAST[kind].items())), placed)
    forks = {"directory", "sqlite", "mariadb"}
    assert (reset.needs_stop, reset.can_fork) == (kind in ("restart", "directory"), kind in forks)


@pytest.mark.parametrize("kind", ["command", "http", "mariadb", "sqlite"])
def test_what_a_kind_cannot_do_without_is_named(kind: str) -> None:
    with pytest.raises(UsageError, match=f"unknot.toml: reset '{kind}' needs the option '{KINDS[kind].REQUIRED[0]}'"):
        check_reset(ResetSpec(kind), "unknot.toml")


@pytest.mark.parametrize(
    ("kind", "options", "said"),
    [
        ("restrat", {}, "unknown reset 'restrat'; did you mean 'restart'?"),
        ("nothing-like-it", {}, "unknown reset 'nothing-like-it'"),
        ("restart", {"run": "true"}, "reset 'restart' has no option 'run'"),
        ("sqlite", {"files": "a"}, "has no option 'files'; did you mean 'file'?"),
        ("command", {"run": "echo 'open"}, "'run' cannot be split into words"),
        ("command", {"run": ("echo", "{prot0}")}, "'run' has the unknown placeholder {prot0}"),
        ("directory", {"live": "perhaps"}, "'live' is true or false, not 'perhaps'"),
        ("directory", {"path": ("a", "b")}, "'path' is one text, not 2"),
        ("directory", {"path": "/etc"}, "'path' is /etc, which is not below"),
        ("directory", {"path": "{dir}/../store"}, "which is not below"),
        ("directory", {"path": "."}, "which is not below"),
        ("directory", {"live": "true", "links": "true"}, "'links' cannot be true together with `live`"),
        ("sqlite", {"file": "../elsewhere.db"}, "which is not below"),
        ("sqlite", {"file": ("{dir}/a.db", "")}, "'file' names no file"),
        ("http", {"url": "https://127.0.0.1/"}, "which is no http address of this machine"),
        ("http", {"url": "http://example.org/"}, "which is no http address of this machine"),
        ("http", {"url": "http://127.0.0.1@example.org/"}, "which is no http address of this machine"),
        ("http", {"url": "http://127.0.0.1:{port0}/a b"}, "which is no http address of this machine"),
        ("http", {"url": "http://127.0.0.1:many/"}, "'url' is"),
        ("http", {"url": "http://127.0.0.1/", "method": "GET /"}, "not a method such as POST"),
        ("postgresql", {}, "'dbname' names no database"),
        ("postgresql", {"dbname": "postgres"}, "which cannot be dropped"),
        ("postgresql", {"url": "mysql://localhost/app"}, "does not start with postgresql://"),
        ("postgresql", {"url": "postgresql://localhost/template1"}, "which cannot be dropped"),
        ("postgresql", {"dbname": "app", "strategy": "quick"}, "is wal_log or file_copy"),
        ("mariadb", {"database": "mysql"}, "which cannot be put back"),
        ("mariadb", {"database": ("app", "--all-databases")}, "which cannot be put back"),
        ("mariadb", {"database": "app", "socket": "/s", "port": "1"}, "together with host or port"),
    ],
)
def test_a_mistake_is_named(kind: str, options: dict[str, Any], said: str, placed: InstanceContext) -> None:
    with pytest.raises(UsageError) as caught:
        make_reset(ResetSpec(kind, tuple(options.items())), placed)
    assert said in caught.value.message
    assert caught.value.hint


def test_an_option_given_twice_is_named() -> None:
    with pytest.raises(UsageError, match="is given 'run' twice"):
        check_reset(ResetSpec("command", (("run", "a"), ("run", "b"))))


def test_a_directory_that_holds_the_store_is_refused(placed: InstanceContext) -> None:
    inside = dataclasses.replace(placed, store=placed.directory / "store")
    with pytest.raises(UsageError, match="holds unknot's own files"):
        make_reset(ResetSpec("directory"), inside)


def test_a_link_does_not_lead_out_of_the_instance(placed: InstanceContext, tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (placed.directory / "data").symlink_to(tmp_path / "precious")
    with pytest.raises(UsageError, match="which is not below"):
        make_reset(ResetSpec("directory", (("path", "{dir}/data"),)), placed)


def test_a_database_whose_connections_are_cut_is_forked_only_if_the_user_says_so(placed: InstanceContext) -> None:
    assert make_reset(ResetSpec("postgresql", (("dbname", "app"), ("share", "true"))), placed).can_fork
