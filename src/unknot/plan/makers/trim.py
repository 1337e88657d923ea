"""Takes out of orders what another order runs as well and nobody in this one needs."""

from collections.abc import Sequence

from unknot.plan.bitsets import members
from unknot.plan.constraints.ties import Ties
from unknot.plan.makers.pieces import Piece


def trim(orders: Sequence[Piece], ties: Ties) -> list[int]:
    """The members left in each order. Guarantee: what was safe stays safe, and every test stays in some order.

    A row carries a cleaner for polluters that may not be there, and one alternative where the order may hold another:
    only finished orders show that. Earlier orders are relieved first. An order that ends its process is no place for a
    test to run only once, so it neither gives nor takes. Cost: for each test run twice, the number of orders and the
    clauses and conflicts that name it.
    """
    left = _repeated([order.members for order in orders if not order.last])
    trimmed = []
    for order in orders:
        kept = order.members
        if not (order.whole or order.last):
            # Dependents before their prerequisites: what is taken out no longer needs anything.
            for test in sorted((test for test in left if kept >> test & 1), reverse=True):
                if left[test] > 1 and _is_idle(test, kept, ties):
                    kept ^= 1 << test
                    left[test] -= 1
        trimmed.append(kept)
    return trimmed


def _repeated(orders: Sequence[int]) -> dict[int, int]:
    """In how many orders each test is that is in more than one."""
    once = twice = 0
    for order in orders:
        twice |= once & order
        once |= order
    return {test: sum(order >> test & 1 for order in orders) for test in members(twice)}


def _is_idle(test: int, order: int, ties: Ties) -> bool:
    without = order ^ (1 << test)
    for dependent, alternatives in ties.clauses_with.get(test, ()):
        if without >> dependent & 1 and not alternatives & without:
            return False
    return not any(without >> victim & 1 and ban.strikes(without) for victim, ban in ties.bans_with.get(test, ()))
