"""What every runner is held to, for those who write one.

Subclass `RunnerConformance`, or `OracleConformance` for something that only answers, in a test file of your own, and
write `make`; pytest does the rest:

    class TestMyRunner(RunnerConformance):
        lacks = {Feature.HANGS: "the server has a watchdog of its own"}

        @contextmanager
        def make(self, suite, directory):
            ...  # write suite.tests below directory, in your runner's language
            with MyRunner(directory, workers=suite.workers, timeout=suite.timeout) as runner:
                yield Opened(runner, runner.listed)
"""

import pytest

pytest.register_assert_rewrite(
    *(f"{__name__}.{part}_checks" for part in ("answer", "asking", "break", "runner")),
    f"{__name__}.asking",
    f"{__name__}.detection_check",
)

from unknot.conformance.held_to import OracleConformance, RunnerConformance  # noqa: E402
from unknot.conformance.opened import Feature, Opened  # noqa: E402
from unknot.conformance.planted import Does, PlantedSuite, PlantedTest, Step  # noqa: E402
from unknot.conformance.suites import HOSTILE_NAMES  # noqa: E402

__all__ = [
    "HOSTILE_NAMES",
    "Does",
    "Feature",
    "Opened",
    "OracleConformance",
    "PlantedSuite",
    "PlantedTest",
    "RunnerConformance",
    "Step",
]
