"""Says what a detection will cost before it searches, where that is much."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from unknot.app.progress import ProgressListener
from unknot.detect.engine.cost import CostModel
from unknot.detect.engine.forecast import Forecast, forecast
from unknot.model.errors import StorageError
from unknot.model.suite import Suite, TestId
from unknot.oracle.protocol import Price
from unknot.report.wording import duration
from unknot.store.durations import read_durations

_LONG_SECONDS = 15 * 60.0
"""A detection that may take longer says so."""


@dataclass
class CostNote:
    """Notes a forecast, once. `max_seconds` is the limit of the detection."""

    listener: ProgressListener
    max_seconds: float | None
    _is_said: bool = field(default=False, init=False)

    def say(self, expected: Forecast) -> None:
        if expected.most >= _LONG_SECONDS and not self._is_said:
            self._is_said = True
            self.listener.note(forecast_words(expected, self.max_seconds))

    def say_if_known(self, suite: Suite, price: Price, durations: Path, *, thorough: bool, is_recorded: bool) -> None:
        """Before anything is run, if earlier runs have left the durations of all tests in this file."""
        seconds = _durations(durations)
        if all(test in seconds for test in suite.tests):
            whole = sum(seconds[test] for test in suite.tests)
            self.say(forecast(CostModel(price, len(suite), whole, thorough), is_recorded=is_recorded))


def forecast_words(expected: Forecast, max_seconds: float | None) -> str:
    text = (
        f"one run takes {duration(expected.run)}; a detection takes from {duration(expected.least)}, if no test depends"
        f" on another, to {duration(expected.most)}, if {expected.dependents} do."
    )
    first = duration(expected.first_claims)
    if max_seconds is None:
        return f"{text} Stopped earlier (`max-seconds`), it keeps what is proved by then: nothing before about {first}"
    if max_seconds < expected.first_claims:
        return f"{text} The limit of {duration(max_seconds)} (`max-seconds`) only shows which tests to suspect"
    if max_seconds < expected.most:
        return f"{text} After {duration(max_seconds)} (`max-seconds`) it keeps what is proved by then"
    return text


def _durations(path: Path) -> Mapping[TestId, float]:
    try:
        return read_durations(path)
    except StorageError:
        return {}
