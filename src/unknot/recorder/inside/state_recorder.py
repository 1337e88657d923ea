"""All collectors, driven together at the boundaries between tests."""

from collections.abc import Mapping
from typing import Any

from unknot.recorder.inside.external import ExternalCollectors
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.memory.memory import MemoryCollector
from unknot.recorder.inside.memory.read_watch import ReadWatch, WriteStacks
from unknot.recorder.inside.memory.stop_list import StopList
from unknot.recorder.inside.process.process import ProcessCollector
from unknot.recorder.inside.second_pass.second_pass import SecondPass


class StateRecorder:
    """A test boundary is after the teardown of one test and before the setup of the next, and around the setup of a
    fixture that tests share. What has changed since the last boundary belongs to the test or fixture that ran."""

    def __init__(self, ledger: Ledger, request: Mapping[str, Any]) -> None:
        stop_list = self._stop_list = StopList(request["stop"])
        self._ledger = ledger
        ledger.stacks.adopt_neighbours(request["scratch"])
        self._read_watch = ReadWatch(ledger.stacks)
        self._memory = MemoryCollector(ledger, stop_list, self._read_watch)
        self._process = ProcessCollector(ledger, stop_list, self._read_watch)
        self._external = ExternalCollectors(ledger, request["scratch"], tuple(request["roots"]))
        self._external.install()
        known = request["known"]
        self._second = (
            SecondPass(known, self._memory, self._process, self._external.files, self._read_watch, ledger)
            if known
            else None
        )
        self._external.start()

    def take_baseline(self, items: Mapping[str, Any]) -> None:
        """Takes the clean state, before the first test. `items` are pytest's, by test id."""
        self._connect_to_pytest(next(iter(items.values())).config if items else None)
        if self._second is not None:
            self._second.run_alone(items)
        self._record_boundary()
        if self._second is not None:
            self._second.watch()

    def _connect_to_pytest(self, config: Any) -> None:
        if config is None:
            return
        config.pluginmanager.register(self._memory.fixtures, "unknot-shared-fixtures")
        if getattr(config.option, "randomly_reset_seed", False):
            # pytest-randomly seeds them again before every test.
            self._stop_list.add("random.getstate()", "numpy.random.get_state()")

    def begin_test(self, test: str) -> None:
        self._ledger.begin(test)
        self._external.begin_test()
        self._read_watch.begin_test()
        if self._second is not None:
            self._second.begin_test(test)

    def end_test(self) -> None:
        if self._second is not None:
            self._second.end_test()
        self._record_boundary()
        if touched := self._external.touched_external():
            self._ledger.fact(test=self._ledger.test, outside=sorted(touched))
        self._ledger.end()

    def enter_fixture(self, name: str) -> str:
        """Returns the fixture that was being set up before; empty for the test itself."""
        outer = self._ledger.fixture
        self._switch_to_fixture(name)
        return outer

    def leave_fixture(self, outer: str) -> None:
        self._switch_to_fixture(outer)

    def close(self) -> None:
        self._read_watch.close()
        self._external.stop()

    def _switch_to_fixture(self, fixture: str) -> None:
        test = self._ledger.test
        if not test:
            return
        if self._second is not None:
            self._second.end_test()
        self._record_boundary()
        self._ledger.fixture = fixture
        if self._second is not None:
            # Earlier writes are recorded: line tracing starts again for the next stretch.
            self._second.begin_test(test)
        self._read_watch.resume()

    def _record_boundary(self) -> None:
        self._read_watch.pause()
        self._external.end_test()
        write_stacks: WriteStacks = self._second.write_stacks if self._second is not None else lambda key: ()
        try:
            has_changed = self._memory.compare(write_stacks)
            self._process.compare(write_stacks)
            if self._second is not None and has_changed:
                # The object that held a location may have been replaced.
                self._second.watch()
        except Exception as error:  # noqa: BLE001 - recording must not fail the suite
            self._ledger.note(f"after {self._ledger.test or 'collecting'}: {type(error).__name__} in the recorder")
