"""The causes, each with a change that was tried, or the command that finds one."""

from collections.abc import Iterator, Sequence
from html import escape

from unknot.model.cause import Cause, causes, dependent
from unknot.model.dependencies import Conflict, Need
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId
from unknot.report.commands import printable_command
from unknot.report.html.style import code, text
from unknot.report.report import Report
from unknot.report.wording import cause_words
from unknot.store.tried_fixes import TriedFix

_MOST_OPEN = 5
"""So many causes are seen at once, and so many tests of one."""
_MOST = 200


def cause_list(report: Report) -> Iterator[str]:
    """The section; nothing if no cause is known and no change was tried. Cost: linear in the claims and the causes."""
    found = causes(report.dependencies)
    known = {(fix.test, fix.others): fix for fix in report.fixes}
    without = _without_cause(report, found)
    if not has_causes(report):
        return
    yield '<section id="causes" aria-labelledby="causes-h"><h2 id="causes-h">Causes</h2>'
    if found:
        yield from _items(report, found[:_MOST_OPEN], known)
    rest = found[_MOST_OPEN:_MOST]
    if rest:
        name = f"{len(found) - _MOST_OPEN:,} more {'cause' if len(found) == _MOST_OPEN + 1 else 'causes'}"
        yield f'<details class="rest"><summary>{name}</summary>'
        yield from _items(report, rest, known)
        if len(found) > _MOST:
            yield f"<p>and {len(found) - _MOST:,} more</p>"
        yield "</details>"
    if without:
        many = f"{len(without):,} {'dependency' if len(without) == 1 else 'dependencies'}"
        yield f'<p class="dim">No shared state was recorded for {many}.</p>'
        yield from _diffs([known[_key(claim)] for claim in without if _key(claim) in known])
    yield "</section>"


def has_causes(report: Report) -> bool:
    return bool(report.fixes) or bool(causes(report.dependencies))


def _items(report: Report, found: Sequence[Cause], known: dict[tuple[TestId, Order], TriedFix]) -> Iterator[str]:
    yield '<ul class="causes">'
    for cause in found:
        fixes = list(dict.fromkeys(fix for claim in cause.claims if (fix := known.get(_key(claim))) is not None))
        end = '<span class="tried">fix tried</span>' if fixes else ""
        words = cause_words(cause, "").removeprefix(": ")
        yield (
            f'<li><details data-cause="{text(cause.location.name)}"><summary>{code(cause.location.name)}'
            f" <span>{words}</span>{end}</summary>"
        )
        yield from _tests(cause.tests)
        if fixes:
            yield from _diffs(fixes)
        else:
            yield from _command(report, cause)
        yield "</details></li>"
    yield "</ul>"


def _key(claim: Need | Conflict) -> tuple[TestId, Order]:
    return dependent(claim), claim.any_of if isinstance(claim, Need) else claim.polluters


def _tests(tests: Order) -> Iterator[str]:
    rows = "".join(f"<li>{code(test)}</li>" for test in tests[:_MOST_OPEN])
    rest = len(tests) - _MOST_OPEN
    yield f"<ul>{rows}{f'<li>and {rest:,} more</li>' if rest > 0 else ''}</ul>"


def _diffs(fixes: Sequence[TriedFix]) -> Iterator[str]:
    for fix in fixes:
        yield f"<p>Tried for {code(fix.test)}, and it works: {text(fix.summary)}.</p>"
        lines = "\n".join(_line(line) for line in fix.diff.splitlines())
        yield f'<pre class="diff" tabindex="0">{lines}</pre>'


def _line(line: str) -> str:
    printable = escape("\t".join(map(shown, line.split("\t"))))
    look = {"+": "new", "-": "old", "@": "place"}.get(line[:1], "")
    if line.startswith(("+++", "---")):
        look = "place"
    return f'<span class="{look}">{printable}</span>' if look else printable


def _command(report: Report, cause: Cause) -> Iterator[str]:
    """Only tests of pytest can be changed."""
    if any("pytest" in word for word in report.invocation):
        command = printable_command(("unknot", "fix"), (dependent(cause.claims[0]),))
        which = "" if len(cause.tests) == 1 else " for the first of these tests"
        yield f'<p class="fix">A change that was tried{which}: <code>{escape(command)}</code></p>'


def _without_cause(report: Report, found: Sequence[Cause]) -> list[Need | Conflict]:
    explained = {claim for cause in found for claim in cause.claims}
    claims: tuple[Need | Conflict, ...] = (*report.dependencies.needs, *report.dependencies.conflicts)
    return [claim for claim in claims if claim not in explained]
