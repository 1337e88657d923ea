"""Whatever a module holds, a snapshot ends within its limits and reports what it has left out."""

import sys
import types

import pytest
from walked_module import WalkedModule

from unknot.recorder.native._heap import Heap


def test_a_long_list_is_compared_from_both_ends() -> None:
    shop = WalkedModule("BIG = list(range(100_000))")

    assert shop.heap.notes == ["shop.BIG: a list of 100,000 entries, of which 20,000 were compared"]
    assert shop.names_after("BIG.append(1)") == ["shop.BIG"]
    assert shop.names_after("BIG[3] = 0") == ["shop.BIG"]
    assert shop.names_after("BIG[-3] = 0") == ["shop.BIG"]
    assert len(shop.heap.notes) == 1


def test_a_long_dictionary_is_compared_from_both_ends() -> None:
    shop = WalkedModule("BIG = {number: number for number in range(50_000)}")

    assert shop.heap.notes == ["shop.BIG: a dict of 50,000 entries, of which 20,000 were compared"]
    assert shop.names_after("BIG[5] = 0") == ["shop.BIG[5]"]
    assert shop.names_after("BIG[49_999] = 0") == ["shop.BIG[49999]"]
    assert "shop.BIG['new']" in shop.names_after("BIG['new'] = 0")


@pytest.mark.parametrize("made", ["set(range(50_000))", "collections.deque(range(50_000))"])
def test_other_long_containers(made: str) -> None:
    shop = WalkedModule(f"import collections; BIG = {made}")

    assert len(shop.heap.notes) == 1
    assert shop.names_after("BIG.pop()") == ["shop.BIG"]


@pytest.mark.parametrize(
    ("made", "end"), [("b'x' * 10_000_000", "b'y'"), ("'x' * 1_000_000", "'y'"), ("bytearray(1_000_000)", "b'y'")]
)
def test_long_bytes_and_strings_count_by_length_head_and_tail(made: str, end: str) -> None:
    shop = WalkedModule(f"BIG = {made}")

    assert len(shop.heap.notes) == 1
    assert shop.heap.notes[0].startswith("shop.BIG: a")
    assert shop.after(f"BIG = {made}") == []
    assert shop.names_after("BIG = BIG[:-1] + BIG[:2]") == ["shop.BIG"]
    assert shop.names_after(f"BIG = BIG[:-1] + {end}") == ["shop.BIG"]


def test_more_small_objects_than_the_limit() -> None:
    shop = WalkedModule(
        """
        class Point:
            def __init__(self, x):
                self.x = x
        POINTS = [[Point(number) for number in range(1000)] for _ in range(200)]
        FIRST = {}
        """,
        most_entries=200_000,
    )

    assert shop.heap.entries < 220_000
    assert shop.heap.notes == ["more than 200,000 entries in all: what lies farthest from the modules was not examined"]
    assert shop.heap.memory / shop.heap.entries < 60
    assert shop.compare() == []
    assert shop.names_after("FIRST['x'] = 1") == ["shop.FIRST['x']"]


def test_what_was_not_entered_before_is_no_change() -> None:
    shop = WalkedModule("LISTS = [[number] for number in range(1000)]; SPACE = list(range(500))", most_entries=1500)

    assert shop.names_after("SPACE.clear()") == ["shop.SPACE"]
    assert shop.names_after("SPACE.extend(range(500))") == ["shop.SPACE"]


def test_graphs_that_lead_back_to_themselves() -> None:
    shop = WalkedModule("""
        class Node:
            def __init__(self, name):
                self.name, self.me, self.others = name, self, []
        LOOP = []
        LOOP.append(LOOP)
        A, B = Node("a"), Node("b")
        A.others.append(B)
        B.others.append(A)
        SELF = {}
        SELF["self"] = SELF
        TUPLE = ([],)
        TUPLE[0].append(TUPLE)
        """)

    assert shop.compare() == []
    assert shop.names_after("B.name = 'c'") == ["shop.B.name"]
    assert shop.names_after("A = Node('a'); B = Node('c'); A.others.append(B); B.others.append(A)") == []
    (change,) = shop.after("LOOP.append(1)")
    assert change.shown.startswith("[[[")
    assert shop.heap.fingerprint_at(shop.module, change.path) == change.fingerprint


def test_depth_needs_no_stack() -> None:
    shop = WalkedModule("DEEP = []\nfor _ in range(100_000): DEEP = [DEEP]")
    shop.run("TUPLES = ()\nfor _ in range(50_000): TUPLES = (TUPLES, [])")

    assert "shop.TUPLES" in [change.name for change in shop.compare()]
    assert shop.heap.fingerprint(shop.module.DEEP) == shop.heap.fingerprint(shop.module.DEEP)
    assert shop.compare() == []
    # Taken apart by hand: the interpreter's own way would need the stack.
    shop.run("while DEEP: DEEP = DEEP.pop()\nwhile TUPLES: TUPLES = TUPLES[0]")


def test_what_is_shown_is_short() -> None:
    shop = WalkedModule("")

    for made in (
        "'x' * 10_000",
        "[['a' * 50] * 50] * 50",
        "{n: {n: n} for n in range(99)}",
        "10 ** 5000",
        "'\\udcff\\n'",
    ):
        (change,) = shop.after(f"VALUE{len(made)} = {made}")
        assert 0 < len(change.shown) <= 200


def test_wrong_arguments_are_refused() -> None:
    heap = Heap(lambda _name: True, lambda _name: False)

    with pytest.raises(TypeError):
        heap.compare([types])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        heap.compare([("a", 1, 2)])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        heap.follow(types, (1,))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least 1"):
        Heap(lambda _name: True, lambda _name: False, most_entries=0)
    with pytest.raises(TypeError):
        Heap(lambda _name: True, lambda _name: False, stop_names=frozenset({1}))  # type: ignore[arg-type]


def test_all_that_is_loaded_can_be_walked() -> None:
    """Everything the interpreter, pytest and the standard library hold: walking it does no harm."""
    import asyncio  # noqa: F401
    import ctypes  # noqa: F401
    import sqlite3  # noqa: F401
    import unittest.mock  # noqa: F401
    import xml.etree.ElementTree  # noqa: F401

    heap = Heap(lambda _name: True, lambda _name: False)
    for _ in range(3):
        roots = [(name, module) for name, module in sys.modules.items() if isinstance(module, types.ModuleType)]
        for change in heap.compare(roots):
            heap.fingerprint_at(sys.modules[change.root], change.path)
    assert heap.entries > 50_000
