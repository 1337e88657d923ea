"""Test ids of JavaScript suites, and the tests of the source that they mean.

| id | whose |
|---|---|
| `tests/cart.spec.ts › cart › adds item` | ours, and Playwright's list; also `[chromium] › …`, `…spec.ts:12:5 › …` |
| `cart.spec.ts.cart › adds item` | `{classname}.{name}` of Playwright's JUnit report |
| `cart adds item` | mocha and Cypress: titles joined by blanks |
| `adds item.cart adds item`, `cart.adds item`, `cart > adds item` | other reporters |
| `adds item` | the title alone, if no other test has it |

Separators, blanks and the browser's name make no difference. A test whose title is only known when the file runs is
meant by every id of its file that means no other.
"""

import posixpath
import re
from collections.abc import Sequence

from unknot.web.readers.javascript.test_functions import DeclaredTest

SEPARATOR = " › "
_BEFORE = re.compile(r"^\s*\[[^\]]*\]\s*(?:›|>)?\s*")
_PLACE = re.compile(r"(\.[cm]?[jt]sx?):\d+(?::\d+)?")
_BETWEEN = re.compile(r"\s*(?:›|»|→|::|\s>\s)\s*|\s+")


def id_of(test: DeclaredTest) -> str:
    return SEPARATOR.join((test.file, *test.titles))


class Found:
    """The declared tests, to be found by id in any of the forms above."""

    def __init__(self, tests: Sequence[DeclaredTest]) -> None:
        self._by_key: dict[str, list[DeclaredTest]] = {}
        self._untitled: dict[str, list[DeclaredTest]] = {}
        for test in tests:
            if test.title is None:
                self._untitled.setdefault(test.file, []).append(test)
                continue
            for key in _keys(test):
                self._by_key.setdefault(key, []).append(test)

    def meant_by(self, test: str) -> list[DeclaredTest]:
        """Empty if there is none, or if several may be meant."""
        key = _plain(test)
        known = self._by_key.get(key, [])
        if known:
            return known if len({(one.file, one.titles) for one in known}) == 1 else []
        for file, untitled in self._untitled.items():
            if key.startswith((_plain(file), posixpath.basename(file))):
                return untitled
        every = [one for untitled in self._untitled.values() for one in untitled]
        return every if len({one.file for one in every}) == 1 else []


def _keys(test: DeclaredTest) -> set[str]:
    titles = " ".join(test.titles)
    dotted = ".".join(test.titles)
    files = (test.file, posixpath.basename(test.file), posixpath.join(*test.file.split("/")[-2:]))
    trace = {
        titles,
        dotted,
        test.titles[-1],
        f"{test.titles[-1]}.{titles}",
        f"{' '.join(test.titles[:-1])}.{test.titles[-1]}",
    }
    trace |= {f"{file}{joint}{titles}" for file in files for joint in (" ", ".")}
    return {_plain(one) for one in trace}


def _plain(test: str) -> str:
    return _BETWEEN.sub(" ", _PLACE.sub(r"\1", _BEFORE.sub("", test))).strip()
