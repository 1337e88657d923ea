"""The answer of `unknot blame`: who broke a test, why, and what helps."""

from collections.abc import Sequence

from rich.text import Text

from unknot.model.blame import Blame, BlameVerdict, Tried
from unknot.model.outcome import Outcome
from unknot.model.suite import Order
from unknot.report.commands import printable_command
from unknot.report.report import Report
from unknot.report.text.explain import ReasonDetails, add_claims
from unknot.report.text.lines import Lines
from unknot.report.wording import counted, duration, how_sure

_MOST_TRIED = 6


def blame_text(report: Report, found: Blame, details: Sequence[ReasonDetails], orders: int, seconds: float) -> Text:
    """The answer in a sentence; for a dependency each claim with its two commands, its reason and its change; then what
    was tried, and what it cost. Print it with `print_text`."""
    lines = Lines()
    lines.line(_headline(report, found), "bold")
    if found.verdict is BlameVerdict.DEPENDENT:
        add_claims(lines, report, found.test, details)
    elif found.verdict is BlameVerdict.FLAKY:
        lines.field("flaky", filter(None, [how_sure(report.dependencies, found.test)]))
        lines.field("see it", [printable_command(report.invocation, _shortest_order(found))], wraps=False)
    elif found.verdict is BlameVerdict.UNEXPLAINED:
        lines.field("next", ["unknot detect, or name the run that failed: --seed, --order, --junit or --log"])
    lines.line()
    tried = [_tried(each.what, each.outcome) for each in _notable(found)]
    lines.tests("tried", tried, most=_MOST_TRIED, rest="--format json")
    if not found.finished:
        lines.field("unfinished", ["everything listed is proven, but there may be more"])
    lines.field("cost", [f"{counted(orders, 'order')}, {duration(seconds)}"])
    return lines.text


def _headline(report: Report, found: Blame) -> str:
    test = found.test
    match found.verdict:
        case BlameVerdict.DEPENDENT:
            return _culprits(report, found)
        case BlameVerdict.FLAKY:
            return f"{test} is flaky: its outcome differs in the same order, so order is not the reason."
        case BlameVerdict.FAILING:
            return f"{test} failed in every order tried, and alone: order is not the reason."
        case BlameVerdict.PASSING:
            return f"{test} passed in {counted(len(found.tried), 'order')}, and alone: nothing breaks it here."
        case BlameVerdict.CRASHING:
            return f"{test} ends the process that runs it: order is not the reason."
        case BlameVerdict.UNEXPLAINED:
            return f"{test} failed in some order, and no test could be proved to be the reason."


def _culprits(report: Report, found: Blame) -> str:
    known = report.dependencies
    conflicts, needs = known.conflicts_of.get(found.test, ()), known.needs_of.get(found.test, ())
    parts = []
    if conflicts:
        parts.append("is broken by " + ", and by ".join(" together with ".join(each.polluters) for each in conflicts))
    if needs:
        parts.append("fails unless it runs after " + " and ".join(" or ".join(need.any_of) for need in needs))
    return f"{found.test} {'; and '.join(parts)}."


def _shortest_order(found: Blame) -> Order:
    return min((each.order for each in found.tried), key=len, default=(found.test,))


def _notable(found: Blame) -> list[Tried]:
    """Failures first; single neighbours only if they break the test."""
    good = [each for each in found.tried if not each.outcome.is_bad and not each.what.startswith("directly")]
    return [*(each for each in found.tried if each.outcome.is_bad), *good]


def _tried(what: str, outcome: Outcome) -> str:
    return f"{what}: {outcome.value}"
