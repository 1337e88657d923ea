"""What follows from a run for every test in it: whom each test may still need, and whom it surely does.

Deduction under the papers' model (every need is a single test, nobody pollutes):

- t passes: it needs nobody who was left out; nor anybody who is known to need such a one.
- t fails: it needs one of those suspects who were left out. A suspect who is known to need another of them says nothing
  that the other does not. When one is left, t needs that one, and all that it needs.

A test that contradicts the model (it failed although none of its suspects was missing) is *odd*: it has alternatives,
is polluted, or flaky. Nothing is deduced about it any more, and others' failures are not pinned on whoever was left out
if they may be due to an odd test that failed. What was deduced from an odd test before it was known to be odd may be
wrong: the caller starts anew from the runs. Cost: a few operations on ints of n bits for each suspect of each test in a
run.
"""

from collections.abc import Iterable, Sequence

from unknot.model.bits import positions


class Suspicions:
    """All sets are bitsets of positions. `suspects[t]`: earlier tests that t may need. `confirmed[t]`: all that it is
    known to need, directly or not. `suspected_by[c]`, `needed_by[c]`: the same, from the other end. `either[t]`: sets
    of suspects of which t needs at least one."""

    def __init__(self, size: int, undecided: Iterable[int], among: Sequence[int] | None = None) -> None:
        """Nothing is asked about tests that are not `undecided`: they are taken to need nobody. `among` are those, as
        bitsets, whom each test may need at all; without it every earlier one."""
        self.size = size
        self.suspects = [0] * size
        self.confirmed = [0] * size
        self.suspected_by = [0] * size
        self.needed_by = [0] * size
        self.either: list[list[int]] = [[] for _ in range(size)]
        self.odd = 0
        for test in undecided:
            earlier = (1 << test) - 1
            self.suspects[test] = earlier if among is None else earlier & among[test]
            for other in positions(self.suspects[test]):
                self.suspected_by[other] |= 1 << test

    def extent(self) -> tuple[int, int]:
        """Changes whenever something was learned: suspicions, and members of the groups of which one is needed."""
        return (
            sum(row.bit_count() for row in self.suspects),
            sum(~group.bit_count() for groups in self.either for group in groups),
        )

    def make_odd(self, test: int) -> None:
        """From now on nothing is deduced about this test."""
        self.odd |= 1 << test
        self._clear(test, self.suspects[test], set())
        self.either[test] = []

    def learn(self, members: int, passed: int) -> None:
        """A run of these members in reference order, and who of them did as wanted."""
        changed: set[int] = set()
        not_working = ~members | self.odd & ~passed
        for test in positions(members & ~self.odd):
            earlier_lost = not_working & ((1 << test) - 1)
            if passed >> test & 1:
                self._clear(test, self.suspects[test] & ~members, changed)
                if self.confirmed[test] & earlier_lost:
                    self.make_odd(test)
            elif not self.confirmed[test] & earlier_lost:
                self._needs_one_of(test, self.suspects[test] & earlier_lost)
                changed.add(test)
        self._settle(changed)

    def can_do_with(self, test: int, before: int) -> None:
        """The test did as wanted after these, in whatever order they ran."""
        changed: set[int] = set()
        if not self.odd >> test & 1:
            self._clear(test, self.suspects[test] & ~before, changed)
            self._settle(changed)

    def _settle(self, changed: set[int]) -> None:
        while changed:
            test = min(changed)
            changed.remove(test)
            if self.odd >> test & 1:
                continue
            possible = self.suspects[test] | self.confirmed[test]
            impossible = 0
            for suspect in positions(self.suspects[test]):
                if self.confirmed[suspect] & ~possible:
                    impossible |= 1 << suspect
            self._clear(test, impossible, changed)
            self._weigh_alternatives(test, changed)

    def _weigh_alternatives(self, test: int, changed: set[int]) -> None:
        told, self.either[test] = self.either[test], []
        for group in told:
            if self.odd >> test & 1:
                return
            if not group & self.confirmed[test]:
                self._needs_one_of(test, group & self.suspects[test])
        singles = [group for group in self.either[test] if group & (group - 1) == 0]
        for group in singles:
            self._confirm(test, group.bit_length() - 1, changed)

    def _needs_one_of(self, test: int, group: int) -> None:
        if not group:
            self.make_odd(test)
            return
        for member in positions(group):
            if self.confirmed[member] & group:
                group &= ~(1 << member)
        if any(known & group == known for known in self.either[test]):
            return
        self.either[test] = [*(known for known in self.either[test] if known & group != group), group]

    def _clear(self, test: int, gone: int, changed: set[int]) -> None:
        if not gone:
            return
        self.suspects[test] &= ~gone
        for suspect in positions(gone):
            self.suspected_by[suspect] &= ~(1 << test)
        changed.add(test)

    def _confirm(self, test: int, needed: int, changed: set[int]) -> None:
        whole = self.confirmed[needed] | 1 << needed
        for dependent in (test, *positions(self.needed_by[test])):
            new = whole & ~self.confirmed[dependent]
            if not new or self.odd >> dependent & 1:
                continue
            self.confirmed[dependent] |= new
            self._clear(dependent, self.suspects[dependent] & new, changed)
            for prerequisite in positions(new):
                self.needed_by[prerequisite] |= 1 << dependent
            changed.add(dependent)
            # Whoever may need this dependent may not, now that more is known of what comes with it.
            changed.update(positions(self.suspected_by[dependent]))
