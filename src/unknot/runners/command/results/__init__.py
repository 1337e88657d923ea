"""Reads the results that a command reports, and matches them with the order."""

from unknot.runners.command.results.formats import check_results, read_results
from unknot.runners.command.results.ids import check_id
from unknot.runners.command.results.match_results import MatchedResults, matched
from unknot.runners.command.results.reported import Reading, ReportedTest, ResultsRefused

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
