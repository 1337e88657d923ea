"""Test ids without the part of their path that all readers know."""

from collections import Counter
from collections.abc import Iterable

from unknot.model.suite import Suite, TestId

_SEPARATOR = "::"


class ShortIds:
    """Shortens the ids of a suite by the directories of their files. Guarantee: no two tests get the same short id.

    An id without a file stays as it is. Cost: linear in the ids, once.
    """

    def __init__(self, suite: Suite) -> None:
        files = {_file(test) for test in suite.tests if _SEPARATOR in test}
        self._file_of = dict(_shortest_endings(files))

    def short(self, test: TestId) -> str:
        """`test_cart.py::test_total` for `tests/unit/test_cart.py::test_total`."""
        file, separator, name = test.partition(_SEPARATOR)
        return f"{self._file_of.get(file, file)}{separator}{name}"

    def beside(self, test: TestId, other: TestId) -> str:
        """`other` in a sentence about `test`: its name only if both are in one file."""
        file, separator, name = other.partition(_SEPARATOR)
        return name if separator and file == _file(test) else self.short(other)


def _file(test: TestId) -> str:
    return test.partition(_SEPARATOR)[0]


def _shortest_endings(files: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Each file with the shortest end of its path, in whole parts, that no other file ends in."""
    parts = {file: file.split("/") for file in files}
    ends = Counter("/".join(names[-many:]) for names in parts.values() for many in range(1, len(names) + 1))
    for file, names in parts.items():
        endings = ("/".join(names[-many:]) for many in range(1, len(names) + 1))
        yield file, next((ending for ending in endings if ends[ending] == 1), file)
