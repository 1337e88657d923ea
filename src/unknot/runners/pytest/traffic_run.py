"""One run of the suite in its own order, with what its browsers send, show and keep."""

from collections.abc import Sequence

from unknot.model.outcome import Outcome
from unknot.model.suite import TestId
from unknot.model.traffic import Traffic
from unknot.recorder.traffic_events import read_traffic
from unknot.runners.pytest.whole_run import Watcher, run_whole
from unknot.runners.pytest.worker import Place

_WATCHER = Watcher(
    plugin="unknot.runners.pytest.inside.browser.traffic_recorder",
    variable="UNKNOT_TRAFFIC",
    failure="the traffic of the suite could not be recorded",
    hint="leave that test out, or use other suspects: dependencies are found without traffic too",
)


def run_with_traffic(
    place: Place, leave_out: Sequence[TestId], seconds: float = float("inf")
) -> tuple[Traffic, dict[TestId, Outcome]]:
    """What was seen, in the user's own ids, and what came out of each test. Raises RunnerError if the run does not come
    to its end, or not within these seconds. Cost: a run of the suite, a little slower than usual."""
    events = place.home / "traffic.jsonl"
    answer = run_whole(place, _WATCHER, {"events": str(events)}, leave_out, seconds)
    outcomes = {TestId(place.original_id(test)): Outcome(outcome) for test, outcome in answer["tests"].items()}
    with open(events, encoding="utf-8") as lines:
        return read_traffic(lines, tuple(outcomes), place.original_id), outcomes
