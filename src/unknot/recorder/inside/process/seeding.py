"""Whether a Mersenne Twister has been seeded, or has only been drawn from."""

import _random
from itertools import islice

State = tuple[int, ...]
"""As `_random.Random.getstate` gives it: 624 words, then the position among them."""

_WORDS = 624
_MARK_BITS = 128
_MARK = (1 << _MARK_BITS) - 1
_FEW_BLOCKS, _MOST_BLOCKS = 20, 1500
_MOST_SEEDS = 10_000

_seeds: set[int] = set()
"""Marks of blocks that were found to come from a seed: suites use the same few again and again."""


def was_seeded(before: State, now: State) -> bool:
    """True if no drawing leads from one state to the other: somebody has seeded the generator or set its state.

    Drawing moves the position and, after every 624 words, turns the whole block of words into the next one. So the
    states that drawing can reach are a line, and this walks along it. It gives up after 1,500 blocks, or 936,000
    words: whoever draws more in one test is taken for a seeder. Costs up to 10 ms for a new seed, 0.2 ms otherwise.
    """
    if before[:-1] == now[:-1]:
        return now[-1] < before[-1]
    generator = _random.Random()
    generator.setstate((*now[:-1], 0))
    wanted = generator.getrandbits(_MARK_BITS)
    generator.setstate((*before[:-1], 0))
    # A block is marked by its first words, which are the lowest bits of the number.
    marks = (generator.getrandbits(32 * _WORDS) & _MARK for _ in range(_MOST_BLOCKS + 1))
    if wanted in islice(marks, _FEW_BLOCKS):
        return False
    if wanted not in _seeds:
        if wanted in marks:
            return False
        if len(_seeds) < _MOST_SEEDS:
            _seeds.add(wanted)
    return True
