"""Cuts a suite into pieces, each safe by itself, to be distributed over lanes; and trims the finished orders."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unknot.model.bits import WeightTable, bits, members
from unknot.plan.constraints.order_constraints import Exclusion, OrderConstraints, any_strikes


@dataclass(frozen=True)
class Piece:
    """`members` is closed under needs and safe in reference order. `exclusions` could strike if tests were added;
    pieces without any are free to be joined with others. `last` pieces go to the end of their lane, in orders of their
    own. `is_prefix`: safe because it is a prefix of the reference order; nothing may be added or left out."""

    members: int
    weight: float
    exclusions: frozenset[Exclusion] = frozenset()
    last: bool = False
    is_prefix: bool = False

    @property
    def is_free(self) -> bool:
        return not (self.exclusions or self.last or self.is_prefix)

    def may_join(self, other: "Piece") -> bool:
        """Whether the two are safe as one order."""
        if self.last or self.is_prefix or other.last or other.is_prefix:
            return False
        return not any_strikes(self.exclusions | other.exclusions, self.members | other.members)


def cut(
    constraints: OrderConstraints, targets: Sequence[int], scale: WeightTable, most: float, groups: Sequence[str]
) -> list[Piece]:
    """Pieces that together hold every target, with up to about `most` seconds of work found in no earlier piece.

    A group is cut only if it is longer than that; groups shorter than a quarter of it share a piece with the next one.
    So there are at most about 8 * work / most pieces, however many tests and groups there are, unless conflicts without
    a cleaner force more. Cost: linear in targets, times the width of a bitset, plus the members of all pieces.
    """
    untaken = sinks(constraints, targets)
    joined = [sink for sink in untaken if sink not in constraints.unresolved]
    kept_apart = [sink for sink in untaken if sink in constraints.unresolved]
    pieces = _fill(constraints, _by_group(joined, groups), scale, most, groups)
    # Tests that must avoid the same polluters can share an order.
    kept_apart.sort(
        key=lambda sink: sorted((exclusion.polluters, exclusion.cleaners) for exclusion in constraints.unresolved[sink])
    )
    return pieces + _fill(constraints, kept_apart, scale, most, groups)


def sinks(constraints: OrderConstraints, targets: Sequence[int]) -> list[int]:
    """Targets that are in no other target's closure, in the given sequence."""
    taken = 0
    for target in targets:
        taken |= constraints.closures[target] ^ (1 << target)
    untaken = set(members(bits(targets) & ~taken))
    return [target for target in targets if target in untaken]


def _by_group(untaken: Iterable[int], groups: Sequence[str]) -> list[int]:
    """Groups in the sequence of their first member; a group's members need not be neighbours in reference order."""
    members_of: dict[str, list[int]] = {}
    for sink in untaken:
        members_of.setdefault(groups[sink], []).append(sink)
    return [sink for together in members_of.values() for sink in together]


def _fill(
    constraints: OrderConstraints, untaken: Sequence[int], scale: WeightTable, most: float, groups: Sequence[str]
) -> list[Piece]:
    """A piece grows until `fresh`, its work that no earlier piece does, reaches the limit. Cutting by that, and not by
    the piece's whole work, avoids one piece for each of many tests behind one long chain."""
    pieces: list[Piece] = []
    seen = held = 0
    fresh, group = 0.0, ""
    exclusions: frozenset[Exclusion] = frozenset()
    for sink in untaken:
        row, more = constraints.closures[sink], constraints.unresolved.get(sink, frozenset())
        added = scale.weigh(row & ~seen)
        seen |= row
        room = most if groups[sink] == group else most / 4
        if held and (fresh + added > room or any_strikes(exclusions | more, held | row)):
            pieces.append(Piece(held, scale.weigh(held), exclusions))
            held, fresh, exclusions = 0, 0.0, frozenset()
        held |= row
        fresh += added
        group = groups[sink]
        exclusions |= more
    return [*pieces, Piece(held, scale.weigh(held), exclusions)] if held else pieces


def trim(orders: Sequence[Piece], constraints: OrderConstraints) -> list[int]:
    """The members left in each order, without tests that another order also runs and that no test in this one needs.

    Guarantee: what was safe stays safe, and every test stays in some order. A closure includes a cleaner for polluters
    that may be absent, and one alternative where the order may hold another; only finished orders show that. Earlier
    orders are trimmed first. An order that ends its process must not be the only one to run a test, so it is left as it
    is. Cost: for each test run twice, the number of orders and the clauses and conflicts that name it.
    """
    left = _repeated([order.members for order in orders if not order.last])
    trimmed = []
    for order in orders:
        kept = order.members
        if not (order.is_prefix or order.last):
            # Dependents before their prerequisites: a removed test no longer needs anything.
            for test in sorted((test for test in left if kept >> test & 1), reverse=True):
                if left[test] > 1 and _is_idle(test, kept, constraints):
                    kept ^= 1 << test
                    left[test] -= 1
        trimmed.append(kept)
    return trimmed


def _repeated(orders: Sequence[int]) -> dict[int, int]:
    """The number of orders for each test that is in more than one."""
    once = twice = 0
    for order in orders:
        twice |= once & order
        once |= order
    return {test: sum(order >> test & 1 for order in orders) for test in members(twice)}


def _is_idle(test: int, order: int, constraints: OrderConstraints) -> bool:
    without = order ^ (1 << test)
    return not any(rule.is_broken_by(without) for rule in constraints.satisfied_by.get(test, ()))


def by_prerequisites(
    constraints: OrderConstraints, targets: Sequence[int], scale: WeightTable, groups: Sequence[str]
) -> tuple[Sequence[int], Sequence[str]]:
    """The targets in a sequence in which neighbours share expensive prerequisites, and a group for every test.

    The parent of a test is the most expensive of the tests included in its closure, by the weight of their own
    closures. Walking these trees from their roots keeps together what would run twice if it were separated. A tree is
    one group; a test without relatives keeps its own. Cost: linear in the tests and their prerequisites, times the
    width of a bitset.
    """
    weight = {
        other: scale.weigh(constraints.closures[other]) for others in constraints.included.values() for other in others
    }
    above = {
        test: max(others, key=lambda other: (weight[other], -other)) for test, others in constraints.included.items()
    }
    below: dict[int, list[int]] = {}
    for test in sorted(above):
        below.setdefault(above[test], []).append(test)
    found = list(groups)
    sequence: list[int] = []
    for root in (test for test in range(len(constraints.closures)) if test not in above):
        waiting = [root]
        while waiting:
            test = waiting.pop()
            sequence.append(test)
            waiting.extend(reversed(below.get(test, ())))
            if root in below:
                found[test] = f"{root}"
    wanted = set(targets)
    return [test for test in sequence if test in wanted], found
