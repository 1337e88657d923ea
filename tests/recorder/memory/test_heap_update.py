"""A later snapshot updates the last one, with the same result as a full walk."""

import gc
import random
import weakref
from collections.abc import Callable, Iterator

import pytest
from walked_module import WalkedModule

from unknot.recorder.native._heap import Change, Heap


@pytest.fixture(autouse=True)
def _only_what_is_new_is_collected() -> Iterator[None]:
    """A collection goes through everything that all tests before have imported, which takes a third of a second."""
    gc.freeze()
    yield
    gc.unfreeze()


def _told(changes: list[Change]) -> list[tuple[str, str, int, int]]:
    return sorted((change.name, change.how, change.fingerprint, change.fingerprint_before) for change in changes)


def test_a_change_of_little_does_not_walk_through_all() -> None:
    shop = WalkedModule("COUNTS = {'a': 1}\nSEEN = []\nclass Cart:\n    made = 0")
    walks = shop.heap.walks

    assert shop.compare() == []
    assert shop.names_after("COUNTS['a'] = 2") == ["shop.COUNTS['a']"]
    assert shop.names_after("SEEN.append([1, {}])") == ["shop.SEEN"]
    assert shop.names_after("SEEN[0][1]['x'] = 1") == ["shop.SEEN[0][1]['x']"]
    assert shop.names_after("Cart.made += 1") == ["shop.Cart.made"]
    assert shop.names_after("SEEN.clear()") == ["shop.SEEN"]
    assert shop.heap.walks == walks


def test_an_object_whose_first_path_goes_away_is_named_by_the_other() -> None:
    shop = WalkedModule("A = []\nclass Box: pass\nHOLDER = Box()\nHOLDER.deep = {'a': A}")

    assert shop.names_after("A.append(1)") == ["shop.A"]
    assert shop.names_after("del A") == ["shop.A"]
    assert shop.names_after("HOLDER.deep['a'].append(2)") == ["shop.HOLDER.deep['a']"]


def test_what_moves_to_another_key_is_no_longer_at_the_old_one() -> None:
    shop = WalkedModule("A = {'old': [1]}")

    assert _told(shop.after("A['new'] = A.pop('old')")) == sorted(
        [
            ("shop.A['new']", "added", shop.heap.fingerprint([1]), 0),
            ("shop.A['old']", "removed", 0, shop.heap.fingerprint([1])),
        ]
    )
    assert shop.names_after("A['new'].append(2)") == ["shop.A['new']"]


def test_another_object_at_the_address_of_a_dead_one_is_found() -> None:
    shop = WalkedModule("A = {'x': [1]}\nB = {}")

    for number in range(200):
        changes = shop.after(f"A.pop('x')\nB.clear()\nB['y'] = [{number}]\nA['x'] = [{number}, 0]")
        fingerprints = {change.name: change.fingerprint for change in changes}
        assert fingerprints == {
            "shop.A['x']": shop.heap.fingerprint([number, 0]),
            "shop.B['y']": shop.heap.fingerprint([number]),
        }


def test_a_number_at_the_address_of_another_one_is_found() -> None:
    shop = WalkedModule("N = [0.5]\nD = {'n': 0.5}\nclass Box: pass\nBOX = Box()\nBOX.n = 0.5")

    for number in range(100):
        source = f"N[0] = {number}.25\nD['n'] = {number}.25\nBOX.n = {number}.25"
        assert sorted(shop.names_after(source)) == ["shop.BOX.n", "shop.D['n']", "shop.N"]


def test_a_function_at_the_address_of_another_one_is_found() -> None:
    shop = WalkedModule("F = {}")

    for number in range(50):
        shop.run("F.clear()")
        source = "\n" * (number % 7) + f"def f(x={number}): pass\nF['f'] = f\ndel f"
        assert shop.names_after(source) != []


def test_nothing_is_kept_alive_by_an_update() -> None:
    shop = WalkedModule("class Box: pass\nBOXES = []")
    shop.run("BOXES.append(Box())")
    box = weakref.ref(vars(shop.module)["BOXES"][0])
    shop.compare()

    shop.run("BOXES.clear()")

    assert box() is None
    assert shop.compare() != []


def test_a_whole_graph_that_dies_is_not_touched() -> None:
    shop = WalkedModule("class Node: pass\nROOT = {}")

    for _ in range(50):
        shop.run("""
            first = last = Node()
            for _ in range(100):
                last.next = Node()
                last.next.back, last.items = last, [{}, ()]
                last = last.next
            ROOT['graph'] = first
            del first, last, _
            """)
        assert [change.how for change in shop.compare()] == ["added"]
        shop.run("ROOT.clear()")
        gc.collect()
        assert [change.how for change in shop.compare()] == ["removed"]
    assert shop.heap.entries < 100


def test_entries_of_a_weak_dictionary_go_with_their_values() -> None:
    shop = WalkedModule("import weakref\nclass Box: pass\nBOX = Box()\nWEAK = weakref.WeakValueDictionary(box=BOX)")

    names = shop.names_after("del BOX")

    assert "shop.BOX" in names
    assert any(name.startswith("shop.WEAK") for name in names)


