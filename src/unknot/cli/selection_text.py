"""A selection, for people."""

from rich.text import Text

from unknot.coverage.affected import Affected
from unknot.model.suite import Order
from unknot.plan.select import TestSelection
from unknot.report.text.lines import Lines
from unknot.report.wording import counted

_MOST_REASONS = 3


def selection_text(found: Affected, selection: TestSelection, new: Order, size: int) -> Text:
    """First how many, then the tests in groups, each group in the order in which it is to be run, with why."""
    lines = Lines()
    lines.line(_headline(found, selection, new, size), "bold")
    if selection.wanted:
        lines.line()
        lines.line("affected")
        for test in selection.wanted:
            lines.line(f"  {test}")
            reasons = found.reasons.get(test, [])
            for reason in reasons[:_MOST_REASONS]:
                lines.line(f"      {reason}", "dim")
            if len(reasons) > _MOST_REASONS:
                lines.line(f"      and {counted(len(reasons) - _MOST_REASONS, 'more reason')}", "dim")
    for title, tests in (("needed by them", selection.needed), ("new", new)):
        if tests:
            lines.line()
            lines.line(title)
            for test in tests:
                lines.line(f"  {test}")
    return lines.text


def _headline(found: Affected, selection: TestSelection, new: Order, size: int) -> str:
    if found.everything:
        return f"Everything is selected, {counted(len(selection.wanted) + len(new), 'test')}. {found.everything}"
    parts = [f"{len(selection.wanted):,} of {counted(size, 'test')} affected"]
    parts += [f"{len(selection.needed):,} more needed by them"] if selection.needed else []
    parts += [f"{len(new):,} new"] if new else []
    return ", ".join(parts) + "."
