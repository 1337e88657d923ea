"""New dependencies in the words that all formats of `check` share."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from unknot.model.comparison import Comparison, Dependency, partners, subject
from unknot.model.dependencies import Need
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId
from unknot.report.reasons import sentences
from unknot.report.report import Report
from unknot.report.wording import counted

_MOST_TESTS = 5


@dataclass(frozen=True)
class Finding:
    """A new dependency. `message` is one line in which every character is visible; `line` is 0 if it is unknown."""

    test: TestId
    rule: str
    message: str
    why: tuple[str, ...]
    commands: tuple[tuple[str, str], ...]
    claim: Dependency
    line: int = 0

    @property
    def file(self) -> str:
        """Of the test; empty if the id does not name one."""
        file, separator, _ = self.test.partition("::")
        return file if separator else ""


@dataclass(frozen=True)
class CheckReport:
    """`is_update`: what is new was accepted. `lines` has the place of each test in its file."""

    comparison: Comparison
    report: Report
    lines: Mapping[TestId, int] = field(default_factory=dict)
    is_update: bool = False

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(map(self._finding, self.comparison.new))

    def _finding(self, claim: Dependency) -> Finding:
        test = subject(claim)
        rule = "brittle" if isinstance(claim, Need) else "victim"
        return Finding(
            test,
            rule,
            f"{shown(test)} {_relation(claim)}",
            sentences(claim.why),
            self.report.proof_commands(test, claim.proof),
            claim,
            self.lines.get(test, 0),
        )

    @property
    def headline(self) -> str:
        """What was found, in a sentence; never more than was tried."""
        new, now = len(self.comparison.new), self.comparison.now
        size = counted(len(now.suite), "test")
        if new:
            verb = "accepted" if self.is_update else "found"
            return f"{_dependencies(new, 'new ')} {verb} among {size}."
        if not now.complete:
            return f"No new dependency found among {size} so far: the check did not reach its end."
        return f"No new dependency among {size}."

    @property
    def notes(self) -> tuple[str, ...]:
        """Of what does not decide."""
        found, lock = self.comparison, self.report.lock
        notes = []
        if found.gone:
            advice = "" if self.is_update else ": `unknot check --baseline update` removes them"
            verb = "is" if len(found.gone) == 1 else "are"
            notes.append(f"{_dependencies(len(found.gone))} of {lock} {verb} gone{advice}")
        if found.newly_flaky:
            notes.append(f"flaky now, nothing is claimed about them: {_names(found.newly_flaky)}")
        if found.now.failing:
            notes.append(f"not passing in suite order: {_names(found.now.failing)}")
        if found.new and not found.now.complete:
            notes.append("the check did not reach its end: there may be more")
        return (*notes, *self.report.notes)


def _dependencies(count: int, kind: str = "") -> str:
    return f"1 {kind}dependency" if count == 1 else f"{count:,} {kind}dependencies"


def _relation(claim: Dependency) -> str:
    many = len(partners(claim)) > 1
    names = _names(partners(claim))
    if isinstance(claim, Need):
        return f"needs any of {names}" if many else f"needs {names}"
    return f"is broken by all of {names}" if many else f"is broken by {names}"


def _names(tests: Order) -> str:
    text = ", ".join(map(shown, tests[:_MOST_TESTS]))
    return text if len(tests) <= _MOST_TESTS else f"{text} and {len(tests) - _MOST_TESTS:,} more"
