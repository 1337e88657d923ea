"""What came out of one test."""

from enum import StrEnum


class Outcome(StrEnum):
    """The values are what the JSON format and the journal hold; they never change meaning."""

    PASSED = "passed"
    FAILED = "failed"
    SETUP_ERROR = "setup-error"
    TEARDOWN_ERROR = "teardown-error"
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"
    TIMED_OUT = "timed-out"
    CRASHED = "crashed"
    NOT_RUN = "not-run"

    @property
    def is_bad(self) -> bool:
        """Whether pytest would count the test against the suite."""
        return self in _BAD

    @property
    def is_verdict(self) -> bool:
        """Whether the test itself decided. A crash, a timeout and a test never reached say nothing about its claim."""
        return self not in _NO_VERDICT

    @property
    def ends_process(self) -> bool:
        """Whether the test ended its process, so that no other test can run after it there."""
        return self in _ENDS_PROCESS


_BAD = frozenset({Outcome.FAILED, Outcome.SETUP_ERROR, Outcome.TEARDOWN_ERROR, Outcome.TIMED_OUT, Outcome.CRASHED})
_NO_VERDICT = frozenset({Outcome.TIMED_OUT, Outcome.CRASHED, Outcome.NOT_RUN})
_ENDS_PROCESS = frozenset({Outcome.TIMED_OUT, Outcome.CRASHED})
