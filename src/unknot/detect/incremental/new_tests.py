"""Orders in which new tests meet everybody else, and the search for who broke whom.

Idea
    One order shows every newcomer after all who stand before it and everyone else after the newcomers. The reference
    order backwards, the newcomers first, the newcomers last: after these, few pairs with a newcomer are left, and
    those, victims mostly that others broke on the way, are put together in as few orders as they bear.
Assumptions
    Old tests do to each other what they always did, so that only pairs with a newcomer count. A cleaner may stand
    between a newcomer and its victim each time: then the pair counts as tried, as it does in any other detection.
Guarantee
    Notes only what was seen; a pollution is learned only from the search that shows it.
Cost
    Three orders of the whole suite, one for each layer of victims, and one for each newcomer that was never seen after
    somebody. What is broken costs a search, about 2 log2 n orders for each polluter.
"""

import random
from collections.abc import Collection, Iterator

from unknot.detect.engine import orders
from unknot.detect.engine.session import Lab
from unknot.detect.sieve.conflict_causes import find_culprits, unexplained
from unknot.detect.sieve.isolation import Seen, deviations
from unknot.model.bits import positions
from unknot.model.run import Question

_MOST_ROUNDS = 8


class Meetings:
    """`needs_more` are tests that were seen broken and fail with all they are known to need, too."""

    def __init__(self, lab: Lab, newcomers: Collection[int], *, reorders: bool, thorough: bool, seed: int) -> None:
        self._lab = lab
        self._newcomers = sorted(newcomers)
        self._reorders = reorders
        self._thorough = thorough
        self._seed = seed
        self.needs_more: set[int] = set()

    def run(self, seen: Seen) -> bool:
        """Whether everything seen was explained in the end."""
        lab = self._lab
        self.needs_more.clear()
        sequences = list(self._reorderings() if self._reorders else self._selections())
        lab.told("letting new tests meet the others", len(sequences))
        self._watch([lab.question(sequence) for sequence in sequences], seen)
        if not self._explain(seen):
            return False
        self._try_untried(seen)
        if self._thorough and self._reorders:
            self._watch(list(self._side_by_side()), seen)
        return self._explain(seen)

    def _watch(self, questions: list[Question], seen: Seen) -> None:
        for run in self._lab.runs(questions):
            deviations(self._lab, run, seen)

    def _reorderings(self) -> Iterator[list[int]]:
        closure = self._lab.findings.closure
        everyone = range(len(self._lab.suite))
        yield orders.respecting(reversed(everyone), closure)
        if self._newcomers:
            others = [test for test in everyone if test not in self._newcomers]
            yield orders.respecting([*self._newcomers, *others], closure)
            random.Random(self._seed).shuffle(others)
            yield orders.respecting([*others, *reversed(self._newcomers)], closure)

    def _selections(self) -> Iterator[list[int]]:
        """Reference order throughout: the newcomers with a random half of the others, then with the other half."""
        if not self._newcomers:
            return
        chance = random.Random(self._seed)
        others = [test for test in range(len(self._lab.suite)) if test not in self._newcomers]
        half = {test for test in others if chance.random() < 0.5}
        for chosen in (half, [test for test in others if test not in half]):
            yield self._lab.findings.closed([*self._newcomers, *chosen])

    def _try_untried(self, seen: Seen) -> None:
        lab = self._lab
        for _ in range(_MOST_ROUNDS):
            waiting = [test for test in range(len(lab.suite)) if lab.untried(test)]
            together = self._together(waiting) if self._reorders else []
            if len(together) < 2:
                break
            self._watch([lab.question(orders.respecting(self._newcomers + together, lab.findings.closure))], seen)
            if len([test for test in waiting if lab.untried(test)]) == len(waiting):
                break
        alone = (self._with_all_untried(test) for test in range(len(lab.suite)))
        self._watch([question for question in alone if question], seen)

    def _together(self, waiting: list[int]) -> list[int]:
        """Those that do not break each other, one after another, after the newcomers."""
        findings = self._lab.findings
        order = orders.respecting(self._newcomers, findings.closure)
        chosen: list[int] = []
        for test in waiting:
            if test in order:
                continue
            company = [member for member in findings.closure(test)[:-1] if member not in order]
            if not findings.explains(test, [*order, *company]):
                chosen.append(test)
                order += [*company, test]
        return chosen

    def _with_all_untried(self, test: int) -> Question | None:
        lab = self._lab
        lost = lab.findings.stranded({test, *lab.polluters_of(test)})
        left = [other for other in positions(lab.untried(test)) if other not in lost]
        return lab.after([*left, *lab.findings.closure(test)[:-1]], test) if left else None

    def _side_by_side(self) -> Iterator[Question]:
        """Every newcomer right after every other test, and every other test right after it: nobody can hide it."""
        lab, findings = self._lab, self._lab.findings
        for newcomer in self._newcomers:
            for other in range(len(lab.suite)):
                for first, second in ((newcomer, other), (other, newcomer)):
                    if first == second or second in findings.closure(first) or second in findings.flaky:
                        continue
                    needed = [*findings.closure(first)[:-1], *findings.closure(second)[:-1]]
                    company = findings.closed(needed, frozenset({second}))
                    before = [member for member in company if member not in (first, second)]
                    if not findings.wanted[second].is_bad:
                        yield lab.question([*before, first, second])

    def _explain(self, seen: Seen) -> bool:
        lab = self._lab
        for _ in range(_MOST_ROUNDS):
            evidence = unexplained(lab, seen)
            if not evidence:
                return True
            self.needs_more |= lab.failing_closures(evidence)
            if self.needs_more:
                # Whoever takes them along would seem to break what they fail to set up.
                return False
            find_culprits(lab, seen, evidence, one_by_one=self._thorough)
        return not unexplained(lab, seen)
