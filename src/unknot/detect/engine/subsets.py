"""Which of many are enough: one minimal set, and every single one that does the same.

Both take `probe`, which turns a subset of candidates into the request whether it is enough, and `holds`, which reads
the answer. Candidates are positions; they are halved at fixed borders (0-31 | 32-63), so that searches for different
tests ask the same groups and share their runs.

`breadth` is how many requests a search may ask at once because workers would have nothing to do otherwise: more
orders, shorter ones, and fewer that wait for each other. It has no influence on what is found if the property is
monotone.
"""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate

from unknot.detect.engine.parallel import Search
from unknot.model.run import OrderRequest, Run

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
    """Halves, halves of halves and so on, of which there are at most so many, and none is empty.

    >>> parts([1, 2, 3, 4, 9], 4)
    [[1, 2, 3], [4], [9]]
    """
    found = [candidates] if candidates else []
    while len(found) * 2 <= most and any(len(part) > 1 for part in found):
        found = [half for part in found for half in (halves(part) if len(part) > 1 else (part,))]
    return found


def first_enough(
    groups: Sequence[Sequence[int]], probe: Probe, holds: Holds, *, at_once: bool
) -> Search[Sequence[int] | None]:
    """The first of the groups for which the property holds. Asked one after another, or `at_once`."""
    batches = [groups] if at_once else [[group] for group in groups]
    for batch in batches:
        runs = yield [probe(group) for group in batch]
        for group, run in zip(batch, runs, strict=True):
            if holds(run):
                return group
    return None


def minimal(candidates: Sequence[int], probe: Probe, holds: Holds, breadth: int = 1) -> Search[tuple[int, ...]]:
    """One minimal subset for which the property holds: halving, as in Junker's QuickXplain, but where one half is
    enough by itself the other is not taken along. With some breadth there are more parts than two.

    Assumes that it holds for all candidates together, and that it still holds when candidates are added. Where the
    second is broken the result may hold no more or not be minimal: the caller verifies.
    Cost: about 2k log2(n/k) + 2k requests for a subset of k; of one, all together about 2n candidates are in them.
    With breadth b, a subset of one takes log n / log b batches of b requests, in which there are n (1 + 1/b + …)
    candidates all together; one of k takes up to 2k times as many batches.
    """
    if not candidates:
        return ()
    return tuple(sorted((yield from _explain((), candidates, probe, holds, breadth))))


def minimal_near(
    circles: Sequence[Sequence[int]], candidates: Sequence[int], probe: Probe, holds: Holds, breadth: int = 1
) -> Search[tuple[int, ...]]:
    """As `minimal`, among the first of these circles of candidates that is enough; where none is, among all.

    Cost: one request for each circle that is not enough, beyond what `minimal` takes for the one that is.
    """
    circle = yield from first_enough(circles, probe, holds, at_once=False)
    return (yield from minimal(candidates if circle is None else circle, probe, holds, breadth))


def _explain(
    given: tuple[int, ...], candidates: Sequence[int], probe: Probe, holds: Holds, breadth: int
) -> Search[tuple[int, ...]]:
    """What must be added to those given. Assumes that all candidates are enough, and nothing is not."""
    if len(candidates) == 1:
        return tuple(candidates)
    groups = parts(candidates, max(2, breadth))

    def with_given(group: Sequence[int]) -> OrderRequest:
        return probe(sorted((*given, *group)))

    enough = yield from first_enough(groups, with_given, holds, at_once=breadth > 1)
    if enough is not None:
        return (yield from _explain(given, enough, probe, holds, breadth))
    # No part is enough, all are. So many of them are; the last of these has something that is needed. Of two: both.
    borders = list(accumulate(len(group) for group in groups))
    beginnings = [candidates[:border] for border in borders[1:-1]]
    beginning = yield from first_enough(beginnings, with_given, holds, at_once=True)
    last = len(groups) - 1 if beginning is None else borders.index(len(beginning))
    before = candidates[: borders[last - 1]]
    from_last = yield from _explain((*given, *before), groups[last], probe, holds, breadth)
    from_before = yield from _explain((*given, *from_last), before, probe, holds, breadth)
    return (*from_before, *from_last)


def singles(
    candidates: Sequence[int],
    probe: Probe,
    holds: Holds,
    *,
    one_by_one: bool = False,
    likely: AbstractSet[int] = frozenset(),
    breadth: int = 1,
) -> Search[tuple[int, ...]]:
    """Every candidate for which alone the property holds, by group testing; or, if told so, each tried by itself. Where
    there are any, the `likely` ones are tried apart from the others.

    Assumes that a group that contains such a candidate has the property too. Where a member undoes what another does,
    candidates can be missed, never invented: each one found was tried alone.
    Cost: one request if there is none; about 2k log2(n/k) + 1 for k; if all k are among m likely ones, about
    2k log2(m/k) + 3, and if none is, two requests more than without. With breadth b, b requests if there is none, and
    log n / log b batches otherwise.
    """
    found: list[int] = []
    groups = parts(candidates, max(1, breadth))
    apart = _apart(candidates, likely)
    if one_by_one:
        groups = [[candidate] for candidate in candidates]
    while groups:
        runs = yield [probe(group) for group in groups]
        hits = [group for group, run in zip(groups, runs, strict=True) if holds(run)]
        found += [group[0] for group in hits if len(group) == 1]
        larger = [group for group in hits if len(group) > 1]
        # Those that are left share the breadth.
        finer = max(2, breadth // max(1, len(larger)))
        groups = [
            part for group in larger for part in (apart if apart and group is candidates else parts(group, finer))
        ]
    return tuple(sorted(found))


def _apart(candidates: Sequence[int], likely: AbstractSet[int]) -> list[Sequence[int]]:
    """The likely ones and the others; nothing if that is no division."""
    parts = [[one for one in candidates if one in likely], [one for one in candidates if one not in likely]]
    return list(parts) if all(parts) else []