def test_an_attribute_that_is_written_beside_its_dictionary_is_found() -> None:
    shop = WalkedModule("class Box:\n    def put(self, n): self.n = n\nBOX = Box()\nBOX.put(0)\nHELD = BOX.__dict__")

    for number in range(1, 50):
        assert sorted(shop.names_after(f"BOX.put({number})")) == ["shop.BOX.n", "shop.HELD['n']"]


@pytest.mark.parametrize(
    "mutation",
    [
        "D['b'] = 2",
        "D['a'] = 2",
        "D.update(a=3)",
        "D |= {'a': 4}",
        "D.setdefault('c', 1)",
        "D.pop('a')",
        "D.popitem()",
        "D.clear()",
        "del D['a']",
        "globals()['D'].__init__(a=7)",
        "dict.__setitem__(D, 'a', 9)",
    ],
)
def test_every_way_to_write_a_dictionary_is_found(mutation: str) -> None:
    shop = WalkedModule("D = {'a': 1}")

    assert [change.name[:7] for change in shop.after(mutation)] == ["shop.D["]


def test_a_root_that_is_another_object_each_time_is_compared() -> None:
    heap = Heap(lambda _name: False, lambda _name: False)
    heap.compare([("state", {"a": [1]})])

    assert heap.compare([("state", {"a": [1]})]) == []
    assert [change.name for change in heap.compare([("state", {"a": [2]})])] == ["state['a']"]
    assert [change.name for change in heap.compare([("state", {"b": 1})])] == ["state['b']", "state['a']"]


def test_a_root_under_two_names_is_one_object() -> None:
    heap = Heap(lambda _name: False, lambda _name: False)
    thing: list[int] = []
    roots = [("one", thing), ("two", thing), ("three", {})]
    heap.compare(roots)

    thing.append(1)

    assert [change.name for change in heap.compare(roots)] == ["one"]
    assert [change.name for change in heap.compare([("one", [1]), *roots[1:]])] == []
    assert [change.name for change in heap.compare([("one", [1]), ("two", [2]), ("three", {})])] == ["two"]


_SHOP = """
import collections
class Box:
    made = 0
class Slotted:
    __slots__ = ("a", "b")
def plain(): pass
A, B, C, BOX, SLOTTED, QUEUE = {}, [], set(), Box(), Slotted(), collections.deque()
"""


class _Mutator:
    """Changes something of a module at random, again and again: what it puts in is new, or was there already."""

    def __init__(self, shop: WalkedModule, seed: int) -> None:
        self._names = vars(shop.module)
        self._random = random.Random(seed)
        self._held: list[object] = []
        self._ways: list[Callable[[], object]] = [
            lambda: self._names["A"].__setitem__(self._key(), self._value()),
            lambda: self._names["A"].pop(self._key(), None),
            lambda: self._names["B"].append(self._value()),
            lambda: self._names["B"].clear() if len(self._names["B"]) > 8 else None,
            lambda: self._names["C"].add(self._random.randrange(9)),
            lambda: self._names["QUEUE"].append(self._value()),
            lambda: self._names["QUEUE"].clear(),
            lambda: setattr(self._names["BOX"], self._key(), self._value()),
            lambda: self._names["BOX"].__dict__.pop(self._key(), None),
            lambda: setattr(self._names["SLOTTED"], self._random.choice("ab"), self._value()),
            lambda: setattr(self._names["Box"], self._key(), self._value()),
            lambda: setattr(self._names["plain"], "__defaults__", (self._value(),)),
            lambda: self._names.__setitem__(self._key(), self._value()),
            lambda: self._names.pop(self._key(), None),
            lambda: self._held.clear(),
        ]

    def mutate(self) -> None:
        for _ in range(self._random.randrange(4)):
            self._random.choice(self._ways)()

    def _key(self) -> str:
        return f"k{self._random.randrange(6)}"

    def _value(self) -> object:
        kind = self._random.randrange(8)
        if kind < 2:
            return self._random.choice([0, 1, 2.5, "text", None, (1, 2), self._random.random()])
        if kind < 4 and self._held:
            return self._random.choice(self._held)
        made: list[object] = [[], {}, self._names["Box"](), ([],), {"n": [1]}, [{}]]
        value = self._random.choice(made)
        if type(value) is dict:
            value["inner"] = self._random.choice(self._held) if self._held else 1
        self._held = [*self._held[-5:], value]
        return value


@pytest.mark.parametrize("seed", range(4))
def test_an_update_reports_what_a_full_walk_reports(seed: int) -> None:
    shop = WalkedModule(_SHOP)
    mutator = _Mutator(shop, seed)
    afresh = Heap(lambda name: name == "shop", lambda _name: False)
    afresh.compare([("shop", shop.module)])

    for number in range(250):
        mutator.mutate()
        if number % 5 == 0:
            gc.collect()
        # A further root that comes and goes makes the other one walk through all.
        expected = afresh.compare([("shop", shop.module), (f"at {number}", None)])
        # Where a thing gains a shorter path, its former name is kept.
        assert _without_names(shop.compare()) == _without_names(expected)
    assert afresh.walks > 250
    assert shop.heap.walks < 200


def _without_names(changes: list[Change]) -> list[tuple[str, int, int]]:
    return sorted((change.how, change.fingerprint, change.fingerprint_before) for change in changes)
