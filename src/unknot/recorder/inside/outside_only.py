"""What can be recorded without the compiled parts: files, databases, ports and subprocesses."""

from collections.abc import Mapping
from typing import Any

from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.outside import Outside


class OutsideOnly:
    """Stands in for `Collectors` where there was no C compiler. There is nothing for a second look to find."""

    def __init__(self, ledger: Ledger, request: Mapping[str, Any]) -> None:
        self._ledger = ledger
        self._outside = Outside(ledger, request["scratch"], tuple(request["roots"]))
        self._outside.install()
        self._outside.start()

    def first_look(self, items: Mapping[str, Any]) -> None:
        self._ledger.note(f"the memory of {len(items)} tests: the compiled parts of the recorder are missing")

    def begin_test(self, test: str) -> None:
        self._ledger.begin(test)
        self._outside.begin_test()

    def end_test(self) -> None:
        self._outside.end_of_test()
        if touched := self._outside.touched_outside():
            self._ledger.fact(test=self._ledger.test, outside=sorted(touched))
        self._ledger.end()

    def enter_fixture(self, name: str) -> str:
        outer = self._ledger.fixture
        self.leave_fixture(name)
        return outer

    def leave_fixture(self, outer: str) -> None:
        self._outside.end_of_test()
        self._ledger.fixture = outer

    def close(self) -> None:
        self._outside.stop()
