"""The heap walk: what is reachable from some roots, and what of it differs from the last snapshot.

Runs none of the suite's code: no `__getattr__`, `__eq__`, `__hash__`, `__repr__`, `__len__`, no property. Keeps no
reference to the suite's objects between two snapshots, except to simple keys of dictionaries (strings, numbers).
Compiled; missing if there was no compiler.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

Step = tuple[str, object]
"""(how, key): ("attr", name), ("key", key), ("item", index or name of a part), ("cell", name), ("default", index),
("kwdefault", name), ("cache", key or None), ("position", None). A step "position", or "cache" with None, stays where it
is: at the iterator, generator or cached function itself."""

STOP_NAMES: Final[frozenset[str]]
"""Names that are ignored by default. A name that ends in `*` matches all names with that beginning."""

class Change(NamedTuple):
    """One location that differs from the last snapshot."""

    container: object
    """The object that holds the changed entry."""
    key: object
    """A dictionary's key, or the name of an attribute of a module, class or instance. None: the whole container."""
    holder: object
    """The nearest object up the path that can be watched for reads; the container if it can. None if there is none."""
    holder_key: object
    name: str
    root: str
    path: tuple[Step, ...]
    how: str
    """"added", "changed" or "removed"."""
    shown: str
    """The current content, in at most 200 characters."""
    fingerprint: int
    """Of the current content; 0: none."""
    fingerprint_before: int
    """Of the content in the last snapshot; 0: none."""

class Heap:
    """Compares what some roots reach with what they reached in the last snapshot.

    The first snapshot costs 70-100 ns and 35 to 65 bytes for each entry of a dictionary, list, instance, …. A later one
    updates the last: 20-80 ns for each entry, changed or not. It walks everything again, at the cost of the first, when
    it gets other roots, when the first path to an object is gone but another is left, when a type is new, or when the
    last snapshot has more than about 130,000 objects. The callables run once for each name of a module or type
    (`module.QualName`); the walk then starts again, so that nothing it uses is touched by what they do.
    """

    def __init__(
        self,
        is_users_module: Callable[[str], bool],
        is_stopped: Callable[[str], bool],
        *,
        stop_names: frozenset[str] = ...,
        most_entries: int = 1_000_000,
        most_of_one: int = 20_000,
    ) -> None: ...
    def compare(self, roots: Sequence[tuple[str, object]], shallow: Sequence[tuple[str, object]] = ()) -> list[Change]:
        """What differs from the last snapshot, which a new one replaces. The first call returns []; a new root gives no
        change. Of two equally short paths, the earlier root gives the name. An object that gains a shorter path later
        may keep its name as long as the old path leads there.

        Of `shallow` modules only replaced functions, classes and modules count, and replaced attributes of classes that
        they define; 0.1 ms for 1,500 modules with 8,700 classes in which nothing has changed.
        """
    def fingerprint(self, value: object) -> int:
        """Of the content: equal contents give equal numbers, at two times and, with PYTHONHASHSEED=0, in two processes.
        The order of dictionaries and sets does not count. Never 0. Beyond 50,000 entries, the rest does not count.
        Functions, classes and modules count by their names.
        """
    def follow(self, root: object, path: Sequence[Step]) -> object:
        """The object at the end of a path. Raises LookupError if there is none."""
    def fingerprint_at(self, root: object, path: Sequence[Step]) -> int:
        """The fingerprint of the current object at the end of a path; 0 if there is none."""
    @property
    def notes(self) -> list[str]:
        """What was not examined, each reported once."""
    @property
    def entries(self) -> int:
        """How many entries the last snapshot has."""
    @property
    def walks(self) -> int:
        """How many snapshots walked everything from scratch, including the first."""
    @property
    def memory(self) -> int:
        """Bytes that the records of the two snapshots take."""
