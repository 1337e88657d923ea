"""All collectors, driven together at the boundaries between tests."""

from collections.abc import Mapping
from operator import methodcaller
from typing import Any

from unknot.recorder.inside.external import ExternalRecorder
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.memory.memory import MemoryCollector
from unknot.recorder.inside.memory.stop_list import StopList
from unknot.recorder.inside.memory.watched_location import begin_watching
from unknot.recorder.inside.process.process import ProcessCollector
from unknot.recorder.inside.process.random_probes import NUMPY, RANDOM
from unknot.recorder.inside.second_pass.second_pass import NOTHING_KNOWN, SecondPass
from unknot.recorder.inside.stack import UserModules
from unknot.recorder.native import _watch


class StateRecorder(ExternalRecorder):
    """Also records memory and the state of the process, and runs the second pass."""

    def __init__(self, ledger: Ledger, request: Mapping[str, Any]) -> None:
        super().__init__(ledger, request)
        ledger.stacks.files.adopt_neighbours(request["scratch"])
        self._stop_list = StopList(request["stop"])
        user_modules = UserModules(ledger.stacks)
        _watch.install(methodcaller("was_read"), methodcaller("was_written"))
        self._memory = MemoryCollector(ledger, self._stop_list, user_modules)
        self._process = ProcessCollector(ledger, self._stop_list, user_modules)
        known = request["known"] or NOTHING_KNOWN
        self._second = SecondPass(known, self._memory, self._process, self.files, ledger)

    def take_baseline(self, items: Mapping[str, Any]) -> None:
        self._connect_to_pytest(next(iter(items.values())).config if items else None)
        self._second.run_alone(items)
        self.record_boundary()
        self._second.watch()

    def _connect_to_pytest(self, config: Any) -> None:
        if config is None:
            return
        config.pluginmanager.register(self._memory.fixtures, "unknot-shared-fixtures")
        if getattr(config.option, "randomly_reset_seed", False):
            # pytest-randomly seeds them again before every test.
            self._stop_list.add(RANDOM, NUMPY)

    @property
    def is_out_of_time(self) -> bool:
        return self._second.is_out_of_time

    def begin_test(self, test: str) -> None:
        super().begin_test(test)
        begin_watching()
        self._second.begin_test(test)

    def leave_fixture(self, outer: str) -> None:
        super().leave_fixture(outer)
        if self._ledger.test:
            # Earlier writes are recorded: line tracing starts again for the next stretch.
            self._second.begin_test(self._ledger.test)
            _watch.set_active(True)

    def close(self) -> None:
        _watch.set_active(False)
        _watch.unwatch_all()
        self._second.close()
        super().close()

    def record_boundary(self) -> None:
        self._second.end_test()
        _watch.set_active(False)
        super().record_boundary()
        try:
            has_changed = self._memory.compare(self._second.write_stacks)
            self._process.compare(self._second.write_stacks)
            if has_changed:
                # The object that held a location may have been replaced.
                self._second.watch()
        except Exception as error:  # noqa: BLE001 - recording must not fail the suite
            self._ledger.note(f"after {self._ledger.test or 'collecting'}: {type(error).__name__} in the recorder")
