"""Objects that nobody may ask anything. The file's last test comes after all others of the file."""

import pytest
from odd import touchy


def test_they_are_there():
    assert type(touchy.RAISES) is touchy.Raises
    assert touchy.IN_CONTAINERS[0] is touchy.RAISES


def test_more_of_them():
    touchy.MORE = [touchy.Raises(), touchy.Proxy(), touchy.Liar()]
    touchy.ONE_MORE = touchy.Raises()
    touchy.IN_CONTAINERS.append(touchy.Proxy())
    touchy.IN_CONTAINERS[2]["new"] = touchy.Liar()


def test_change_inside():
    vars(touchy.RAISES)["inside"].append(1)
    touchy.WATCHED.plain = 2


def test_look_inside():
    assert vars(touchy.RAISES)["inside"] == ["unharmed", 1]
    assert touchy.WATCHED.plain == 2


def test_shouting():
    dict.__setitem__(touchy.SHOUTING_DICT, "b", 2)
    list.append(touchy.SHOUTING_LIST, 3)
    assert dict.__len__(touchy.SHOUTING_DICT) == 2
    assert list.__len__(touchy.SHOUTING_LIST) == 3


def test_others_replaced():
    touchy.ONE_MORE = touchy.Raises()
    touchy.OF_META.value = 3
    touchy.OfMeta.other = 4


def test_they_do_as_they_say():
    """What the suite itself asks is put down again."""
    before = touchy.CALLS.copy()
    with pytest.raises(RuntimeError):
        repr(touchy.Raises())
    with pytest.raises(RuntimeError):
        touchy.Proxy().anything  # noqa: B018
    touchy.CALLS["__repr__"] -= 1
    touchy.CALLS["__getattribute__"] -= 1
    assert +touchy.CALLS == +before


def test_nobody_but_the_suite_has_asked():
    asked = +touchy.CALLS
    assert asked.pop("__hash__") == touchy.HASHED_BY_THE_SUITE
    assert asked == {}
