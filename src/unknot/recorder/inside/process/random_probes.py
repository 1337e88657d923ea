"""The random generators that all tests of a process share, and whether one was seeded or only drawn from."""

import _random
import hashlib
import random
import sys
from array import array
from itertools import islice
from typing import Any

from unknot.recorder.inside.labels import label

try:
    from ctypes import string_at
except ImportError:  # Python can be built without it; then `getstate` is used.
    _has_ctypes = False
else:
    _has_ctypes = True

_BYTES = 625 * 4
_state_of = _random.Random.getstate

State = tuple[int, ...]
"""As `_random.Random.getstate` gives it: 624 words, then the position among them."""

_WORDS = 624
_MARK_BITS = 128
_MARK = (1 << _MARK_BITS) - 1
_FEW_BLOCKS, _MOST_BLOCKS = 20, 1500
_MOST_SEEDS = 10_000

_seeds: set[int] = set()
"""Marks of blocks that are known to come from a seed: suites use the same few repeatedly."""


def was_seeded(before: State, now: State) -> bool:
    """True if drawing cannot lead from one state to the other: the generator was seeded, or its state was set.

    Drawing moves the position and, after every 624 words, turns the whole block of words into the next one. So the
    states that drawing can reach are a line, and this walks along it. It gives up after 1,500 blocks, or 936,000
    words: a test that draws more counts as seeding. Costs up to 10 ms for a new seed, 0.2 ms otherwise.
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


class RandomGenerator:
    """The generator behind `random.random()`. Only seeding is a change; drawing is mere use.

    `getstate` makes 625 numbers and takes 15 µs, so the memory behind it is compared instead (1 µs), if a first check
    shows that the state has the expected layout there.
    """

    NAME = "random.getstate()"

    def __init__(self) -> None:
        self.is_mere_use = False
        self._generator: Any = random._inst
        self._last = _state_of(self._generator)
        self._address = _address_in(self._generator, self._last)

    def key(self) -> object:
        return string_at(self._address, _BYTES) if self._address else _state_of(self._generator)

    def values(self) -> dict[str, str]:
        now = _state_of(self._generator)
        self.is_mere_use = not was_seeded(self._last, now)
        self._last = now
        return {self.NAME: _shown(now)}


def _address_in(generator: _random.Random, state: State) -> int:
    """The address of the position, followed by the words of the state; 0 if the layout is different."""
    if not _has_ctypes:
        return 0
    raw = string_at(id(generator), _random.Random.__basicsize__)
    place = raw.find(_bytes((state[-1], *state[:-1])))
    return id(generator) + place if place > 0 else 0


class NumpyRandomGenerator:
    """The generator behind `numpy.random.rand()`, once the suite has imported it.

    `get_state` takes 50 µs, so the memory at the address that numpy gives is compared instead, if a first check shows
    that the two agree. Of generators other than the Mersenne Twister, only a replacement is noticed.
    """

    NAME = "numpy.random.get_state()"

    def __init__(self) -> None:
        self.is_mere_use = False
        self._generator: Any = None
        self._address = 0
        self._last: State = ()

    def key(self) -> object:
        module = sys.modules.get("numpy.random.mtrand")
        if module is None:
            return None
        generator = getattr(getattr(module, "_rand", None), "_bit_generator", None)
        if generator is not self._generator:
            self._generator = generator
            self._address = _address_by_numpy(generator)
            self._last = ()
        return string_at(self._address, _BYTES) if self._address else id(generator)

    def values(self) -> dict[str, str]:
        raw = self.key()
        if raw is None:
            return {}
        if type(raw) is not bytes:
            self.is_mere_use = False
            return {self.NAME: label(self._generator)}
        now = _words(raw)
        self.is_mere_use = bool(self._last) and not was_seeded(self._last, now)
        self._last = now
        return {self.NAME: _shown(now)}


def _address_by_numpy(generator: Any) -> int:
    """The address of the words of the state, followed by the position; 0 for another kind of generator."""
    try:
        if not _has_ctypes or type(generator) is not sys.modules["numpy.random"].MT19937:
            return 0
        address = int(generator.ctypes.state_address)
        state = generator.state["state"]
        return address if _words(string_at(address, _BYTES)) == (*state["key"].tolist(), int(state["pos"])) else 0
    except (AttributeError, ImportError, KeyError, TypeError, ValueError):
        return 0


def _words(raw: bytes) -> State:
    return tuple(memoryview(raw).cast("I").tolist())


def _bytes(words: State) -> bytes:
    return array("I", words).tobytes()


def _shown(state: State) -> str:
    return f"state {hashlib.blake2b(_bytes(state), digest_size=8).hexdigest()}"
