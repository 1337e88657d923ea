"""Whether a test has left the process itself changed: its directory, umask, locale, signal handlers, seeds, …"""

import hashlib
from collections.abc import Callable, Mapping
from typing import NamedTuple

from unknot.recorder.inside.process.library_probes import library_probes
from unknot.recorder.inside.process.probes import Probe, plain_probes
from unknot.recorder.inside.process.random_probes import NumpyRandomGenerator

_LONGEST = 200


class StateChange(NamedTuple):
    """A location whose content differs from the last snapshot.

    Fingerprints are of the contents: now, in the last snapshot, and in the first one, which is the clean state. 0 means
    that the location did not exist. They can be compared between processes.
    """

    kind: str
    name: str
    shown: str
    fingerprint: int
    fingerprint_before: int
    fingerprint_clean: int


class SnapshotComparison:
    """Keeps the last and the first snapshot, as texts by name."""

    def __init__(self, kind: str, default: Callable[[str], str | None] = lambda name: None) -> None:
        """`default` gives the content of a location that no snapshot has; None if it does not exist."""
        self._kind = kind
        self._default = default
        self._last: dict[str, str] = {}
        self._clean: dict[str, str] = {}

    def begin(self, values: Mapping[str, str]) -> None:
        self._last.update(values)
        self._clean.update(values)

    def last(self, name: str) -> str | None:
        return self._last.get(name, self._default(name))

    def clean(self, name: str) -> str | None:
        return self._clean.get(name, self._default(name))

    def differences(self, values: Mapping[str, str]) -> list[StateChange]:
        """Names that are not among the values are not compared."""
        found = []
        for name, value in values.items():
            before = self.last(name)
            if value != before:
                fingerprints = fingerprint(value), fingerprint(before), fingerprint(self.clean(name))
                found.append(StateChange(self._kind, name, value[:_LONGEST], *fingerprints))
                self._last[name] = value
        return found


def fingerprint(value: str | None) -> int:
    if value is None:
        return 0
    return int.from_bytes(hashlib.blake2b(value.encode(errors="replace"), digest_size=7).digest(), "big")


class ProcessState:
    """Compares the results of all probes with those of the last call. Kind "process".

    Never raises, imports nothing, runs none of the suite's code and keeps none of its objects. A call costs about 20 µs
    when nothing has changed, a new seed up to 10 ms. Call it in the main thread.

    Random numbers: seeding and setting the state are changes; drawing is not. The caller has to deal with two things.
    A test may seed with the time or the system's entropy, as numpy does on import: then the fingerprints of two runs
    differ, and nothing flows that could be repeated. Only equal fingerprints in two runs count. And a test that seeds
    like an earlier one may leave a state that drawing could have reached, which is not reported; its use of one of
    `readers.setters` shows that it wrote.

    Threads and child processes may end at any moment: what is reported about them is true at the time of the call.
    """

    def __init__(self) -> None:
        self._probes = _probes()
        self._gets = [probe.key for probe in self._probes]
        self._keys: list[object] = []
        self._comparison = SnapshotComparison("process")

    def compare(self) -> list[StateChange]:
        """What differs from the last snapshot. The first call takes the clean state and returns nothing."""
        try:
            return self._differences()
        except Exception:  # noqa: BLE001 - a library that a test has taken apart must not fail the test
            return []

    def _differences(self) -> list[StateChange]:
        keys = [get() for get in self._gets]
        before, self._keys = self._keys, keys
        if keys == before:
            return []
        if not before:
            for probe in self._probes:
                self._comparison.begin(probe.values())
            return []
        found = []
        for probe, key, key_before in zip(self._probes, keys, before, strict=True):
            if key != key_before:
                differences = self._comparison.differences(probe.values())
                found += [] if probe.is_mere_use else differences
        return found


class ProcessFingerprints:
    """Finds the line of a test after which a state has changed: cheap to call again for one name.

    Independent of `ProcessState`. Drawing a random number changes no fingerprint, only seeding does.
    """

    def __init__(self) -> None:
        self._probe_of: dict[str, Probe] = {}
        self._last: dict[str, tuple[object, int]] = {}
        for probe in _probes():
            if isinstance(probe, NumpyRandomGenerator):
                # It has no value until numpy is imported.
                self._probe_of[probe.NAME] = probe
            self._probe_of.update(dict.fromkeys(probe.values(), probe))

    def fingerprint(self, name: str) -> int:
        """Of the current content, as in `StateChange`; 0 if the state does not exist."""
        probe = self._probe_of.get(name)
        if probe is None:
            return 0
        key = probe.key()
        known = self._last.get(name)
        if known is not None and known[0] == key:
            return known[1]
        value = fingerprint(probe.values().get(name))
        if known is not None and probe.is_mere_use:
            value = known[1]
        self._last[name] = key, value
        return value


def _probes() -> list[Probe]:
    return [*plain_probes(), *library_probes()]
