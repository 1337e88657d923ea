"""Lines of a terminal report: a label, then a value that is never cut or read as markup. On a terminal, a long value
continues below its beginning; a command stays on one line, so that it can be copied."""

from collections.abc import Iterable, Sequence
from itertools import islice
from textwrap import wrap

from rich.console import Console
from rich.style import Style
from rich.text import Text

from unknot.model.sanitise import shown
from unknot.report.relations import MAYBE_MORE, Relation

_LABEL = 19
_NARROWEST = 30
"""A value with fewer columns than this would be harder to read below its beginning."""
_COLUMN = "column"
"""In the style of a value that may be wrapped: the column where it begins."""

_STYLES = {"brittle": "yellow", "victim": "red", "brittle and victim": "magenta"}


class Lines:
    """Collects lines into one rich Text. Values are added as plain text, so `[red]` in an id is not markup. Style
    never carries information that the words do not."""

    def __init__(self) -> None:
        self.text = Text()

    def line(self, text: str = "", style: str = "") -> None:
        self.text.append(f"{shown(text)}\n", style or None)

    def title(self, kind: str, test: str) -> None:
        self.text.append(kind, f"bold {_STYLES.get(kind.partition(',')[0], '')}".strip())
        self.text.append(f"  {shown(test)}\n", "bold")

    def field(self, label: str, values: Iterable[str], *, wraps: bool = True) -> None:
        """The label before the first value, the others below it. Commands and code are not to be wrapped."""
        for value in values:
            self.text.append(f"  {label:<{_LABEL}}", "dim")
            self.hanging(value, 2 + _LABEL) if wraps else self.line(value)
            label = ""

    def hanging(self, value: str, column: int, style: str = "") -> None:
        """The end of a line; if it is long, it continues in this column of the next one."""
        self.text.append(f"{shown(value)}\n", Style.parse(style) + Style(meta={_COLUMN: column}))

    def tests(self, label: str, tests: Sequence[str], *, most: int, rest: str) -> None:
        """At most `most` tests, then how many more there are and where to see them (`rest`)."""
        # One more than allowed is shown in full: a line that says "and 1 more" saves nothing.
        shorten = len(tests) > most + 1
        self.field(label, islice(tests, most) if shorten else tests)
        if shorten:
            self.field("", [f"and {len(tests) - most} more: {rest}"])

    def claim(self, claim: Relation, *, most: int, rest: str) -> None:
        self.tests(claim.relation, claim.tests, most=most, rest=rest)
        if not claim.complete:
            self.field("", [f"({MAYBE_MORE})"])
        self.tests(claim.cleaning, claim.cleaners, most=most, rest=rest)
        self.field("because", claim.why)


def print_text(console: Console, text: Text) -> None:
    """Print without cropping. Only values of fields are wrapped, and only on a terminal, so that copied commands and
    redirected results contain no added line breaks. Characters that the output's encoding lacks are escaped."""
    try:
        text.plain.encode(console.encoding)
    except UnicodeEncodeError:
        text = Text(text.plain.encode(console.encoding, "backslashreplace").decode(console.encoding))
    if console.is_terminal:
        lines = [part for line in text.split("\n", allow_blank=True) for part in _wrapped(console, line)]
        text = Text("\n").join(lines)
    console.print(text, soft_wrap=True, end="")


def _wrapped(console: Console, line: Text) -> Iterable[Text]:
    if line.cell_len <= console.width:
        return [line]
    found = [style for span in line.spans if _COLUMN in (style := _style(span.style)).meta]
    column = found[0].meta[_COLUMN] if found else console.width
    if console.width - column < _NARROWEST or " " not in line.plain[column:].strip():
        return [line]
    first, *others = wrap(line.plain[column:], console.width - column, break_long_words=False, break_on_hyphens=False)
    return [line[:column] + Text(first, found[0]), *(Text(" " * column + other, found[0]) for other in others)]


def _style(style: str | Style) -> Style:
    return style if isinstance(style, Style) else Style.null()
