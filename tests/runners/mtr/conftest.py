"""The shape of an installation of MariaDB, and where there is one a slot that really runs its test runner."""

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from unknot.model.suite import TestId
from unknot.runners.command.slot import CommandSlotSpec
from unknot.runners.mtr.config import mtr_spec
from unknot.runners.sandbox.sandbox import Sandbox, make_home
from unknot.runners.settings import Settings
from unknot.runners.workers.slot import Answered, answers

NUMBER = 40 + os.getpid() % 300
"""Of the slot: other runs of these tests may go on at the same time."""

Ask = Callable[[Sequence[str]], Answered]
Open = Callable[..., Ask]


@pytest.fixture
def installation(tmp_path: Path) -> Path:
    """The directory of a mysql-test-run.pl that never runs, with two suites."""
    base = tmp_path / "usr"
    tests = base / "share" / "mysql" / "mysql-test"
    for suite in ("json", "gcol"):
        (tests / "suite" / suite / "t").mkdir(parents=True)
        (tests / "suite" / suite / "t" / "one.test").write_text("SELECT 1;\n")
    (tests / "main").mkdir()
    (tests / "include").mkdir()
    (tests / "mysql-test-run.pl").write_text("exit 1;\n")
    for place, name, text in (
        ("sbin", "mariadbd", "echo 'mariadbd  Ver 1.2.3 for a test'"),
        ("bin", "mariadb-admin", "exit 0"),
    ):
        (base / place).mkdir()
        (base / place / name).write_text(f"#!/bin/sh\n{text}\n")
        (base / place / name).chmod(0o755)
    return tests


@pytest.fixture
def needs_mtr() -> None:
    if not Path("/usr/share/mysql/mysql-test/mysql-test-run.pl").is_file() or shutil.which("perl") is None:
        pytest.skip("MariaDB's test suite (Debian: mariadb-test) is not installed")


@pytest.fixture
def number() -> int:
    return NUMBER


@pytest.fixture
def open_slot(needs_mtr: None) -> Iterator[Open]:
    """Opens a slot of real servers for a project; asks it one order."""
    closing: list[Callable[[], None]] = []

    def opened(project: Path, suite: str, table: Mapping[str, object] | None = None) -> Ask:
        command, instance = mtr_spec(table or {}, [suite], "unknot.toml: [mtr]", project)
        home = make_home()
        closing.append(lambda: shutil.rmtree(home, ignore_errors=True))
        sandbox = Sandbox(home, NUMBER, {"UNKNOT_SLOT": secrets.token_hex(8)})
        slot = CommandSlotSpec(command, instance, Settings(project, timeout=120.0)).open(sandbox)
        closing.append(slot.close)

        def ask(order: Sequence[str]) -> Answered:
            (answered,) = answers(slot.answer([tuple(map(TestId, order))], shares=False))
            return answered

        return ask

    yield opened
    for close in reversed(closing):
        close()
