"""Dependencies for other sets of tests than the recorded suite: a part of it, or the suite as it is now."""

from collections.abc import Iterable
from dataclasses import dataclass

from unknot.model.bits import members, wide_bits
from unknot.model.dependencies import Dependencies, Need
from unknot.model.errors import UsageError
from unknot.model.suite import Order, Suite, TestId
from unknot.plan.constraints.implications import Implication, index_rules, known_implications


def close_tests(
    dependencies: Dependencies,
    tests: Iterable[TestId],
    among: Iterable[TestId] | None = None,
    *,
    prefer_first: bool = False,
) -> Order:
    """These tests and what must run with them, in reference order: each then behaves as in the whole suite.

    Added are: for each need, a test that meets it, unless one is present; for each conflict whose polluters are
    present, a cleaner between them and the victim. Of several, the cheapest test without dependencies of its own is
    preferred, so the result is small but not minimal; with `prefer_first` it is the first in reference order, as in
    `Dependencies.closure`. If no such test is known, only the reference order is known to be
    safe, and all earlier tests are added. If `among` is given, only those tests are added; what is missing then is
    left out, and `restrict` reports it.

    Assumes that the dependencies hold for every subsequence of the reference order; tests that are not in the suite are
    ignored. While dependencies are incomplete, a part that is not a prefix of the reference order may still break.
    Cost: linear in the clauses and conflicts of the tests, times the rounds in which conflicts add tests.
    """
    closing = Closing(dependencies, known_implications(dependencies), prefer_first=prefer_first)
    usable = -1 if among is None else _places(dependencies, among)
    return dependencies.suite.order(members(closing.closed(_places(dependencies, tests), usable)))


def restrict(dependencies: Dependencies, tests: Iterable[TestId]) -> Dependencies:
    """The dependencies of a part of the suite, as if there were no other tests: any maker can plan with them.

    Raises UsageError, which names what is missing, unless the part is closed: its own reference order must be safe,
    because makers and the check assume it. Tests that are not in the suite are ignored.
    """
    part = _places(dependencies, tests)
    for rule in known_implications(dependencies):
        if rule.is_broken_by(part):
            raise UsageError(
                _describe_broken(rule, dependencies), hint="Add it, or leave both out.", slug="selection-incomplete"
            )
    return dependencies.among(dependencies.suite.order(members(part)))


def _describe_broken(rule: Implication, dependencies: Dependencies) -> str:
    tests = dependencies.suite.order
    (last,) = tests([rule.last])
    wanted = "all that runs before it" if rule.needs_all else " or ".join(tests(members(rule.wanted)))
    if rule.is_need:
        return f"{last} needs {wanted}, which is not among the tests to run"
    polluters = " and ".join(tests(members(rule.when ^ 1 << rule.last)))
    return f"{last} breaks after {polluters} without {wanted} in between, which is not among the tests to run"


def _places(dependencies: Dependencies, tests: Iterable[TestId]) -> int:
    return wide_bits(dependencies.suite.index[test] for test in tests if test in dependencies.suite.index)


class Closing:
    """Closes many parts, as bitsets, under the same rules. See `close_tests`."""

    def __init__(self, dependencies: Dependencies, rules: Iterable[Implication], *, prefer_first: bool = False) -> None:
        self._dependencies = dependencies
        self._prefer_first = prefer_first
        self._rules_about = index_rules(rules, lambda rule: rule.when)

    def closed(self, part: int, usable: int = -1) -> int:
        new = part
        undecided: list[Implication] = []
        while new or undecided:
            # What there is no choice about comes first: it may satisfy the other rules.
            added = 0
            for rule in self._rules_of(new):
                if rule.is_broken_by(part | added):
                    options = rule.wanted & usable
                    if rule.needs_all or options.bit_count() == 1:
                        added |= options
                    elif options:
                        undecided.append(rule)
            if not added:
                undecided = [rule for rule in undecided if rule.is_broken_by(part)]
                if undecided:
                    # Of several rules about one test, that with the latest alternatives, as in `Dependencies.closure`.
                    latest = max(undecided, key=lambda rule: (rule.is_need, rule.when, members(rule.wanted & usable)))
                    added = 1 << min(members(latest.wanted & usable), key=self._price)
            new = added & ~part
            part |= added
        return part

    def is_safe(self, part: int, new: int) -> bool:
        """Whether no rule about the new tests of the part is broken."""
        return not any(rule.is_broken_by(part) for rule in self._rules_of(new))

    def _rules_of(self, tests: int) -> Iterable[Implication]:
        return dict.fromkeys(rule for test in members(tests) for rule in self._rules_about.get(test, ()))

    def _price(self, place: int) -> tuple[bool, bool, float, int]:
        known, test = self._dependencies, self._dependencies.suite.tests[place]
        if self._prefer_first:
            return False, False, 0.0, place
        has_own = test in known.needs_of or test in known.conflicts_of
        return known.outcomes[test].is_bad, has_own, known.seconds.get(test, 0.0), place


@dataclass(frozen=True)
class MatchedSuite:
    """Recorded dependencies matched to the present suite: tests are added and deleted after a detection.

    `dependencies` are those of the tests that can be planned, in the present order of the suite. All its other tests
    are `unknown`, in its order: new tests, which were never analysed, and `orphaned` ones, whose prerequisites are no
    longer in the suite. `gone` are tests that only the dependencies name.
    """

    dependencies: Dependencies
    unknown: Order
    orphaned: Order
    gone: Order

    @property
    def new(self) -> Order:
        return tuple(test for test in self.unknown if test not in self.orphaned)


def match_suite(dependencies: Dependencies, suite: Suite) -> MatchedSuite:
    """Guarantee: every test of the suite is either planned or unknown, and each need of a planned test has a planned
    alternative. A conflict keeps all its polluters; it may lose cleaners, and its victim is then separated. Cost:
    linear in the dependencies, times the length of the longest chain of orphaned tests."""
    there = {test for test in suite.tests if test in dependencies.suite.index}
    orphaned: set[TestId] = set()
    while lost := {need.dependent for need in dependencies.needs if _is_lost(need, there)}:
        orphaned |= lost
        there -= lost
    return MatchedSuite(
        dependencies=dependencies.among(tuple(test for test in suite.tests if test in there)),
        unknown=tuple(test for test in suite.tests if test not in there),
        orphaned=tuple(test for test in suite.tests if test in orphaned),
        gone=tuple(test for test in dependencies.suite.tests if test not in suite.index),
    )


def _is_lost(need: Need, there: set[TestId]) -> bool:
    return need.dependent in there and there.isdisjoint(need.any_of)
