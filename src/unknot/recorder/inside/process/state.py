"""Whether a test has left the process itself changed: its directory, umask, locale, signals, seeds, loggers, …"""

import _signal  # type: ignore[import-not-found]
import hashlib
import signal
from collections.abc import Callable, Sequence
from typing import NamedTuple

from unknot.recorder.inside.labels import label
from unknot.recorder.inside.process.logging_probe import LOGGING, LoggingProbe
from unknot.recorder.inside.process.probes import Probe
from unknot.recorder.inside.process.random_probes import NUMPY, shared_generators
from unknot.recorder.inside.process.states import STATES

_LONGEST = 200
_getsignal = _signal.getsignal


class TextProbe(Probe):
    """State that is cheap to read as text."""

    def __init__(self, name: str, text: Callable[[], str]) -> None:
        self._name = name
        self._text = text

    def key(self) -> object:
        return self._text()

    def values(self) -> dict[str, str]:
        return {self._name: self._text()}


class SignalHandlers(Probe):
    """Handlers of all signals, by identity. pytest-timeout sets its own during a test; it counts as the default."""

    def __init__(self) -> None:
        self._numbers = tuple(sorted(map(int, signal.valid_signals())))

    def key(self) -> object:
        return tuple(map(id, map(_getsignal, self._numbers)))

    def values(self) -> dict[str, str]:
        return {handler_name(number): _handler(_getsignal(number)) for number in self._numbers}


def handler_name(number: int) -> str:
    try:
        return f"signal.getsignal({signal.Signals(number).name})"
    except ValueError:
        return f"signal.getsignal({number})"


def _handler(handler: object) -> str:
    if type(handler) is int:
        return {0: "SIG_DFL", 1: "SIG_IGN"}.get(handler, str(handler))
    shown = label(handler)
    return "SIG_DFL" if shown.startswith("pytest_timeout") else shown


def process_probes() -> list[Probe]:
    """Everything but the loggers."""
    plain = [TextProbe(name, state.text) for name, state in STATES.items() if state.text is not None]
    return [*plain, SignalHandlers(), *shared_generators()]


class StateChange(NamedTuple):
    """A location whose content differs from the last snapshot.

    Fingerprints are of the contents: now, and in the first snapshot, which is the clean state. 0 means that the
    location did not exist. They can be compared between processes.
    """

    kind: str
    name: str
    shown: str
    fingerprint: int
    fingerprint_clean: int


class ProcessState:
    """Compares the results of all probes with those of the last call.

    Never raises, imports nothing, runs none of the suite's code and keeps none of its objects. A call costs about 40 µs
    and 1 µs for each logger when nothing has changed, a new seed up to 10 ms. Call it in the main thread.

    Random numbers: seeding and setting the state are changes; drawing is not. The caller has to deal with two things.
    A test may seed with the time or the system's entropy, as numpy does on import: then the fingerprints of two runs
    differ, and nothing flows that could be repeated. Only equal fingerprints in two runs count. And a test that seeds
    like an earlier one may leave a state that drawing could have reached, which is not reported.

    Threads and child processes may end at any moment: what is reported about them is true at the time of the call.
    """

    def __init__(self, probes: Sequence[Probe] = ()) -> None:
        self._probes = probes or (*process_probes(), LoggingProbe())
        self._keys: dict[Probe, object] = {}
        self._last: dict[str, str] = {}
        self._clean: dict[str, str] = {}

    def compare(self) -> list[StateChange]:
        """What differs from the last snapshot. The first call takes the clean state and returns nothing."""
        found: list[StateChange] = []
        for probe in self._probes:
            try:
                found += self._differences(probe)
            except Exception:  # noqa: BLE001 - a library that a test has taken apart must not fail the test
                continue
        return found

    def _differences(self, probe: Probe) -> list[StateChange]:
        key = probe.key()
        if probe not in self._keys:
            values = probe.values()
            self._last.update(values)
            self._clean.update(values)
            self._keys[probe] = key
            return []
        if key == self._keys[probe]:
            return []
        self._keys[probe] = key
        found = []
        # Names that are not among the values now are not compared.
        for name, value in probe.values().items():
            if value != self._last.get(name, probe.default(name)):
                self._last[name] = value
                clean = fingerprint(self._clean.get(name, probe.default(name)))
                found.append(StateChange(probe.kind, name, value[:_LONGEST], fingerprint(value), clean))
        return [] if probe.is_mere_use else found


def fingerprint(value: str | None) -> int:
    if value is None:
        return 0
    return int.from_bytes(hashlib.blake2b(value.encode(errors="replace"), digest_size=7).digest(), "big")


class ProcessFingerprints:
    """Finds the line of a test after which a state has changed: cheap to call again for one name.

    Independent of `ProcessState`. Drawing a random number changes no fingerprint, only seeding does.
    """

    def __init__(self) -> None:
        self._loggers = LoggingProbe(with_level_of_pytest=True)
        self._probe_of: dict[str, Probe] = {}
        self._last: dict[str, tuple[object, int]] = {}
        for probe in process_probes():
            # numpy's generator has no value until numpy is imported.
            self._probe_of.update(dict.fromkeys(probe.values() or (NUMPY,), probe))

    def fingerprint(self, name: str) -> int:
        """Of the current content, as in `StateChange`; 0 if the state does not exist."""
        probe = self._loggers if name.startswith(LOGGING) else self._probe_of.get(name)
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
