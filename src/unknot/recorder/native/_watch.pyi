"""Reports when any code reads or writes one of a few objects: Python code, libraries, C code that goes through the
object's type.

Exact dicts, lists, sets and modules get a tracking type of the same size while they are watched, which poses as their
own except for `type(x) is dict`. Everything else keeps its type, whose C slots note the reads. No code of the suite is
run, none of its objects is kept alive, and objects that die are forgotten.

Not noticed: C code that reads a container's memory without using its type (`PyDict_GetItem`, `{*names}` of a set, names
that a class body finds in its module, special methods of a watched class called by operators, `super().name`), explicit
calls of a special method (`d.__len__()`), and iterators, views and bound methods that were made before.
Writes are noticed only of keys of dicts (`d[k] = v`, `del d[k]`), members of sets (`add`, `discard`, `update`, and `|=`
unless it is of a subclass) and attributes of modules (`module.name = v`): not through `dict.update`, `clear`, `global`,
nor of attributes of instances and classes.
Reports too much where a key is of a class with its own `__eq__` (any key of that class counts).
"""

from collections.abc import Callable

def install(was_read: Callable[[object], bool | None], was_written: Callable[[object], None]) -> None:
    """The callbacks are called with the token, in the thread that reads or writes: before or right after the read, and
    after the write. What they do themselves, or other threads meanwhile, is not reported; their errors are swallowed.
    If `was_read` returns False, the next read in the same epoch is reported too, a hundred times at most. Of the writes
    in an epoch only the first is reported."""

def watch(container: object, key: object, token: object) -> bool:
    """Watches one entry of the container: a key of a dict or set, an attribute of a module, instance or class; `None`
    for all of it, as for lists and deques. Reading the whole container reads all its entries; assigning, deleting,
    appending and adding are no reads. Watching the same entry again replaces the token.

    False for what cannot be watched: everything that is neither a dict, list, set, module or deque, nor an instance of
    a class written in Python, of `OrderedDict` or `defaultdict`, nor such a class: bytearrays, arrays, tuples,
    functions, generators, caches, classes written in C and their instances.
    """

def watch_all(container: object, token: object) -> None:
    """From now on a read of the whole container, of which entries are watched, is reported by this token alone, not by
    those of its entries. Does nothing if none is watched."""

def entries_of(container: object) -> int:
    """How many entries of this container are watched."""

def unwatch(container: object, key: object) -> None: ...
def unwatch_all() -> None:
    """Restores the types and slots of everything."""

def next_epoch() -> None:
    """From now on each token can be reported once more."""

def set_active(active: bool) -> None:
    """Nothing is reported while this is off, as it is at first."""

def watched() -> int:
    """How many entries are watched now."""
