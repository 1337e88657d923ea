"""What every writer is given."""

from dataclasses import dataclass

from unknot.model.knots import Knots


@dataclass(frozen=True)
class Report:
    """The result of a detection and what a reader needs to repeat it.

    `invocation` is put before the test ids to make the proof commands; `notes` are lines for the reader's attention;
    `lock` and `html` are where those files were written, empty where they were not.
    """

    knots: Knots
    invocation: tuple[str, ...] = ("pytest",)
    notes: tuple[str, ...] = ()
    lock: str = ""
    html: str = ""
