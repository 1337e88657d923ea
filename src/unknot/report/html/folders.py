"""The folders and files of a suite's tests, as levels to collapse a drawing to."""

import re
from collections.abc import Collection, Iterable
from itertools import takewhile

from unknot.model.suite import TestId

MOST_FILES = 40
"""So many files are shown beside each other; more are shown by folder."""

Path = tuple[str, ...]
"""The names of folders and a file."""

_NAME = re.compile(r"[/.#: ]+[^/.#: ]*$")


def path_of(test: TestId) -> Path:
    """
    >>> path_of(TestId("tests/shop/test_cart.py::TestA::test_b")), path_of(TestId("depot.PricesTest.testTax"))
    (('tests', 'shop', 'test_cart.py'), ('depot', 'PricesTest'))
    """
    file, is_pytest, _ = test.partition("::")
    if is_pytest:
        return tuple(file.split("/"))
    return tuple(part for part in re.split(r"[/.#: ]+", _NAME.sub("", test)) if part)


def within(path: Path, folder: Path) -> bool:
    return path[: len(folder)] == folder


def folders_of(paths: Iterable[Path]) -> dict[Path, Path | None]:
    """Every folder and file that has a view, each after the one that it is shown in, which is its value: at the top the
    folder that all have in common. A folder with up to `MOST_FILES` files below it shows these; a larger one shows
    the folders in it. Only the top if all tests are in one file."""
    known = tuple(dict.fromkeys(paths))
    found: dict[Path, Path | None] = {}
    waiting: list[tuple[Path, Path | None]] = [(_beginning(known), None)] if known else []
    while waiting:
        path, parent = waiting.pop(0)
        found[path] = parent
        inside = [one for one in known if within(one, path) and one != path]
        waiting += [(group, path) for group in _shown_in(path, inside) if group not in found]
    return found


def _shown_in(path: Path, inside: Collection[Path]) -> Iterable[Path]:
    if len(inside) <= MOST_FILES:
        return inside
    parts: dict[str, list[Path]] = {}
    for one in inside:
        parts.setdefault(one[len(path)], []).append(one)
    return [_beginning(some) for some in parts.values()]


def _beginning(paths: Collection[Path]) -> Path:
    levels = takewhile(lambda parts: len(set(parts)) == 1, zip(*paths, strict=False))
    return tuple(parts[0] for parts in levels)
