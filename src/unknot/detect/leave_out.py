"""For when a clean state is dear: leave one test out, run the others, and read what came out of all of them.

Works from the last suspect to the first. When a test is left out, whatever stands after it and before a dependent was
decided before; so a dependent that does not do as wanted, with nothing else missing that it might need, needs the one
left out. At most n - 1 orders, whatever the density, and none for a suspect that nobody suspects any more.

Guarantee: under the papers' model (all needs are single tests, nobody pollutes) the edges found have the truth's
closure. Either-or needs do not show here, by construction: leaving one alternative out changes nothing. The caller
verifies.
"""

from unknot.detect.findings import Clause, Sight
from unknot.detect.lab import Lab
from unknot.model.bits import positions
from unknot.model.outcome import Outcome
from unknot.model.run import Run


class LeaveOut:
    """`confirmed[t]` is the bitset of what t was shown to need; suspects are what t was never seen without."""

    def __init__(self, lab: Lab, *, reorders: bool) -> None:
        """With `reorders`, tests that stand after a dependent might serve it too; they are not tried here, and the
        clauses say so."""
        self._lab = lab
        self._reorders = reorders
        self.confirmed = [0] * len(lab.suite)

    def run(self) -> None:
        waiting = self._suspects_of_any()
        self._lab.told("leaving out one suspect at a time", waiting.bit_count())
        batch = max(1, self._lab.price.workers)
        while waiting:
            lasts = list(positions(waiting))[-batch:]
            asked = {left_out: self._lab.question(self._company(left_out)) for left_out in lasts}
            answers = self._lab.ask(list(asked.values()))
            for left_out in reversed(lasts):
                self._conclude(answers[asked[left_out]])
                waiting &= ~(1 << left_out)
            waiting &= self._suspects_of_any()
        self._store()

    def _left(self, test: int) -> int:
        """Earlier tests that this one may need, as far as is known."""
        if test in self._lab.findings.flaky or self._lab.findings.wanted[test].is_bad:
            return 0
        return ((1 << test) - 1) & ~self._lab.pairs.without[test] & ~self.confirmed[test]

    def _suspects_of_any(self) -> int:
        suspects = 0
        for test in range(len(self._lab.suite)):
            suspects |= self._left(test)
        return suspects

    def _company(self, left_out: int) -> list[int]:
        """Everyone up to the last undecided dependent, without the one left out and who is known to need it.

        Everyone, not only those still suspected: a test that was cleared because another did its work in its place
        must be there, or an either-or need would look like a plain one.
        """
        barred = 1 << left_out
        for test in range(left_out, len(self._lab.suite)):
            if self.confirmed[test] & barred:
                barred |= 1 << test
        undecided = [t for t in range(left_out + 1, len(self._lab.suite)) if self._left(t) >> left_out & 1]
        return [test for test in range(max(undecided, default=-1) + 1) if not barred >> test & 1]

    def _conclude(self, run: Run) -> None:
        findings = self._lab.findings
        before: list[int] = []
        worked = 0
        for test, outcome in self._lab.outcomes(run):
            if outcome is findings.wanted[test]:
                worked |= 1 << test
            elif outcome is Outcome.NOT_RUN:
                return
            elif (missing := self._left(test) & ~worked).bit_count() == 1 and not self.confirmed[test] & ~worked:
                self.confirmed[test] |= missing
                findings.sights[test, missing.bit_length() - 1] = Sight(tuple(range(test)), tuple(before))
            before.append(test)

    def _store(self) -> None:
        for test, needed in enumerate(self.confirmed):
            if needed:
                clauses = (Clause((position,), complete=not self._reorders) for position in positions(needed))
                self._lab.findings.learn(test, tuple(clauses))
