"""Notices when something reads one of a few objects, whoever reads: Python code, libraries, C code that goes through
the object's type.

Exact dicts, lists, sets and modules get a tracking type of the same size for as long as they are watched, which passes
for their own in all but `type(x) is dict`. Everything else keeps its type, whose C slots note the reads. No code of the
suite is run, nothing of it is kept alive, and what dies is forgotten.

Not seen: C code that reads a container's memory without asking its type (`PyDict_GetItem`, `{*names}` of a set, names
that a class body finds in its module, special methods of a watched class called by operators, `super().name`), explicit
calls of a special method (`d.__len__()`), and iterators, views and bound methods that were made before.
More is told than was read where a key is of a class with its own `__eq__` (any key of that class counts).
"""

from collections.abc import Callable

def install(callback: Callable[[object], bool | None]) -> None:
    """What is called with the token, in the reading thread, before or right after the read. What it reads itself, or
    other threads meanwhile, is not told; its errors are swallowed. If it answers False, the next read of the same epoch
    is told too, a hundred times at most."""

def watch(container: object, key: object, token: object) -> bool:
    """Watches one entry of the container: a dict's or set's key, an attribute of a module, instance or class; `None`
    for all of it, as for lists and deques. Whatever looks at the whole container reads all its entries; to assign,
    delete, append or add is no read. Watching the same entry again replaces the token.

    False for what cannot be watched: everything that is neither a dict, list, set, module or deque, nor an instance of
    a class written in Python, of `OrderedDict` or `defaultdict`, nor such a class: bytearrays, arrays, tuples,
    functions, generators, caches, classes written in C and their instances.
    """

def unwatch(container: object, key: object) -> None: ...
def unwatch_all() -> None:
    """Everything has its own type and slots again."""

def next_epoch() -> None:
    """From now on each token can be told once more."""

def set_active(active: bool) -> None:
    """Nothing is told while this is off, as it is at first."""

def watched() -> int:
    """How many entries are watched now."""
