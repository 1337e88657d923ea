"""What the words mean that tools use for outcomes."""

from collections.abc import Iterable, Mapping

from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.runners.command.results.ids import shown
from unknot.runners.command.results.reported import ResultsRefused

_KNOWN = {
    Outcome.PASSED: "ok pass passed success succeeded successful ✓ ✔ .",
    Outcome.FAILED: "fail failed failure error errored ko broken ✗ ✘ ✖ f e",
    Outcome.SKIPPED: "skip skipped ignore ignored disabled pending s",
    Outcome.XFAILED: "xfail xfailed x",
    Outcome.XPASSED: "xpass xpassed",
}
_DEFAULTS = {
    **{word: outcome for outcome, words in _KNOWN.items() for word in words.split()},
    "not ok": Outcome.FAILED,
    "expected failure": Outcome.XFAILED,
    "unexpected success": Outcome.XPASSED,
}
_MEANINGS = tuple(outcome for outcome in Outcome if outcome is not Outcome.NOT_RUN)


class OutcomeWords:
    """The user's words come before the known ones. Case and blanks around them do not matter, unless two of the user's
    words differ by case only."""

    def __init__(self, words: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        """Raises UsageError for a meaning that is no outcome."""
        self._exact = {word.strip(): _outcome(word, value) for word, value in dict(words).items()}
        self._folded = _DEFAULTS | {word.casefold(): outcome for word, outcome in self._exact.items()}

    def meaning(self, word: str, test: str) -> Outcome:
        """Raises ResultsRefused for a word without a meaning: to guess could make an edge of a misprint."""
        word = word.strip()
        found = self._exact.get(word) or self._folded.get(word.casefold())
        if found is None:
            raise ResultsRefused(
                f"the results say {shown(word)} of the test {shown(test)}, and nothing says what that means",
                hint=f'add it to the words of the results, as in words = {{ "{word[:40]}" = "failed" }}',
            )
        return found


def _outcome(word: str, value: str) -> Outcome:
    if value in _MEANINGS:
        return Outcome(value)
    raise UsageError(
        f"the outcome word {shown(word)} is said to mean {shown(value)}, which is no outcome",
        hint="use one of " + ", ".join(_MEANINGS),
    )
