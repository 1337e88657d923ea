"""Whether a test has left the process itself changed: its directory, umask, locale, signal handlers, seeds, …"""

from unknot.recorder.inside.memory.seen import Comparison, Seen, sign
from unknot.recorder.inside.process.library_probes import library_probes
from unknot.recorder.inside.process.probes import Probe, plain_probes
from unknot.recorder.inside.process.random_probes import NumpyRandomNumbers


class ProcessState:
    """Looks at all probes and says what differs from its former look. Kind "process".

    Never raises, imports nothing, runs none of the suite's code and keeps none of its objects. A look costs some
    20 µs when nothing has changed, a new seed up to 10 ms. To be called in the main thread.

    Random numbers: seeding is told, and a state that was set; drawing is not. Two things are left to whoever uses this.
    A test may seed with the time or the system's entropy, as numpy does when it is imported: then the signs of two runs
    differ, and nothing flows that could be repeated. Only equal signs in two runs count. And a test that seeds like one
    before it may leave a state that drawing could have reached, which is not told: that it has used one of
    `process_uses.setters` shows that it wrote.

    Threads and children may end at any moment by themselves: what is told of them is true of the moment of the look.
    """

    def __init__(self) -> None:
        self._probes = _probes()
        self._gets = [probe.key for probe in self._probes]
        self._keys: list[object] = []
        self._comparison = Comparison("process")

    def look(self) -> list[Seen]:
        """What differs from the former look. The first one is the clean state and says nothing."""
        try:
            return self._differences()
        except Exception:  # noqa: BLE001 - a library that was taken apart by a test must not fail it
            return []

    def _differences(self) -> list[Seen]:
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


class ProcessSigns:
    """For whoever wants to know after which line of a test a state has changed: cheap to ask for one name again.

    Apart from `ProcessState`, which does not notice. Drawing a random number changes no sign, only seeding does.
    """

    def __init__(self) -> None:
        self._probe_of: dict[str, Probe] = {}
        self._last: dict[str, tuple[object, int]] = {}
        for probe in _probes():
            if isinstance(probe, NumpyRandomNumbers):
                # It has no value as long as nobody has imported numpy.
                self._probe_of[probe.NAME] = probe
            self._probe_of.update(dict.fromkeys(probe.values(), probe))

    def sign(self, name: str) -> int:
        """The fingerprint of what is there now, as in `Seen`; 0 if nothing is."""
        probe = self._probe_of.get(name)
        if probe is None:
            return 0
        key = probe.key()
        known = self._last.get(name)
        if known is not None and known[0] == key:
            return known[1]
        value = sign(probe.values().get(name))
        if known is not None and probe.is_mere_use:
            value = known[1]
        self._last[name] = key, value
        return value


def _probes() -> list[Probe]:
    return [*plain_probes(), *library_probes()]
