"""All checks together, as an author subclasses them."""

from unknot.conformance.answer_checks import AnswerChecks
from unknot.conformance.asking_checks import AskingChecks
from unknot.conformance.break_checks import BreakChecks
from unknot.conformance.detection_check import DetectionCheck
from unknot.conformance.runner_checks import RunnerChecks
from unknot.oracle.protocol import Oracle
from unknot.runners.protocol import Runner


class OracleConformance(AnswerChecks[Oracle], AskingChecks[Oracle], BreakChecks[Oracle], DetectionCheck[Oracle]):
    """For something that only answers questions (oracle/protocol.py)."""


class RunnerConformance(
    RunnerChecks, AnswerChecks[Runner], AskingChecks[Runner], BreakChecks[Runner], DetectionCheck[Runner]
):
    """For a whole runner (run/runner.py)."""
