"""Lines of a terminal report: a label, then a value that is never cut, wrapped or read as markup."""

from collections.abc import Iterable, Sequence
from itertools import islice

from rich.console import Console
from rich.text import Text

from unknot.model.sanitise import shown
from unknot.report.relations import MAYBE_MORE, Relation

_LABEL = 19
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

    def field(self, label: str, values: Iterable[str]) -> None:
        """The label before the first value, the others below it."""
        for value in values:
            self.text.append(f"  {label:<{_LABEL}}", "dim")
            self.text.append(f"{shown(value)}\n")
            label = ""

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
    """Print without wrapping or cropping, so that copied commands contain no line breaks. Characters that the output's
    encoding lacks are escaped."""
    try:
        text.plain.encode(console.encoding)
    except UnicodeEncodeError:
        text = Text(text.plain.encode(console.encoding, "backslashreplace").decode(console.encoding))
    console.print(text, soft_wrap=True, end="")
