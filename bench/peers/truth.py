"""What is planted, what a tool claims, and how the two compare."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Groups = frozenset[frozenset[str]]
_NONE: Groups = frozenset()


def groups(*sets: Iterable[str]) -> Groups:
    """`groups(["a", "b"], ["c"])`: a and b belong together, c is on its own."""
    return frozenset(frozenset(one) for one in sets)


@dataclass(frozen=True)
class Claim:
    """What is said about one test. Without needs and conflicts: that it depends on others, but not on which."""

    needs: Groups = _NONE
    """All of these, of each any one test."""
    conflicts: Groups = _NONE
    """Any of these breaks the test, once all tests of it have run."""
    dependent: bool = True
    """False when the test is listed, but as one that is broken by itself."""

    def culprits(self) -> frozenset[str]:
        return frozenset(test for group in (*self.needs, *self.conflicts) for test in group)


@dataclass(frozen=True)
class Score:
    """How many dependent tests a tool listed at all, called dependent, explained rightly and completely; and how many
    tests it explained wrongly."""

    listed: int
    found: int
    right: int
    wrong: int
    missed: tuple[str, ...]


def read_claims(document: Mapping[str, Any]) -> dict[str, Claim]:
    """From `needs` and `conflicts` as they stand in truth.json and in unknot's lock file."""
    needs: dict[str, list[list[str]]] = {}
    conflicts: dict[str, list[list[str]]] = {}
    for entry in document["needs"]:
        needs.setdefault(entry["dependent"], []).append(entry["any_of"])
    for entry in document["conflicts"]:
        conflicts.setdefault(entry["victim"], []).append(entry["polluters"])
    tests = [*needs, *(test for test in conflicts if test not in needs)]
    return {test: Claim(groups(*needs.get(test, ())), groups(*conflicts.get(test, ()))) for test in tests}


def read_truth(directory: Path) -> dict[str, Claim]:
    """The dependent tests of the planted suite."""
    return read_claims(json.loads((directory / "truth.json").read_text(encoding="utf-8")))


def score(claims: Mapping[str, Claim], truth: Mapping[str, Claim]) -> Score:
    """Wrong is an innocent test that is named, or a claim about a test that depends on none.

    An answer that is true but not all of the truth counts as found, and as neither right nor wrong.
    """
    return Score(
        listed=sum(test in claims for test in truth),
        found=sum(test in claims and claims[test].dependent for test in truth),
        right=sum(claims.get(test) == true for test, true in truth.items()),
        wrong=sum(not claim.culprits() <= _involved(test, truth) for test, claim in claims.items())
        + sum(test not in truth and not claim.culprits() for test, claim in claims.items()),
        missed=tuple(test for test in truth if test not in claims),
    )


def _involved(test: str, truth: Mapping[str, Claim]) -> frozenset[str]:
    """The culprits of a test and, through its needs, those of the tests it needs."""
    true = truth.get(test, Claim())
    setters = frozenset(setter for group in true.needs for setter in group)
    return true.culprits().union(*(_involved(setter, truth) for setter in setters))
