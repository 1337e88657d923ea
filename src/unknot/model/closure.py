"""What a test needs, and what that needs in turn."""

from collections.abc import Callable, Sequence

from unknot.model.bits import positions

Clauses = Callable[[int], Sequence[Sequence[int]]]
"""The needs of a position: any one of each."""


def closure_bits(test: int, clauses: Clauses) -> int:
    """The test and enough others that each member's needs are met by members, as a bitset.

    Without a choice, what is needed is taken; only then, for clauses still open, the latest first, the first option
    in reference order. Options that stand before their dependent are preferred: with them, reference order is an
    order that works. Ends on any input, also on needs that form a cycle.
    """
    chosen = 1 << test
    fresh = [test]
    undecided: list[tuple[int, list[int]]] = []
    while True:
        while fresh:
            current = fresh.pop()
            for clause in clauses(current):
                options = [option for option in clause if option < current] or list(clause)
                if len(options) > 1:
                    undecided.append((current, options))
                elif not chosen >> options[0] & 1:
                    chosen |= 1 << options[0]
                    fresh.append(options[0])
        undecided = [entry for entry in undecided if not any(chosen >> option & 1 for option in entry[1])]
        if not undecided:
            return chosen
        _, (taken, *_) = max(undecided)
        chosen |= 1 << taken
        fresh.append(taken)


def runnable_order(members: int, clauses: Clauses) -> list[int]:
    """These tests, given as a bitset, in reference order, but a test that another one needs is moved before it.

    Guarantee: a test that has what it needs in some order of these tests has it in this one. Cost: linear in the
    clauses; if the first helper of a test cannot serve it, that times the number of tests."""
    order: list[int] = []
    served: set[int] = set()
    begun: set[int] = set()
    is_doubtful = False

    def place(test: int) -> None:
        nonlocal is_doubtful
        begun.add(test)
        is_served = True
        for clause in clauses(test):
            if served.isdisjoint(clause):
                there = [option for option in clause if members >> option & 1]
                helper = next((option for option in there if option not in begun), None)
                if helper is not None:
                    place(helper)
                if served.isdisjoint(there):
                    is_served = False
                    is_doubtful |= bool(there)
        if is_served:
            served.add(test)
        order.append(test)

    for test in positions(members):
        if test not in begun:
            place(test)
    return _one_by_one(members, clauses) if is_doubtful else order


def _one_by_one(members: int, clauses: Clauses) -> list[int]:
    """Always the first test whose needs are met; in the end those whose needs these tests cannot meet."""
    left = list(positions(members))
    served: dict[int, None] = {}
    while True:
        ready = (test for test in left if not any(served.keys().isdisjoint(clause) for clause in clauses(test)))
        test = next(ready, None)
        if test is None:
            return [*served, *left]
        served[test] = None
        left.remove(test)
