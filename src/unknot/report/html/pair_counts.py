"""The matrix of pairs in words: how many pairs are confirmed, cleared, untried."""

from dataclasses import dataclass

from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId
from unknot.report.headline import counted


@dataclass(frozen=True)
class PairCounts:
    """Ordered pairs of different tests: what does the one do to the other when it runs before it? `silent` are those
    with a flaky test, of which nothing is claimed; `open` those neither confirmed nor silent. Where it is known which
    are untried, `untried` counts those of them that are open."""

    all: int
    needed: int
    breaking: int
    silent: int
    untried: int
    which_known: bool

    @property
    def open(self) -> int:
        return self.all - self.needed - self.breaking - self.silent

    def sentence(self) -> str:
        """
        >>> PairCounts(90, 4, 1, 0, 0, True).sentence()
        '90 ordered pairs: 4 needed, 1 breaking, 85 cleared, 0 untried.'
        """
        head = f"{counted(self.all, 'ordered pair')}: {self.needed:,} needed, {self.breaking:,} breaking, "
        tail = f", {self.silent:,} with a flaky test, of which nothing is claimed" if self.silent else ""
        if self.which_known:
            return f"{head}{self.open - self.untried:,} cleared, {self.untried:,} untried{tail}."
        return (
            f"{head}{self.open:,} others{tail}. Of these {counted(self.untried, 'pair')} "
            f"{'is' if self.untried == 1 else 'are'} untried, but it is not known which."
        )


def pair_counts(dependencies: Dependencies) -> PairCounts:
    """Cost: linear in the claims and in the untried rows."""
    size, flaky = len(dependencies.suite), set(dependencies.flaky)
    needed = {(need.dependent, option) for need in dependencies.needs for option in need.any_of}
    breaking = {(found.victim, polluter) for found in dependencies.conflicts for polluter in found.polluters} - needed
    steady = size - len(flaky)
    confirmed = {pair for pair in needed | breaking if flaky.intersection(pair)}
    silent = size * (size - 1) - steady * (steady - 1) - len(confirmed)
    which_known = bool(dependencies.untried_rows) or not dependencies.untried
    untried = _open_untried(dependencies, needed | breaking) if dependencies.untried_rows else dependencies.untried
    return PairCounts(size * (size - 1), len(needed), len(breaking), silent, untried, which_known)


def _open_untried(dependencies: Dependencies, confirmed: set[tuple[TestId, TestId]]) -> int:
    at = dependencies.suite.index
    rows = list(dependencies.untried_rows)
    for test, other in confirmed:
        rows[at[test]] &= ~(1 << at[other])
    flaky = {at[test] for test in dependencies.flaky}
    steady = ~sum(1 << place for place in flaky)
    return sum((row & steady).bit_count() for place, row in enumerate(rows) if place not in flaky)
