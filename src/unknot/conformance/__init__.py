"""The conformance suite for runners.

To test a runner of your own, subclass `RunnerConformance`, or `OracleConformance` for an oracle, in a test file and
implement `make`; pytest does the rest:

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
    *(f"{__name__}.{part}" for part in ("conformance_case", "oracle_checks", "runner_checks"))
)

from unknot.conformance.conformance_case import Feature, Opened  # noqa: E402
from unknot.conformance.oracle_checks import OracleConformance  # noqa: E402
from unknot.conformance.planted import Does, PlantedSuite, PlantedTest, Step  # noqa: E402
from unknot.conformance.runner_checks import RunnerConformance  # noqa: E402
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
