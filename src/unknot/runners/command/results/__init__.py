"""What a command says came out of its tests, read and held against what was asked."""

from unknot.runners.command.results.ids import check_id
from unknot.runners.command.results.matched import MatchedResults, matched
from unknot.runners.command.results.reported import Reading, ReportedTest, ResultsRefused
from unknot.runners.command.results.results import check_results, read_results

__all__ = [
    "MatchedResults",
    "Reading",
    "ReportedTest",
    "ResultsRefused",
    "check_id",
    "check_results",
    "matched",
    "read_results",
]
