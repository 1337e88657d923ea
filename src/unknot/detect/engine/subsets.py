"""Which of many candidates are sufficient: one minimal set, and every single one that suffices alone.

The searches take `probe`, which turns a subset of candidates into the order that tries it, and `holds`, which reads the
run. Candidates are positions; they are halved at fixed borders (0-31 | 32-63), so that searches for different tests try
the same groups and share their runs.

`breadth` is how many orders a search may run at once because workers would be idle otherwise: more and shorter orders,
of which fewer wait for each other. It does not change what is found if the property is monotone.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from unknot.detect.engine.parallel import Search
from unknot.model.run import OrderRequest, Run


def minimal_transversals(sets: Iterable[frozenset[int]], most: int) -> list[frozenset[int]] | None:
    """All of them, by adding one set after another (Berge); None if there are more than `most` on the way.

    >>> [sorted(found) for found in minimal_transversals([frozenset({0, 1}), frozenset({1, 2})], 10)]
    [[1], [0, 2]]
    """
    found: list[frozenset[int]] = [frozenset()]
    for group in sets:
        meeting = [old for old in found if old & group]
        extended = [old | {member} for old in found if not old & group for member in group]
        found = _smallest([*meeting, *extended])
        if len(found) > most:
            return None
    return found


def _smallest(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    kept: list[frozenset[int]] = []
    for candidate in sorted(sets, key=lambda members: (len(members), sorted(members))):
        if not any(smaller <= candidate for smaller in kept):
            kept.append(candidate)
    return kept


_BEGINNINGS = 8

Probe = Callable[[Sequence[int]], OrderRequest]
Holds = Callable[[Run], bool]


def halves(candidates: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """Cuts sorted candidates, two at least, where their first and last position first differ in a binary digit.

    >>> halves([1, 2, 3, 4, 9])
    ([1, 2, 3, 4], [9])
    """
    digit = (candidates[0] ^ candidates[-1]).bit_length() - 1
    border = candidates[-1] >> digit << digit
    cut = next(place for place, position in enumerate(candidates) if position >= border)
    return candidates[:cut], candidates[cut:]


def parts(candidates: Sequence[int], most: int) -> list[Sequence[int]]:
    """Halves, halves of halves and so on; at most `most` parts, none of them empty.

    >>> parts([1, 2, 3, 4, 9], 4)
    [[1, 2, 3], [4], [9]]
    """
    found = [candidates] if candidates else []
    while len(found) * 2 <= most and any(len(part) > 1 for part in found):
        found = [half for part in found for half in (halves(part) if len(part) > 1 else (part,))]
    return found


def first_sufficient(
    groups: Sequence[Sequence[int]], probe: Probe, holds: Holds, *, at_once: bool
) -> Search[Sequence[int] | None]:
    """The first of the groups for which the property holds. Tries one after another, or all `at_once`."""
    batches = [groups] if at_once else [[group] for group in groups]
    for batch in batches:
        runs = yield [probe(group) for group in batch]
        for group, run in zip(batch, runs, strict=True):
            if holds(run):
                return group
    return None


def minimal(
    candidates: Sequence[int], probe: Probe, holds: Holds, breadth: int = 1, *, branches: bool = False
) -> Search[tuple[int, ...]]:
    """One minimal subset for which the property holds: halving, as in Junker's QuickXplain, but where one half is
    sufficient alone, the other is dropped. With some breadth there are more parts than two.

    Assumes that the property holds for all candidates together, and still holds when candidates are added. If the
    second assumption is broken, the result may not be minimal or not hold: the caller verifies. Cost: about 2k
    log2(n/k) + 2k orders for a subset of k; for k = 1, about 2n candidates in all of them together. With breadth b, a
    subset of one takes log n / log b batches of b orders, with n (1 + 1/b + …) candidates in all of them together; one
    of k takes up to 2k times as many batches. With `branches`, for a runner that runs what orders share at their
    beginning once, the first orders are beginnings of one another: a subset of one takes n (1 + 1/8 + …) candidates and
    log n / log 8 batches, however many searches run side by side over the same candidates."""
    if not candidates:
        return ()
    if branches:
        return tuple(sorted((yield from _explain_by_beginnings((), candidates, probe, holds))))
    return tuple(sorted((yield from _explain((), candidates, probe, holds, breadth))))


def minimal_preferring(
    preferred: Sequence[Sequence[int]],
    candidates: Sequence[int],
    probe: Probe,
    holds: Holds,
    breadth: int = 1,
    *,
    branches: bool = False,
) -> Search[tuple[int, ...]]:
    """The same as `minimal`, among the first of the preferred groups that is sufficient; if none is, among all
    candidates.

    Cost: one order for each preferred group that is not sufficient, in addition to `minimal` for the one that is."""
    group = yield from first_sufficient(preferred, probe, holds, at_once=False)
    return (yield from minimal(candidates if group is None else group, probe, holds, breadth, branches=branches))


def _explain(
    given: tuple[int, ...], candidates: Sequence[int], probe: Probe, holds: Holds, breadth: int
) -> Search[tuple[int, ...]]:
    """What must be added to `given`. Assumes that all candidates are sufficient, and none of them are not."""
    if len(candidates) == 1:
        return tuple(candidates)
    groups = parts(candidates, max(2, breadth))

    def with_given(group: Sequence[int]) -> OrderRequest:
        return probe(sorted((*given, *group)))

    enough = yield from first_sufficient(groups, with_given, holds, at_once=breadth > 1)
    if enough is not None:
        return (yield from _explain(given, enough, probe, holds, breadth))
    # No part is sufficient alone. Find the shortest beginning that is; its last part has something that is needed.
    borders = list(accumulate(len(group) for group in groups))
    beginnings = [candidates[:border] for border in borders[1:-1]]
    beginning = yield from first_sufficient(beginnings, with_given, holds, at_once=True)
    last = len(groups) - 1 if beginning is None else borders.index(len(beginning))
    before = candidates[: borders[last - 1]]
    from_last = yield from _explain((*given, *before), groups[last], probe, holds, breadth)
    from_before = yield from _explain((*given, *from_last), before, probe, holds, breadth)
    return (*from_before, *from_last)


def _explain_by_beginnings(
    given: tuple[int, ...], candidates: Sequence[int], probe: Probe, holds: Holds
) -> Search[tuple[int, ...]]:
    """The same, for any sequence of candidates, with all beginnings in one batch and a part of them after that."""
    if len(candidates) == 1:
        return tuple(candidates)
    count = min(_BEGINNINGS, len(candidates))
    borders = [len(candidates) * number // count for number in range(count + 1)]
    runs = yield [probe((*given, *candidates[:border])) for border in borders[1:-1]]
    last = next((place for place, run in enumerate(runs, start=1) if holds(run)), count)
    before, part = candidates[: borders[last - 1]], candidates[borders[last - 1] : borders[last]]
    if before:
        (run,) = yield [probe((*given, *part))]
        if not holds(run):
            from_last = yield from _explain_by_beginnings((*given, *before), part, probe, holds)
            from_before = yield from _explain_by_beginnings((*given, *from_last), before, probe, holds)
            return (*from_before, *from_last)
    return (yield from _explain_by_beginnings(given, part, probe, holds))


def singles(
    candidates: Sequence[int],
    probe: Probe,
    holds: Holds,
    *,
    one_by_one: bool = False,
    likely: int = 0,
    breadth: int = 1,
    holds_for_all: bool = False,
) -> Search[tuple[int, ...]]:
    """Every candidate for which the property holds alone, by group testing; with `one_by_one`, each is tried alone. The
    `likely` candidates, a bitset, are tried apart from the others. With `holds_for_all`, the property is known to hold
    for all candidates together.

    Assumes that a group with such a candidate has the property too. If one member undoes the effect of another,
    candidates can be missed but never invented: each one found was tried alone. Cost: one order if there is none; about
    2k log2(n/k) + 1 for k; if all k are among m likely ones, about 2k log2(m/k) + 3, and if none is, two orders more
    than without. With breadth b, b orders if there is none, and log n / log b batches otherwise."""
    found: list[int] = []
    groups = parts(candidates, max(1, breadth))
    apart = _apart(candidates, likely)
    if holds_for_all and len(groups) == 1:
        groups = apart or parts(candidates, 2)
    if one_by_one:
        groups = [[candidate] for candidate in candidates]
    while groups:
        runs = yield [probe(group) for group in groups]
        hits = [group for group, run in zip(groups, runs, strict=True) if holds(run)]
        found += [group[0] for group in hits if len(group) == 1]
        larger = [group for group in hits if len(group) > 1]
        # The remaining groups share the breadth.
        finer = max(2, breadth // max(1, len(larger)))
        groups = [
            part for group in larger for part in (apart if apart and group is candidates else parts(group, finer))
        ]
    return tuple(sorted(found))


def _apart(candidates: Sequence[int], likely: int) -> list[Sequence[int]]:
    """The likely candidates and the others; empty if either group would be."""
    first = [one for one in candidates if likely >> one & 1]
    others = [one for one in candidates if not likely >> one & 1]
    return [first, others] if first and others else []
