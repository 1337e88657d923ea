"""What a command says came out of its tests, read and held against what was asked."""

from unknot.runners.command.results.ids import check_id
from unknot.runners.command.results.matched import Matched, matched
from unknot.runners.command.results.results import check_results, read_results
from unknot.runners.command.results.told import Reading, ResultsRefused, Told

__all__ = ["Matched", "Reading", "ResultsRefused", "Told", "check_id", "check_results", "matched", "read_results"]
