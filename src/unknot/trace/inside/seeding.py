"""Whether a Mersenne Twister has been seeded, or has only been drawn from."""

import _random

State = tuple[int, ...]
"""As `_random.Random.getstate` gives it: 624 words, then the position among them."""

_WORDS = 624
_MARK_BITS = 128
_MARK = (1 << _MARK_BITS) - 1
_MOST_BLOCKS = 500


def was_seeded(before: State, now: State) -> bool:
    """True if no drawing leads from one state to the other: somebody has seeded the generator or set its state.

    Drawing moves the position and, after every 624 words, turns the whole state into the next one. So the states that
    drawing can reach are a line, and this walks along it. It gives up after 500 blocks, or 312,000 words: whoever
    draws more in one test is taken for a seeder. Costs 2 ms if it was seeded, next to nothing if not.
    """
    if before[:-1] == now[:-1]:
        return now[-1] < before[-1]
    generator = _random.Random()
    generator.setstate((*now[:-1], 0))
    wanted = generator.getrandbits(_MARK_BITS)
    generator.setstate((*before[:-1], 0))
    # The first words of a block are the lowest bits of the number.
    marks = (generator.getrandbits(32 * _WORDS) & _MARK for _ in range(_MOST_BLOCKS + 1))
    return wanted not in marks
