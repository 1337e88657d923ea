"""Objects that raise, or count, when they are asked anything. Nobody may ask them but the tests of the suite."""

from collections import Counter

CALLS = Counter()


def _counted(name):
    def method(self, *arguments):
        CALLS[name] += 1
        raise RuntimeError(f"{name} was called")

    return method


class Raises:
    """Every question is an error."""

    for _name in ("__eq__", "__ne__", "__lt__", "__repr__", "__str__", "__len__", "__bool__", "__iter__"):
        locals()[_name] = _counted(_name)
    for _name in ("__contains__", "__getitem__", "__getattr__", "__format__", "__sizeof__", "__reduce_ex__", "__dir__"):
        locals()[_name] = _counted(_name)
    del _name

    def __hash__(self):
        CALLS["__hash__"] += 1
        return 7

    def __init__(self):
        self.inside = ["unharmed"]


class Proxy:
    """As web frameworks have it: every attribute is looked up somewhere else, and there is nothing there."""

    def __getattribute__(self, name):
        CALLS["__getattribute__"] += 1
        raise RuntimeError("working outside of context")


class Watched:
    """Computes when it is looked at."""

    def __init__(self):
        self.plain = 1

    @property
    def costly(self):
        CALLS["property"] += 1
        return CALLS["property"]


class Descriptor:
    def __get__(self, instance, owner):
        CALLS["__get__"] += 1
        return 0


class Described:
    field = Descriptor()


class Meta(type):
    def __getattribute__(cls, name):
        if name == "secret":
            CALLS["metaclass"] += 1
            raise RuntimeError("no")
        return super().__getattribute__(name)

    def __eq__(cls, other):
        CALLS["metaclass __eq__"] += 1
        return cls is other

    def __hash__(cls):
        return 11

    def __instancecheck__(cls, instance):
        CALLS["__instancecheck__"] += 1
        return False


class OfMeta(metaclass=Meta):
    value = 1


class Liar:
    """Says that it is something else, and hides its attributes."""

    def __init__(self):
        object.__setattr__(self, "real", 1)

    @property
    def __class__(self):
        CALLS["__class__"] += 1
        return dict

    @property
    def __dict__(self):
        CALLS["__dict__"] += 1
        raise AttributeError("hidden")


class ShoutingDict(dict):
    """A dictionary whose every method counts."""

    for _name in ("__getitem__", "__iter__", "__len__", "__contains__", "keys", "values", "items", "get"):
        locals()[_name] = _counted("dict " + _name)
    del _name


class ShoutingList(list):
    for _name in ("__getitem__", "__iter__", "__len__", "__contains__"):
        locals()[_name] = _counted("list " + _name)
    del _name


class ShoutingStr(str):
    """The hash is that of str; only comparing counts."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other):
        CALLS["str __eq__"] += 1
        return str.__eq__(self, other)


class Slotted:
    __slots__ = ("__weakref__", "a", "never_set")

    def __init__(self):
        self.a = [1]


RAISES = Raises()
PROXY = Proxy()
WATCHED = Watched()
DESCRIBED = Described()
OF_META = OfMeta()
LIAR = Liar()
SHOUTING_DICT = ShoutingDict(a=1)
SHOUTING_LIST = ShoutingList([1, 2])
SHOUTING_STRINGS = [ShoutingStr("x"), {"y": ShoutingStr("y")}]
SLOTTED = Slotted()
IN_CONTAINERS = [RAISES, (RAISES, PROXY), {"proxy": PROXY, "liar": LIAR}]
AS_KEY = {RAISES: 1}
HASHED_BY_THE_SUITE = 1
