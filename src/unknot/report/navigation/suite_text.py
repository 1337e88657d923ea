"""A generated suite, for a terminal and as data."""

from collections.abc import Iterable
from dataclasses import asdict

from rich.text import Text

from unknot.model.sanitise import shown
from unknot.model.web.generated_suite import GeneratedSuite
from unknot.report.text.lines import Lines
from unknot.report.wording import counted, duration

_FORMAT = 1
_MOST_FAULTS = 10
_MOST_DROPPED = 20


def suite_text(suite: GeneratedSuite, *, written: Iterable[tuple[str, str]] = ()) -> Text:
    """`written` are a file and what it is, or a command and what it does."""
    lines = Lines()
    checks = sum(each.checks for each in suite.tests)
    files = dict.fromkeys(each.file for each in suite.tests)
    sizes = [counted(len(suite.tests), "test"), counted(checks, "check")]
    if suite.tests:
        lines.line(f"{shown(suite.directory)}: {', '.join(sizes)}", "bold")
        dependent = f"{suite.dependent:,} depend on others" if suite.dependent else "none depends on another"
        lines.line(f"each was green in order three times, alone, and shuffled; {dependent}")
    else:
        lines.line("no test was written", "bold")
    explored = f"{counted(suite.steps, 'step')} in {duration(suite.exploring_seconds)}"
    lines.line(f"{explored}; proved in {duration(suite.proving_seconds)}" if suite.tests else explored)
    if suite.problem:
        lines.line(f"stopped early: {shown(suite.problem)}", "bold red")
    for file in files:
        lines.line()
        lines.line(file)
        for each in suite.tests:
            if each.file == file:
                lines.line(f"  {each.name}")
    _left_out(lines, suite)
    _faults(lines, suite)
    rows = list(written)
    if rows:
        lines.line()
        width = max(len(shown(what)) for what, _ in rows)
        for what, purpose in rows:
            lines.line(f"{shown(what):<{width}}  {purpose}")
    return lines.text


def _left_out(lines: Lines, suite: GeneratedSuite) -> None:
    if suite.dropped:
        lines.line()
        lines.line("dropped, because they were not green each time", "bold")
        for each in suite.dropped[:_MOST_DROPPED]:
            lines.line(f"  {each.name} ({each.when})")
            lines.line(f"    {each.why}", "dim")
        if len(suite.dropped) > _MOST_DROPPED:
            lines.line(f"  and {len(suite.dropped) - _MOST_DROPPED:,} more: see --format json")
    if suite.repeated or suite.unwritten:
        lines.line()
        lines.line("not written", "bold")
        if suite.repeated:
            lines.line(f"  {suite.repeated:,}  others make the same transitions and checks")
        for why, count in sorted(suite.unwritten.items(), key=lambda each: -each[1]):
            lines.line(f"  {count:,}  {shown(why)}")


def _faults(lines: Lines, suite: GeneratedSuite) -> None:
    if not suite.faults:
        return
    lines.line()
    lines.line(f"{counted(len(suite.faults), 'fault')} of the application", "bold")
    for each in suite.faults[:_MOST_FAULTS]:
        lines.line(f"  {each.kind}: {each.text}", "red")
        lines.line(f"    after {', '.join(each.actions)}", "dim")
    if len(suite.faults) > _MOST_FAULTS:
        lines.line(f"  and {len(suite.faults) - _MOST_FAULTS:,} more: see --format json")


def suite_json(suite: GeneratedSuite) -> dict[str, object]:
    """Described in docs/reference/generate.md."""
    return {"format": _FORMAT, **asdict(suite)}
