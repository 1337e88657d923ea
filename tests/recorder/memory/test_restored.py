"""Locations that a test restores, and entries that disappear with what they refer to, in the first look."""

from pathlib import Path

import pytest

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


_UNCHANGED = """
import shop, os

def test_early():
    shop.tags.discard("red")

def test_set():
    shop.tags.add("red")
    shop.prices["apple"] = [1]
    shop.count = 5
    os.environ["SHOP"] = "open"

def test_again():
    shop.tags.add("red")
    shop.prices["apple"] = [1]
    shop.count = 5
    os.environ["SHOP"] = "open"

def test_patched(monkeypatch):
    monkeypatch.setattr(shop, "count", 6)
    monkeypatch.setitem(shop.prices, "apple", [2])
    monkeypatch.setenv("SHOP", "shut")

def test_reader():
    assert "red" in shop.tags and shop.prices["apple"] and shop.count and os.environ["SHOP"]
"""


def _recorded(directory: Path, source: str, looks: int = 1) -> Recording:
    (directory / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    (directory / "shop.py").write_text("tags, prices, count = set(), {}, 0\n", encoding="utf-8")
    (directory / "test_it.py").write_text(source, encoding="utf-8")
    return record(Settings(directory), looks=looks)


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


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("shop.tags{'red'}", 'shop.tags.add("red")'),
        ("shop.prices['apple']", 'shop.prices["apple"] = [1]'),
        ("shop.count", "shop.count = 5"),
        ("os.environ['SHOP']", 'os.environ["SHOP"] = "open"'),
    ],
)
def test_a_test_that_writes_what_is_there_already_is_a_writer(tmp_path: Path, name: str, source: str) -> None:
    found = _recorded(tmp_path, _UNCHANGED)
    (account,) = (each for each in found.accounts if each.location.name == name)
    assert [write.test for write in account.writes] == ["test_it.py::test_set", "test_it.py::test_again"]
    (flow,) = (each for each in found.flows if each.location.name == name and each.reader == "test_it.py::test_reader")
    assert flow.writer == "test_it.py::test_again"
    lines = _UNCHANGED.splitlines()
    assert {lines[frame.line - 1].strip() for frame in flow.written if frame.file == "test_it.py"} == {source}


def test_a_test_that_cleans_up_before_anyone_has_written_shows_in_the_second_look(tmp_path: Path) -> None:
    found = _recorded(tmp_path, _UNCHANGED, looks=2)
    (account,) = (each for each in found.accounts if each.location.name == "shop.tags{'red'}")
    assert next((write.test, write.restored) for write in account.writes) == ("test_it.py::test_early", True)


_MANY = """
import shop

def test_fill():
    shop.tags.update(range(50))

def test_add():
    shop.tags.add("red")

def test_reads_one():
    assert 7 in shop.tags

def test_counts():
    assert len(shop.tags) >= 50
"""


def test_a_read_of_a_whole_container_with_many_entries_is_one_read(tmp_path: Path) -> None:
    found = _recorded(tmp_path, _MANY)
    flows = {(flow.location.name, flow.writer, flow.reader) for flow in found.flows}
    assert flows == {
        ("shop.tags{7}", "test_it.py::test_fill", "test_it.py::test_reads_one"),
        ("shop.tags", "test_it.py::test_add", "test_it.py::test_counts"),
    }
    (account,) = (each for each in found.accounts if each.location.name == "shop.tags")
    assert [write.test for write in account.writes] == ["test_it.py::test_fill", "test_it.py::test_add"]
