"""What the words mean that tools use for outcomes."""

import math
import re
from collections.abc import Iterable, Mapping

from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.runners.command.results.ids import shown
from unknot.runners.command.results.reported import ResultsRefused

_NUMBER = re.compile(r"\s*([0-9][0-9.,']{0,30}|\.[0-9]{1,30})(?:[eE]([+-]?[0-9]{1,2}))?\s*(ms|s|)\s*", re.ASCII)
_PLAIN = re.compile(r"[0-9]{1,6}(?:\.[0-9]{0,20})?", re.ASCII)
_LONGEST = 366 * 86400.0


def parse_seconds(text: str) -> float:
    """0 for what is no time: it is a help for predictions, and no reason to doubt an outcome.

    `1,234.5` and `1.234,5` have separators of thousands; `0,25` has a decimal comma. A unit may follow: `12ms`, `3s`.
    """
    if _PLAIN.fullmatch(text):
        return float(text)
    found = _NUMBER.fullmatch(text) if len(text) <= 64 else None
    if found is None:
        return 0.0
    digits, exponent, unit = found[1].replace("'", ""), found[2] or "0", found[3]
    decimal = max(digits.rfind("."), digits.rfind(","))
    if decimal >= 0 and digits.count(digits[decimal]) > 1:
        decimal = -1  # a separator that comes twice parts thousands
    whole = digits if decimal < 0 else digits[:decimal]
    fraction = "" if decimal < 0 else digits[decimal + 1 :]
    number = float(f"{re.sub('[.,]', '', whole) or '0'}.{fraction or '0'}e{exponent}")
    seconds = number / 1000 if unit == "ms" else number
    return seconds if math.isfinite(seconds) and seconds <= _LONGEST else 0.0


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
                slug="results-unknown-outcome",
            )
        return found


def _outcome(word: str, value: str) -> Outcome:
    if value in _MEANINGS:
        return Outcome(value)
    raise UsageError(
        f"the outcome word {shown(word)} is said to mean {shown(value)}, which is no outcome",
        hint="use one of " + ", ".join(_MEANINGS),
        slug="results-config",
    )
