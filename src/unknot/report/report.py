"""The input of every report format."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from unknot.model.dependencies import Dependencies
from unknot.model.suite import TestId
from unknot.report.text.excerpts import CodeExcerpt


@dataclass(frozen=True)
class Report:
    """The result of a detection and what a reader needs to repeat it.

    `invocation` is put before the test ids to make the proof commands; `notes` are lines to point out;
    `lock` and `html` are the paths of the written files, empty if not written. `excerpts` are the lines of code
    behind a claim, by its test and its number in `relations_of`.
    """

    dependencies: Dependencies
    invocation: tuple[str, ...] = ("pytest",)
    notes: tuple[str, ...] = ()
    lock: str = ""
    html: str = ""
    excerpts: Mapping[tuple[TestId, int], tuple[CodeExcerpt, ...]] = field(default_factory=dict)
