"""Which orders go to a worker together, because they can share their beginnings."""

from collections.abc import Callable, Collection, Iterator

from unknot.runners.dispatch import prefix_tree
from unknot.runners.dispatch.work_queue import Group

_MOST_TASKS_EACH = 12
_FEWEST_ORDERS = 4
"""More tasks for each worker balance better; fewer, with more orders each, share more."""


def one_by_one(paths: Group) -> list[Group]:
    return [{key: path} for key, path in paths.items()]


def cut(
    paths: Group, alone: Collection[int], tests: int, cost: Callable[[int], float], workers: int
) -> Iterator[Group]:
    """Orders in `alone` by themselves, and first: they are mostly repetitions that somebody waits for. The others in
    groups of about equal cost that lose little sharing."""
    yield from one_by_one({key: path for key, path in paths.items() if key in alone})
    sharing = {key: path for key, path in paths.items() if key not in alone}
    # No chains of collectors: orders share a beginning whatever comes after it.
    chains: list[tuple[int, ...]] = [()] * tests
    if sharing:
        each = min(_MOST_TASKS_EACH, max(1, len(sharing) // (_FEWEST_ORDERS * workers)))
        yield from prefix_tree.slices(sharing, chains, cost, workers * each)


def by_first(lane: Group, alone: Collection[int]) -> list[Group]:
    """The orders of a lane in their sequence, those together that begin with the same test."""
    groups: dict[tuple[bool, int], Group] = {}
    for key, path in lane.items():
        is_alone = key in alone
        groups.setdefault((is_alone, key if is_alone else path[0]), {})[key] = path
    return list(groups.values())
