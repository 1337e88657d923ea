"""The random generators that all tests of a process share, and whether one was seeded or only drawn from."""

import _random
import hashlib
import random
import sys
from array import array
from collections.abc import Callable
from ctypes import string_at
from itertools import islice
from typing import Any

from unknot.recorder.inside.labels import label
from unknot.recorder.inside.process.probes import Probe

RANDOM, NUMPY = "random.getstate()", "numpy.random.get_state()"

_WORDS = 624

Words = tuple[int, ...]
"""As `_random.Random.getstate` gives it: 624 words, then the position among them."""

_MARK_BITS = 128
_MARK = (1 << _MARK_BITS) - 1
_FEW_BLOCKS, _MOST_BLOCKS = 20, 1500
_MOST_SEEDS = 20

_seeds: set[int] = set()
"""Marks of blocks that are known to come from a seed: suites use the same few repeatedly."""


def was_seeded(before: Words, now: Words) -> bool:
    """True if drawing cannot lead from one state to the other: the generator was seeded, or its state was set.

    Drawing moves the position and, after every 624 words, turns the whole block of words into the next one. So the
    states that drawing can reach are a line, and this walks along it. It gives up after 1,500 blocks, or 936,000
    words: a test that draws more counts as seeding. Costs up to 10 ms for a new seed, 0.2 ms otherwise. A suite with
    more than a few seeds has a new one for every test, as with pytest-randomly: from then on it gives up after 20
    blocks.
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
    if wanted not in _seeds and len(_seeds) < _MOST_SEEDS:
        if wanted in marks:
            return False
        _seeds.add(wanted)
    return True


class SharedGenerator(Probe):
    """Only seeding is a change; drawing is mere use. `find` returns the generator, None if it does not exist yet.

    The methods that return the state take 15 to 50 µs, so the memory behind it is compared instead (1 µs): `locate`
    returns the addresses of the words and of the position, after a check that the state is really there. Of generators
    other than the Mersenne Twister, only a replacement is noticed.
    """

    def __init__(self, name: str, find: Callable[[], Any], locate: Callable[[Any], tuple[int, int] | None]) -> None:
        self._name = name
        self._find = find
        self._locate = locate
        self._generator: Any = None
        self._addresses: tuple[int, int] | None = None
        self._last: Words = ()

    def key(self) -> object:
        generator = self._find()
        if generator is not self._generator:
            self._generator = generator
            self._addresses = self._locate(generator)
            self._last = ()
        if self._addresses is None:
            return generator and id(generator)
        return _memory(self._addresses)

    def values(self) -> dict[str, str]:
        raw = self.key()
        if raw is None:
            return {}
        if type(raw) is not bytes:
            self.is_mere_use = False
            return {self._name: label(self._generator)}
        now = _as_words(raw)
        self.is_mere_use = bool(self._last) and not was_seeded(self._last, now)
        self._last = now
        return {self._name: f"state {hashlib.blake2b(raw, digest_size=8).hexdigest()}"}


def shared_generators() -> list[SharedGenerator]:
    """Those behind `random.random()` and, once the suite has imported it, `numpy.random.rand()`."""
    return [
        SharedGenerator(RANDOM, lambda: _generator, _in_object),
        SharedGenerator(NUMPY, _generator_of_numpy, _in_numpy),
    ]


_generator = random._inst


def _in_object(generator: Any) -> tuple[int, int] | None:
    state = _random.Random.getstate(generator)
    raw = string_at(id(generator), _random.Random.__basicsize__)
    place = raw.find(array("I", (state[-1], *state[:-1])).tobytes())
    return (id(generator) + place + 4, id(generator) + place) if place > 0 else None


def _generator_of_numpy() -> Any:
    module = sys.modules.get("numpy.random.mtrand")
    return getattr(getattr(module, "_rand", None), "_bit_generator", None)


def _in_numpy(generator: Any) -> tuple[int, int] | None:
    try:
        if type(generator) is not sys.modules["numpy.random"].MT19937:
            return None
        address = int(generator.ctypes.state_address)
        found = address, address + _WORDS * 4
        state = generator.state["state"]
        return found if _as_words(_memory(found)) == (*state["key"].tolist(), int(state["pos"])) else None
    except (AttributeError, ImportError, KeyError, TypeError, ValueError):
        return None


def _memory(addresses: tuple[int, int]) -> bytes:
    words, position = addresses
    return string_at(words, _WORDS * 4) + string_at(position, 4)


def _as_words(raw: bytes) -> Words:
    return tuple(memoryview(raw).cast("I").tolist())
