"""The input of every report format."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from unknot.model.dependencies import Dependencies, Proof
from unknot.model.suite import TestId
from unknot.report.commands import printable_command
from unknot.report.relations import verdict_labels
from unknot.report.text.excerpts import CodeExcerpt
from unknot.store.tried_fixes import TriedFix


@dataclass(frozen=True)
class Report:
    """The result of a detection and what a reader needs to repeat it.

    `invocation` is put before the test ids to make the proof commands; `notes` are lines to point out;
    `not_restored` is a sentence on files that orders may have seen of each other, which follows the headline;
    `lock` and `html` are the paths of the written files, empty if not written. `next_commands` are what a user may want
    to run now, each after its purpose. `excerpts` are the lines of code behind a claim, by its test and its number in
    `relations_of`; `fixes` are changes that were tried and work.
    """

    dependencies: Dependencies
    invocation: tuple[str, ...] = ("pytest",)
    notes: tuple[str, ...] = ()
    not_restored: str = ""
    lock: str = ""
    html: str = ""
    next_commands: tuple[tuple[str, str], ...] = ()
    excerpts: Mapping[tuple[TestId, int], tuple[CodeExcerpt, ...]] = field(default_factory=dict)
    fixes: tuple[TriedFix, ...] = ()

    def proof_commands(self, test: TestId, proof: Proof) -> tuple[tuple[str, str], tuple[str, str]]:
        """The two runs of a proof about this test, as label and command."""
        passes, fails = verdict_labels(self.dependencies.outcomes[test])
        return (
            (passes, printable_command(self.invocation, proof.passes)),
            (fails, printable_command(self.invocation, proof.fails)),
        )
