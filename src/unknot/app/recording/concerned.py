"""Records only the tests that some claims are about, to find their reasons: a fraction of what the suite takes."""

from collections.abc import Iterable

from unknot.app.progress import ProgressListener
from unknot.app.recording.suite_recorder import SuiteRecorder
from unknot.model.dependencies import Conflict, Need
from unknot.model.errors import UnknotError
from unknot.model.recording import Recording
from unknot.model.sanitise import shown
from unknot.model.suite import Suite, TestId
from unknot.runners.settings import Settings


def record_concerned(
    claims: Iterable[Need | Conflict],
    suite: Suite,
    settings: Settings,
    listener: ProgressListener,
    stop_list: Iterable[str] = (),
    *,
    seconds: float = float("inf"),
) -> Recording | None:
    """Both looks at the tests in the proofs of these claims, and their cleaners, for at most so many `seconds`; None,
    with a note, if they cannot be recorded."""
    concerned: set[TestId] = set()
    for claim in claims:
        concerned.update(claim.proof.passes, claim.proof.fails, claim.cleaners if isinstance(claim, Conflict) else ())
    others = [test for test in suite.tests if test not in concerned]
    listener.status("recording what flows between the tests concerned")
    try:
        with SuiteRecorder(settings, stop_list=list(stop_list), leave_out=others, seconds=seconds) as recorder:
            recorder.first_look()
            return recorder.second_look()
    except (UnknotError, OSError) as problem:
        first, _, _ = str(problem).strip().partition("\n")
        listener.note(f"the reason is not known: {shown(first) or type(problem).__name__}")
        return None
