"""What follows from a run for every test in it: which tests each one may still need, and which it certainly needs.

Deduction under the model of the papers (every need is a single test, no polluters):

- t passes: it needs no test that was left out, and no test that is known to need such a one.
- t fails: it needs one of its candidates that were left out. A candidate that is known to need another of them adds
  nothing to that other one. When one is left, t needs that one, and all that it needs.

A test that contradicts the model (it failed although none of its candidates was missing) is *irregular*: it has
alternatives, is polluted, or flaky. Nothing more is deduced about it, and a failure that an irregular test may have
caused counts for nothing. Earlier deductions from an irregular test may be wrong: the caller starts again from the
runs. Cost: a few operations on ints of n bits for each candidate of each test in a run.
"""

from collections.abc import Iterable, Sequence

from unknot.model.bits import positions


class Elimination:
    """All sets are bitsets of positions. `candidates[t]`: earlier tests that t may need. `confirmed[t]`: all that it is
    known to need, directly or not. `candidate_of[c]`, `needed_by[c]`: the inverse. `one_of[t]`: sets of candidates of
    which t needs at least one."""

    def __init__(self, size: int, undecided: Iterable[int], among: Sequence[int] | None = None) -> None:
        """Tests that are not `undecided` are taken to need nothing. `among` limits the candidates of each test, as
        bitsets; without it they are all earlier tests."""
        self.size = size
        self.candidates = [0] * size
        self.confirmed = [0] * size
        self.candidate_of = [0] * size
        self.needed_by = [0] * size
        self.one_of: list[list[int]] = [[] for _ in range(size)]
        self.irregular = 0
        for test in undecided:
            earlier = (1 << test) - 1
            self.candidates[test] = earlier if among is None else earlier & among[test]
            for other in positions(self.candidates[test]):
                self.candidate_of[other] |= 1 << test

    def possible(self, test: int) -> int:
        """All that the test needs or may need."""
        return self.candidates[test] | self.confirmed[test]

    def extent(self) -> tuple[int, int]:
        """Changes whenever something was deduced: the number of candidates, and of members of `one_of` groups."""
        return (
            sum(row.bit_count() for row in self.candidates),
            sum(~group.bit_count() for groups in self.one_of for group in groups),
        )

    def mark_irregular(self, test: int) -> None:
        """From now on nothing is deduced about this test."""
        self.irregular |= 1 << test
        self._clear(test, self.candidates[test], set())
        self.one_of[test] = []

    def take_as_known(self, test: int, needs: int) -> None:
        """An irregular test was found to need these, by other means."""
        self.confirmed[test] = needs
        for needed in positions(needs):
            self.needed_by[needed] |= 1 << test

    def learn(self, members: int, passed: int) -> None:
        """Takes a run of these members in reference order, and which of them behaved as expected."""
        changed: set[int] = set()
        not_working = ~members | self.irregular & ~passed
        for test in positions(members & ~self.irregular):
            earlier_lost = not_working & ((1 << test) - 1)
            if passed >> test & 1:
                self._clear(test, self.candidates[test] & ~members, changed)
                if self.confirmed[test] & earlier_lost:
                    self.mark_irregular(test)
            elif not self.confirmed[test] & earlier_lost:
                self._needs_one_of(test, self.candidates[test] & earlier_lost)
                changed.add(test)
        self._settle(changed)

    def can_do_with(self, test: int, before: int) -> None:
        """The test behaved as expected after these, in whatever order they ran."""
        changed: set[int] = set()
        if not self.irregular >> test & 1:
            self._clear(test, self.candidates[test] & ~before, changed)
            self._settle(changed)

    def _settle(self, changed: set[int]) -> None:
        while changed:
            test = min(changed)
            changed.remove(test)
            if self.irregular >> test & 1:
                continue
            possible = self.candidates[test] | self.confirmed[test]
            impossible = 0
            for candidate in positions(self.candidates[test]):
                if self.confirmed[candidate] & ~possible:
                    impossible |= 1 << candidate
            self._clear(test, impossible, changed)
            self._weigh_alternatives(test, changed)

    def _weigh_alternatives(self, test: int, changed: set[int]) -> None:
        groups, self.one_of[test] = self.one_of[test], []
        for group in groups:
            if self.irregular >> test & 1:
                return
            if not group & self.confirmed[test]:
                self._needs_one_of(test, group & self.candidates[test])
        singles = [group for group in self.one_of[test] if group & (group - 1) == 0]
        for group in singles:
            self._confirm(test, group.bit_length() - 1, changed)

    def _needs_one_of(self, test: int, group: int) -> None:
        if not group:
            self.mark_irregular(test)
            return
        for member in positions(group):
            if self.confirmed[member] & group:
                group &= ~(1 << member)
        if any(known & group == known for known in self.one_of[test]):
            return
        self.one_of[test] = [*(known for known in self.one_of[test] if known & group != group), group]

    def _clear(self, test: int, gone: int, changed: set[int]) -> None:
        if not gone:
            return
        self.candidates[test] &= ~gone
        for candidate in positions(gone):
            self.candidate_of[candidate] &= ~(1 << test)
        changed.add(test)

    def _confirm(self, test: int, needed: int, changed: set[int]) -> None:
        whole = self.confirmed[needed] | 1 << needed
        for dependent in (test, *positions(self.needed_by[test])):
            new = whole & ~self.confirmed[dependent]
            if not new or self.irregular >> dependent & 1:
                continue
            self.confirmed[dependent] |= new
            self._clear(dependent, self.candidates[dependent] & new, changed)
            for prerequisite in positions(new):
                self.needed_by[prerequisite] |= 1 << dependent
            changed.add(dependent)
            # Tests with this dependent as candidate may lose it, now that more of its needs are known.
            changed.update(positions(self.candidate_of[dependent]))
