"""All who look, told of the borders between tests together."""

from collections.abc import Mapping
from typing import Any

from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.memory.memory import Memory
from unknot.recorder.inside.memory.reads import Watching, Written
from unknot.recorder.inside.memory.stop_list import StopList
from unknot.recorder.inside.outside import Outside
from unknot.recorder.inside.process.process import Process
from unknot.recorder.inside.second_pass.second_look import SecondLook


class Collectors:
    """A border is after the tear-down of one test and before the set-up of the next, and around the set-up of a
    fixture that tests share: what has changed since the last border belongs to whoever was at work."""

    def __init__(self, ledger: Ledger, request: Mapping[str, Any]) -> None:
        stop_list = self._stop_list = StopList(request["stop"])
        self._ledger = ledger
        ledger.stacks.adopt_neighbours(request["scratch"])
        self._watching = Watching(ledger.stacks)
        self._memory = Memory(ledger, stop_list, self._watching)
        self._process = Process(ledger, stop_list, self._watching)
        self._outside = Outside(ledger, request["scratch"], tuple(request["roots"]))
        self._outside.install()
        known = request["known"]
        self._second = (
            SecondLook(known, self._memory, self._process, self._outside.files, self._watching, ledger)
            if known
            else None
        )
        self._outside.start()

    def first_look(self, items: Mapping[str, Any]) -> None:
        """`items` are pytest's, by their ids."""
        self._join(next(iter(items.values())).config if items else None)
        if self._second is not None:
            self._second.run_alone(items)
        self._border()
        if self._second is not None:
            self._second.watch()

    def _join(self, config: Any) -> None:
        if config is None:
            return
        config.pluginmanager.register(self._memory.fixtures, "unknot-shared-fixtures")
        if getattr(config.option, "randomly_reset_seed", False):
            # pytest-randomly seeds them anew for every test.
            self._stop_list.add("random.getstate()", "numpy.random.get_state()")

    def begin_test(self, test: str) -> None:
        self._ledger.begin(test)
        self._outside.begin_test()
        self._watching.begin_test()
        if self._second is not None:
            self._second.begin_test(test)

    def end_test(self) -> None:
        if self._second is not None:
            self._second.end_test()
        self._border()
        if touched := self._outside.touched_outside():
            self._ledger.fact(test=self._ledger.test, outside=sorted(touched))
        self._ledger.end()

    def enter_fixture(self, name: str) -> str:
        """Gives back who was at work."""
        outer = self._ledger.fixture
        self._hand_over(name)
        return outer

    def leave_fixture(self, outer: str) -> None:
        self._hand_over(outer)

    def close(self) -> None:
        self._watching.close()
        self._outside.stop()

    def _hand_over(self, fixture: str) -> None:
        test = self._ledger.test
        if not test:
            return
        if self._second is not None:
            self._second.end_test()
        self._border()
        self._ledger.fixture = fixture
        if self._second is not None:
            # What was written so far was told: the lines of the next stretch begin here.
            self._second.begin_test(test)
        self._watching.resume()

    def _border(self) -> None:
        self._watching.pause()
        self._outside.end_of_test()
        written: Written = self._second.written if self._second is not None else lambda key: ()
        try:
            has_changed = self._memory.look(written)
            self._process.look(written)
            if self._second is not None and has_changed:
                # What held a location may have been replaced.
                self._second.watch()
        except Exception as error:  # noqa: BLE001 - the suite must not fail because it is looked at
            self._ledger.note(f"after {self._ledger.test or 'collecting'}: {type(error).__name__} in the recorder")
