"""All checks together, as an author subclasses them."""

from unknot.oracle.protocol import Oracle
from unknot.run.conformance.answer_checks import AnswerChecks
from unknot.run.conformance.asking_checks import AskingChecks
from unknot.run.conformance.break_checks import BreakChecks
from unknot.run.conformance.detection_check import DetectionCheck
from unknot.run.conformance.runner_checks import RunnerChecks
from unknot.run.runner import Runner


class OracleConformance(AnswerChecks[Oracle], AskingChecks[Oracle], BreakChecks[Oracle], DetectionCheck[Oracle]):
    """For something that only answers questions (oracle/protocol.py)."""


class RunnerConformance(
    RunnerChecks, AnswerChecks[Runner], AskingChecks[Runner], BreakChecks[Runner], DetectionCheck[Runner]
):
    """For a whole runner (run/runner.py)."""
