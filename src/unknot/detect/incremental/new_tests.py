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
from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.conflict_causes import find_culprits, unexplained
from unknot.detect.sieve.isolation import Seen, deviations
from unknot.model.bits import positions
from unknot.model.run import OrderRequest

_MOST_ROUNDS = 8


class Meetings:
    """`needs_more` are tests that were seen broken and fail with all they are known to need, too."""

    def __init__(
        self, session: SearchSession, newcomers: Collection[int], *, reorders: bool, thorough: bool, seed: int
    ) -> None:
        self._session = session
        self._newcomers = sorted(newcomers)
        self._reorders = reorders
        self._thorough = thorough
        self._seed = seed
        self.needs_more: set[int] = set()

    def run(self, seen: Seen) -> bool:
        """Whether everything seen was explained in the end."""
        session = self._session
        self.needs_more.clear()
        sequences = list(self._reorderings() if self._reorders else self._selections())
        session.start_step("letting new tests meet the others", len(sequences))
        self._watch([session.request(sequence) for sequence in sequences], seen)
        if not self._explain(seen):
            return False
        self._try_untried(seen)
        if self._thorough and self._reorders:
            self._watch(list(self._side_by_side()), seen)
        return self._explain(seen)

    def _watch(self, requests: list[OrderRequest], seen: Seen) -> None:
        for run in self._session.runs(requests):
            deviations(self._session, run, seen)

    def _reorderings(self) -> Iterator[list[int]]:
        closure = self._session.findings.closure
        everyone = range(len(self._session.suite))
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
        others = [test for test in range(len(self._session.suite)) if test not in self._newcomers]
        half = {test for test in others if chance.random() < 0.5}
        for chosen in (half, [test for test in others if test not in half]):
            yield self._session.findings.closed([*self._newcomers, *chosen])

    def _try_untried(self, seen: Seen) -> None:
        session = self._session
        for _ in range(_MOST_ROUNDS):
            waiting = [test for test in range(len(session.suite)) if session.untried(test)]
            together = self._together(waiting) if self._reorders else []
            if len(together) < 2:
                break
            self._watch(
                [session.request(orders.respecting(self._newcomers + together, session.findings.closure))], seen
            )
            if len([test for test in waiting if session.untried(test)]) == len(waiting):
                break
        alone = (self._with_all_untried(test) for test in range(len(session.suite)))
        self._watch([request for request in alone if request], seen)

    def _together(self, waiting: list[int]) -> list[int]:
        """Those that do not break each other, one after another, after the newcomers."""
        findings = self._session.findings
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

    def _with_all_untried(self, test: int) -> OrderRequest | None:
        session = self._session
        lost = session.findings.stranded({test, *session.polluters_of(test)})
        left = [other for other in positions(session.untried(test)) if other not in lost]
        return session.after([*left, *session.findings.closure(test)[:-1]], test) if left else None

    def _side_by_side(self) -> Iterator[OrderRequest]:
        """Every newcomer right after every other test, and every other test right after it: nobody can hide it."""
        session, findings = self._session, self._session.findings
        for newcomer in self._newcomers:
            for other in range(len(session.suite)):
                for first, second in ((newcomer, other), (other, newcomer)):
                    if first == second or second in findings.closure(first) or second in findings.flaky:
                        continue
                    needed = [*findings.closure(first)[:-1], *findings.closure(second)[:-1]]
                    company = findings.closed(needed, frozenset({second}))
                    before = [member for member in company if member not in (first, second)]
                    if not findings.wanted[second].is_bad:
                        yield session.request([*before, first, second])

    def _explain(self, seen: Seen) -> bool:
        session = self._session
        for _ in range(_MOST_ROUNDS):
            evidence = unexplained(session, seen)
            if not evidence:
                return True
            self.needs_more |= session.failing_closures(evidence)
            if self.needs_more:
                # Whoever takes them along would seem to break what they fail to set up.
                return False
            find_culprits(session, seen, evidence, one_by_one=self._thorough)
        return not unexplained(session, seen)
