"""Each test with what it drags along, chosen by price."""

from collections.abc import Sequence

from unknot.plan.bitsets import Scale, members
from unknot.plan.constraints.implications import Rule


class Bundles:
    """`of[t]`: t with tests that satisfy every rule about members of the bundle, where there is a choice the cheapest.

    A heuristic choice: what is cheapest for one test need not be for many. Assumes that what a rule wants stands before
    the last test that it is about, and that the whole suite breaks no rule. Cost: linear in the rules and what they
    name, times the width of a bitset.
    """

    def __init__(self, prices: Sequence[float], rules: Sequence[Rule]) -> None:
        self._scale = Scale(prices)
        self._own: dict[int, list[Rule]] = {}
        self._joint: dict[int, list[Rule]] = {}
        self._in_joint = 0
        for rule in rules:
            if rule.when.bit_count() == 1:
                self._own.setdefault(rule.when.bit_length() - 1, []).append(rule)
            else:
                self._in_joint |= rule.when
                for test in members(rule.when):
                    self._joint.setdefault(test, []).append(rule)
        self.of: list[int] = []
        for test in range(len(prices)):
            self.of.append(self._bundle(test))

    def closed(self, part: int) -> int:
        """The part, which may be any, with what it wants, and what that wants."""
        whole = 0
        for test in members(part):
            whole |= self.of[test]
        return self._settled(whole, whole)

    def joined(self, part: int, test: int) -> int:
        """As `closed`, for a part that is closed and one more test."""
        return self._settled(part | self.of[test], self.of[test] & ~part)

    def weigh(self, part: int) -> float:
        return self._scale.weigh(part)

    def _bundle(self, test: int) -> int:
        part = 1 << test
        # Fewest alternatives first: what must be there anyway may satisfy the wider rules.
        for rule in sorted(self._own.get(test, ()), key=lambda rule: (not rule.whole, rule.wanted.bit_count())):
            part |= self._missing(rule, part)
        return self._settled(part, part)

    def _settled(self, part: int, new: int) -> int:
        """Single tests bring their own rules' answers with them; rules about several tests are looked at here."""
        fresh = new & self._in_joint
        while fresh:
            grown = part
            for test in members(fresh):
                for rule in self._joint[test]:
                    grown |= self._missing(rule, grown)
            fresh, part = grown & ~part & self._in_joint, grown
        return part

    def _missing(self, rule: Rule, part: int) -> int:
        if not rule.is_broken_by(part):
            return 0
        if rule.whole:
            # A beginning of the suite, which wants nothing more.
            return rule.wanted
        option = min(members(rule.wanted), key=lambda option: (self._scale.weigh(self.of[option] & ~part), option))
        return self.of[option]
