"""Which of many are enough: one minimal set, and every single one that does the same.

Both take `probe`, which turns a subset of candidates into the question whether it is enough, and `holds`, which reads
the answer. Candidates are positions; they are halved at fixed borders (0-31 | 32-63), so that searches for different
tests ask the same groups and share their runs.
"""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from unknot.detect.search import Search
from unknot.model.run import Question, Run

Probe = Callable[[Sequence[int]], Question]
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


def minimal(candidates: Sequence[int], probe: Probe, holds: Holds) -> Search[tuple[int, ...]]:
    """One minimal subset for which the property holds: halving, as in Junker's QuickXplain, but where one half is
    enough by itself the other is not taken along.

    Assumes that it holds for all candidates together, and that it still holds when candidates are added. Where the
    second is broken the result may hold no more or not be minimal: the caller verifies.
    Cost: about 2k log2(n/k) + 2k questions for a subset of k; of one, all together about 2n candidates are in them.
    """
    if not candidates:
        return ()
    return tuple(sorted((yield from _explain((), candidates, probe, holds))))


def minimal_near(
    circles: Sequence[Sequence[int]], candidates: Sequence[int], probe: Probe, holds: Holds
) -> Search[tuple[int, ...]]:
    """As `minimal`, among the first of these circles of candidates that is enough; where none is, among all.

    Cost: one question for each circle that is not enough, beyond what `minimal` takes for the one that is.
    """
    for circle in circles:
        (run,) = yield [probe(circle)]
        if holds(run):
            return (yield from minimal(circle, probe, holds))
    return (yield from minimal(candidates, probe, holds))


def _explain(given: tuple[int, ...], candidates: Sequence[int], probe: Probe, holds: Holds) -> Search[tuple[int, ...]]:
    """What must be added to those given. Assumes that all candidates are enough, and nothing is not."""
    if len(candidates) == 1:
        return tuple(candidates)
    first, second = halves(candidates)
    for half in (first, second):
        (run,) = yield [probe(sorted((*given, *half)))]
        if holds(run):
            return (yield from _explain(given, half, probe, holds))
    from_second = yield from _explain((*given, *first), second, probe, holds)
    from_first = yield from _explain((*given, *from_second), first, probe, holds)
    return (*from_first, *from_second)


def singles(
    candidates: Sequence[int],
    probe: Probe,
    holds: Holds,
    *,
    one_by_one: bool = False,
    likely: AbstractSet[int] = frozenset(),
) -> Search[tuple[int, ...]]:
    """Every candidate for which alone the property holds, by group testing; or, if told so, each tried by itself. Where
    there are any, the `likely` ones are tried apart from the others.

    Assumes that a group that contains such a candidate has the property too. Where a member undoes what another does,
    candidates can be missed, never invented: each one found was tried alone.
    Cost: one question if there is none; about 2k log2(n/k) + 1 for k; if all k are among m likely ones, about
    2k log2(m/k) + 3, and if none is, two questions more than without.
    """
    found: list[int] = []
    groups: list[Sequence[int]] = [candidates] if candidates else []
    parts = _apart(candidates, likely)
    if one_by_one:
        groups = [[candidate] for candidate in candidates]
    while groups:
        runs = yield [probe(group) for group in groups]
        smaller: list[Sequence[int]] = []
        for group, run in zip(groups, runs, strict=True):
            if not holds(run):
                continue
            if len(group) == 1:
                found.append(group[0])
            else:
                smaller.extend(parts if parts and group is candidates else halves(group))
        groups = smaller
    return tuple(sorted(found))


def _apart(candidates: Sequence[int], likely: AbstractSet[int]) -> list[Sequence[int]]:
    """The likely ones and the others; nothing if that is no division."""
    parts = [[one for one in candidates if one in likely], [one for one in candidates if one not in likely]]
    return list(parts) if all(parts) else []
