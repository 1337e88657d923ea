"""Locations that a test restores, and entries that disappear with what they refer to, in the first look."""

from pathlib import Path

from unknot.app.recording.suite_recorder import record
from unknot.model.recording import Account, Recording
from unknot.runners.settings import Settings

_RESTORED = """
open_orders = set()

def test_polluter():
    open_orders.add(1)

def test_cleaner():
    open_orders.discard(1)

def test_reader():
    assert 1 not in open_orders
"""

_WEAK = """
import weakref

class Sender:
    pass

senders, listeners = [], {}

def test_writer():
    senders.append(Sender())
    listeners["one"] = weakref.ref(senders[0], lambda gone: listeners.pop("one"))

def test_end():
    senders.clear()

def test_reader():
    assert "one" not in listeners
"""


def _recorded(directory: Path, source: str) -> Recording:
    (directory / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (directory / "test_it.py").write_text(source, encoding="utf-8")
    return record(Settings(directory), looks=1)


def _account(found: Recording, name: str) -> Account:
    (account,) = (each for each in found.accounts if each.location.name.startswith(f"test_it.{name}"))
    return account


def test_reads_of_what_was_restored_are_recorded(tmp_path: Path) -> None:
    found = _recorded(tmp_path, _RESTORED)
    account = _account(found, "open_orders")
    assert [write.restored for write in account.writes] == [False, True]
    assert "test_it.py::test_reader" in {read.test for read in account.reads}
    assert found.has_cleaners


def test_a_weak_reference_that_has_ended_was_restored_by_no_test(tmp_path: Path) -> None:
    account = _account(_recorded(tmp_path, _WEAK), "listeners")
    assert [write.test for write in account.writes] == ["test_it.py::test_writer"]
