"""The generators of random numbers that all tests of a process share."""

import _random
import hashlib
import random
import sys
from array import array
from typing import Any

from unknot.recorder.inside.labels import label
from unknot.recorder.inside.process.seeding import State, was_seeded

try:
    from ctypes import string_at
except ImportError:  # Python can be built without it; then states are asked for.
    _has_ctypes = False
else:
    _has_ctypes = True

_BYTES = 625 * 4
_state_of = _random.Random.getstate


class RandomNumbers:
    """The generator behind `random.random()`. Only seeding is a change; drawing is mere use.

    Asking for its state makes 625 numbers and takes 15 µs, so the memory behind it is compared (1 µs), if it can be
    seen at first that the state is laid out there as expected.
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
    """Where the position and then the words of the state lie; 0 if that is not so."""
    if not _has_ctypes:
        return 0
    raw = string_at(id(generator), _random.Random.__basicsize__)
    place = raw.find(_bytes((state[-1], *state[:-1])))
    return id(generator) + place if place > 0 else 0


class NumpyRandomNumbers:
    """The generator behind `numpy.random.rand()`, from the moment on at which it has been imported by somebody.

    Asking numpy for the state takes 50 µs, so it is compared where numpy itself says that it is, if the two agree at
    first. Of other generators than the Mersenne Twister, only an exchange is seen.
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
    """Where the words of the state and then the position lie; 0 if it is another kind of generator."""
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
