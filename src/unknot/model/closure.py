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
    clauses; if tests wait for each other in a circle, that times the number of tests."""
    order: list[int] = []
    placed: set[int] = set()
    begun: set[int] = set()
    is_circle = False

    def place(test: int) -> None:
        nonlocal is_circle
        begun.add(test)
        for clause in clauses(test):
            if placed.isdisjoint(clause):
                there = [option for option in clause if members >> option & 1]
                helper = next((option for option in there if option not in begun), None)
                if helper is not None:
                    place(helper)
                if there and placed.isdisjoint(there):
                    is_circle = True
        placed.add(test)
        order.append(test)

    for test in positions(members):
        if test not in begun:
            place(test)
    return _one_by_one(members, clauses) if is_circle else order


def _one_by_one(members: int, clauses: Clauses) -> list[int]:
    """Always the first test whose needs are met, as far as these tests can meet them; in the end the others."""
    left = list(positions(members))
    open_clauses = {
        test: [there for clause in clauses(test) if (there := [one for one in clause if members >> one & 1])]
        for test in left
    }
    placed: set[int] = set()
    order: list[int] = []
    while left:
        ready = (test for test in left if not any(placed.isdisjoint(clause) for clause in open_clauses[test]))
        test = next(ready, left[0])
        left.remove(test)
        placed.add(test)
        order.append(test)
    return order
