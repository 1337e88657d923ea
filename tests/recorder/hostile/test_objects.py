"""Ordinary state that changes from test to test, and is looked at in every way."""

import array
import copy
import dataclasses
import gc
import json
import pickle
import pprint
import sys
import weakref

from odd import state, touchy

_REFERENCE = []


def test_change_everything():
    state.CHANGED["b"] = [2]
    state.CHANGED_LIST.append(9)
    state.CHANGED_SET.add(2)
    state.NAMES["b"] = 2
    state.POINT.x = 5
    state.CHILD.name = "ann"
    state.Base.made = 10
    state.WEIGHTS.append(4)
    state.BUFFER[0:1] = b"j"
    state.DIGEST.update(b"x")
    state.MEMORY.execute("CREATE TABLE t (x)")
    touchy.SLOTTED.a.append(2)


def test_changed_dictionary_is_a_dictionary():
    assert isinstance(state.CHANGED, dict)
    assert state.CHANGED == {"a": 1, "b": [2]}
    assert {"a": 1, "b": [2]} == state.CHANGED
    assert {**state.CHANGED} == state.CHANGED | {}
    assert dict(state.CHANGED) == state.CHANGED.copy()
    assert list(state.CHANGED) == ["a", "b"]
    assert list(reversed(state.CHANGED)) == ["b", "a"]
    assert repr(state.CHANGED) == "{'a': 1, 'b': [2]}"
    assert pprint.pformat(state.CHANGED) == "{'a': 1, 'b': [2]}"
    assert f"{state.CHANGED}" == str(state.CHANGED)
    match state.CHANGED:
        case {"a": 1, **rest}:
            assert rest == {"b": [2]}
        case _:
            raise AssertionError("not a mapping")


def test_changed_list_is_a_list():
    assert sorted(state.CHANGED_LIST) == [1, 2, 3, 9]
    assert state.CHANGED_LIST[1:] == [1, 2, 9]
    assert state.CHANGED_LIST + [0] == [*state.CHANGED_LIST, 0]
    assert [0] + state.CHANGED_LIST == [0, 3, 1, 2, 9]
    assert tuple(state.CHANGED_LIST) == (3, 1, 2, 9)
    assert max(state.CHANGED_LIST) == 9
    assert "".join(map(str, state.CHANGED_LIST)) == "3129"
    first, *others = state.CHANGED_LIST
    assert first == 3
    assert len(others) == 3
    match state.CHANGED_LIST:
        case [3, *_]:
            pass
        case _:
            raise AssertionError("not a sequence")


def test_changed_set_is_a_set():
    assert state.CHANGED_SET == {1, 2}
    assert state.CHANGED_SET | {3} == {1, 2, 3}
    assert frozenset(state.CHANGED_SET) == frozenset({1, 2})
    assert state.CHANGED_SET <= {1, 2, 3}
    assert {1} < state.CHANGED_SET


def test_pickle_and_copy():
    for value in (state.CHANGED, state.CHANGED_LIST, state.CHANGED_SET, state.NAMES, state.POINT):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(value, protocol)) == value
        assert copy.copy(value) == value
        assert copy.deepcopy(value) == value
        assert copy.deepcopy(value) is not value
    assert pickle.loads(pickle.dumps(state.Child)) is state.Child
    assert pickle.loads(pickle.dumps(state.CHILD)).name == "ann"


def test_pickled_without_us():
    """What is read back in another process must not need anything that only this one has."""
    for value in (state.CHANGED, state.CHANGED_LIST, state.CHANGED_SET):
        assert b"unknot" not in pickle.dumps(value)


def test_json():
    assert json.loads(json.dumps(state.CHANGED)) == {"a": 1, "b": [2]}
    assert json.dumps(state.CHANGED_LIST) == "[3, 1, 2, 9]"


def test_dataclass():
    assert dataclasses.asdict(state.POINT) == {"x": 5, "y": 0}
    assert dataclasses.replace(state.POINT, y=3) == state.Point(5, 3)
    assert repr(state.POINT) == "Point(x=5, y=0)"
    assert vars(state.POINT) == {"x": 5, "y": 0}
    assert state.POINT.__dict__ is state.POINT.__dict__


def test_classes_work_on():
    class Another(state.Base):
        pass

    assert state.Base.made == 11
    assert Another().greet() == "base"
    assert state.CHILD.greet() == "child of base"
    assert state.Child.__mro__ == (state.Child, state.Base, object)
    assert state.Point.__getattribute__ is object.__getattribute__
    assert "__getattribute__" not in vars(state.Point)
    assert "__getattribute__" not in vars(state.Base)


def test_c_extension_objects():
    assert state.WEIGHTS == array.array("i", [1, 2, 3, 4])
    assert bytes(state.VIEW) == b"jello"
    assert state.PACKER.compress(b"abc") + state.PACKER.flush()
    assert state.DIGEST.hexdigest().startswith("2d711642")
    assert state.MEMORY.execute("SELECT count(*) FROM t").fetchone() == (0,)
    assert state.PATTERN.match("aa")
    assert state.LAYOUT.unpack(state.LAYOUT.pack(3)) == (3,)
    assert list(state.TEED[0]) == [0, 1, 2, 3, 4]
    with state.LOCK:
        state.LOCAL.value = 1


def test_unchanged_keeps_its_type():
    assert type(state.NEVER_CHANGED) is dict
    assert type(state.NEVER_CHANGED_LIST) is list
    assert type(state.NEVER_CHANGED_SET) is set


def test_hold_something():
    thing = state.Thing()
    thing.itself = thing
    state.HOLD["thing"] = thing
    state.HOLD["mortal"] = state.Mortal("mortal")
    state.WEAK.add(state.HOLD["mortal"])
    _REFERENCE.append(weakref.ref(thing))
    _REFERENCE.append(weakref.ref(state.HOLD["mortal"]))


def test_it_is_still_held():
    assert _REFERENCE[0]() is state.HOLD["thing"]
    assert len(state.WEAK) == 1


def test_it_dies_when_it_is_let_go():
    del state.HOLD["mortal"]
    assert state.DELETED == ["mortal"]
    assert _REFERENCE[1]() is None
    assert len(state.WEAK) == 0
    del state.HOLD["thing"]
    gc.collect()
    assert _REFERENCE[0]() is None


def test_references_are_not_counted_twice():
    count = sys.getrefcount(state.COUNTED)
    assert count == state.COUNT


def test_all_objects_can_be_listed():
    points = [found for found in gc.get_objects() if type(found) is state.Point]
    assert points == [state.POINT] or points == []


def test_slots():
    assert touchy.SLOTTED.a == [1, 2]
    assert not hasattr(touchy.SLOTTED, "never_set")
    assert not hasattr(touchy.SLOTTED, "__dict__")
