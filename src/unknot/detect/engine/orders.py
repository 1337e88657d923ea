"""Orders that show something about many tests at once."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence

from unknot.model.bits import bits, positions

_STRIDE = 4
"""How far apart the members of a group stand."""


def halving(size: int) -> list[list[int]]:
    """For each binary digit, the positions that have it set. For every pair, some order holds the later test
    without the earlier one: at the highest digit in which they differ, the later has a one and the earlier a zero."""
    return [[position for position in range(size) if position >> digit & 1] for digit in range((size - 1).bit_length())]


def in_groups(size: int, group_size: int) -> list[list[int]]:
    """All positions in groups of nearby tests that are not neighbours. They share fixtures and caches, which makes a
    group cheap, but rarely help each other as neighbours do. The first test of a group runs alone."""
    block = group_size * _STRIDE
    return [
        group
        for start in range(0, size, block)
        for offset in range(_STRIDE)
        if (group := list(range(start + offset, min(start + block, size), _STRIDE)))
    ]


def shuffled(size: int, file_of: Sequence[str], chance: random.Random) -> list[int]:
    """Files in random order, and tests in random order within each file. Fixtures of a module are set up once, as in
    the reference order, and any two tests run in either order equally often."""
    by_file: dict[str, list[int]] = {}
    for position in range(size):
        by_file.setdefault(file_of[position], []).append(position)
    files = list(by_file.values())
    chance.shuffle(files)
    for tests in files:
        chance.shuffle(tests)
    return [position for tests in files for position in tests]


def tuscan(size: int) -> Iterator[list[int]]:
    """Orders of all positions in which every ordered pair stands side by side (Williams' square): exactly once in
    `size` orders for an even size, at least once in `size + 1` orders for an odd one.

    >>> sorted(pair for order in tuscan(4) for pair in zip(order, order[1:])) == [
    ...     (one, other) for one in range(4) for other in range(4) if one != other
    ... ]
    True
    """
    even = size + size % 2
    zigzag = [step // 2 if step % 2 == 0 else even - 1 - step // 2 for step in range(even)]
    for shift in range(even):
        yield [value for value in ((step + shift) % even for step in zigzag) if value < size]


def of_blocks(size: int, count: int, chance: random.Random) -> list[list[int]]:
    """So many orders of all positions, an even number, in which any two come close to each other, either way round.

    The positions are divided at random into as many blocks; in one of the orders each block stands directly before each
    other one (see `tuscan`). So between any two tests of different blocks there are fewer than two blocks in some
    order, and few tests that could undo what the first has done before the second runs."""
    mixed = chance.sample(range(size), size)
    blocks = [mixed[size * number // count : size * (number + 1) // count] for number in range(count)]
    return [
        [test for number in order for test in chance.sample(blocks[number], len(blocks[number]))]
        for order in tuscan(count)
    ]


def respecting_needs(sequence: Iterable[int], closure: Callable[[int], Sequence[int]]) -> list[int]:
    """The sequence with the needs of each test inserted before it; every test once."""
    order: list[int] = []
    seen: set[int] = set()
    for position in sequence:
        for needed in closure(position):
            if needed not in seen:
                seen.add(needed)
                order.append(needed)
    return order


def without_beginnings(sequences: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Those with which no other one begins: they show what the others would.

    >>> without_beginnings([(3, 1), (3,), (3, 1, 2), (1,)])
    [(3, 1, 2), (1,)]
    """
    found = list(dict.fromkeys(sequences))
    return [one for one in found if not any(one != other and other[: len(one)] == one for other in found)]


def keeping_ends_adjacent(sequences: Iterable[Sequence[int]]) -> list[list[int]]:
    """Few rising sequences in which all of each of these, also rising, can be found, its last two side by side.

    >>> keeping_ends_adjacent([[0, 3], [1, 2], [3, 4]])
    [[0, 3, 4], [1, 2]]
    """
    merged: list[tuple[int, int]] = []
    for sequence in sequences:
        *_, first, last = sequence
        members, between = bits(sequence), (1 << last) - (2 << first)
        fitting = (place for place, (others, gaps) in enumerate(merged) if not (members & gaps or others & between))
        place = next(fitting, None)
        if place is None:
            merged.append((members, between))
        else:
            others, gaps = merged[place]
            merged[place] = (others | members, gaps | between)
    return [list(positions(members)) for members, _ in merged]
