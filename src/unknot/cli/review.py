"""The review of shared values in the terminal: which of them imply no dependency?"""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from unknot.app.candidates.free_values import ReviewedValues, read_reviewed, shortened, write_reviewed
from unknot.app.progress import ProgressListener
from unknot.model.candidates import StringUse
from unknot.model.errors import UsageError
from unknot.model.sanitise import shown
from unknot.report.wording import counted
from unknot.web.hints.strings import RankedValue, in_every_test, rank_values


def check_terminal() -> None:
    """Raises UsageError if no one can answer."""
    # Standard input may be closed altogether.
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(
            "--review asks questions, and standard input is not a terminal",
            hint='Name the values with `--free-values VALUE`, or with `free-values = ["…"]` in the configuration.',
            slug="no-terminal",
        )


def ask_in_terminal(question: str) -> str:
    """The line that was typed. Raises EOFError at the end of input."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def review(
    uses: Sequence[StringUse],
    free_values: Sequence[str],
    state: Path,
    progress: ProgressListener,
    answer: Callable[[str], str],
) -> None:
    """Asks about each value on which candidates rest, those of most tests first, until the user stops; every answer is
    saved at once. `answer` puts a question and returns what was typed, and raises EOFError at the end."""
    reviewed = read_reviewed(state)
    everywhere = in_every_test(uses)
    known = {*everywhere, *free_values, *reviewed.free}
    open_values = [value for value in rank_values(uses, known) if value.text not in reviewed.kept]
    for automatic in sorted(everywhere):
        progress.result(f"`{shortened(shown(automatic))}` is in every test: dropped")
    progress.result(_introduction(open_values))
    for value in open_values:
        try:
            word = _answer(value, answer)
        except (EOFError, KeyboardInterrupt):
            # The question has no answer on its line.
            progress.result("")
            break
        if word == "q":
            break
        if word == "y":
            reviewed = ReviewedValues((*reviewed.free, value.text), reviewed.kept)
        else:
            reviewed = ReviewedValues(reviewed.free, (*reviewed.kept, value.text))
        write_reviewed(state, reviewed)
    progress.result(_summary(reviewed, free_values))


def _introduction(values: Sequence[RankedValue]) -> str:
    if not values:
        return "no value is left to review"
    return (
        f"{counted(len(values), 'value')} on which candidates rest, those of most tests first. A value is free if no"
        " test has to run before another because of it: a login that always exists, a word on the page.\n"
        "y: free, its candidates are dropped. n: not free. q: quit."
    )


def _answer(value: RankedValue, answer: Callable[[str], str]) -> str:
    text = f"`{shortened(shown(value.text))}`: in {counted(value.tests, 'test')}, {counted(value.edges, 'candidate')}"
    question = f"{text}, {value.only:,} of them by nothing else. Free? [y/n/q] "
    while True:
        word = answer(question).strip().lower()[:1]
        if word in ("y", "n", "q"):
            return word


def _summary(reviewed: ReviewedValues, configured: Iterable[str]) -> str:
    free = dict.fromkeys((*configured, *reviewed.free))
    if not free:
        return "no other value is free"
    kept = "saved in the state directory. " if reviewed.free else ""
    listed = ", ".join(map(_toml, filter(_is_whole, free)))
    return f"{kept}To share the values, put this into the configuration:\nfree-values = [{listed}]"


def _toml(text: str) -> str:
    r"""As a string of TOML, in which every character is visible.

    >>> print(_toml('a "b"\n\x9b'))
    "a \"b\"\n\U0000009B"
    """
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08X}" for each in quoted)


def _is_whole(text: str) -> bool:
    """Half a character cannot be written in TOML."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
