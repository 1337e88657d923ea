"""A summary for a pull request, in GitHub's Markdown."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from unknot.model.cause import shared_causes
from unknot.model.dependencies import Dependencies
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId
from unknot.report.graph.mermaid import to_mermaid
from unknot.report.relations import MAYBE_MORE, Relation, group_relations, relations_of
from unknot.report.report import Report
from unknot.report.roles import Roles
from unknot.report.wording import (
    cause_words,
    cost_words,
    counted,
    headline,
    how_sure,
    suspicion_words,
    when_failing_words,
)

_TICKS = re.compile("`+")


def code(text: str, *, most: int) -> str:
    r"""One line as inline code, which renderers do not interpret; at most `most` characters.

    >>> code("a `b` @c", most=80)
    '``a `b` @c``'
    """
    visible = shown(text)
    if not visible:
        # An empty code span would be read as the start of another one.
        return ""
    if len(visible) > most:
        visible = visible[: most - 1] + "…"
    fence = "`" * (_longest_run(visible) + 1)
    # The renderer strips one space at both ends; without it, a backtick would extend the fence.
    pad = " " if visible[:1] in ("`", " ") or visible[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{visible}{pad}{fence}"


def cell(text: str) -> str:
    """Markdown as a table cell: rows are split at bars first, even inside code."""
    return text.replace("|", "\\|")


def block(language: str, lines: Iterable[str]) -> list[str]:
    """A code block with a fence that no line can close."""
    lines = list(lines)
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in lines))
    return [f"{fence}{language}", *lines, fence]


def collapsed(title: str, lines: Iterable[str]) -> list[str]:
    """A collapsed section. The title is not escaped."""
    return ["", "<details>", f"<summary>{title}</summary>", "", *lines, "", "</details>"]


def _longest_run(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)


MOST_CHARACTERS = 65_536
"""GitHub's limit for a comment. The limits of the parts below add up to less than that."""

_TABLE_LIMIT = 19_000
_GRAPH_LIMIT = 12_000
_PROOF_LIMIT = 20_000
_LIST_LIMIT = 2_000

_MIN_REMAINING = 200
_MOST_NODES = 60
"""A larger graph is not readable in a pull request."""

_MOST_OF_AN_ID = 160
_MOST_OF_A_REASON = 320
_MOST_TESTS = 5
"""Alternatives listed per claim."""


def to_markdown(report: Report) -> str:
    """The causes of several dependencies; a table of dependent tests with reasons; collapsed, the graph and the
    commands that prove each claim; flaky tests, tests that break others if they fail, failing tests, what is suspected
    or unknown, and the cost.

    Guarantee: at most `MOST_CHARACTERS` characters, however large the result; it says what was left out. Ids, reasons
    and commands are code, so that nothing in them is interpreted. Deterministic.
    """
    roles = Roles(report.dependencies)
    lines = [f"### {headline(roles)}"]
    lines += _causes(report.dependencies)
    lines += _table(report.dependencies, roles)
    lines += _graph(report.dependencies)
    lines += _proofs(report, roles)
    lines += _lists(report.dependencies)
    lines += ["", *_closing(report)]
    return "".join(f"{line}\n" for line in lines)


def _causes(dependencies: Dependencies) -> Iterator[str]:
    shared = shared_causes(dependencies)
    items = (f"- {cause_words(cause, code(cause.location.name, most=_MOST_OF_AN_ID))}" for cause in shared)
    yield from _list("Causes, the largest first:", len(shared), items)


def _table(dependencies: Dependencies, roles: Roles) -> Iterator[str]:
    if not roles.dependents:
        return
    yield from ("", "| test | kind | what | why |", "|---|---|---|---|")
    rows = (_row(dependencies, roles, test) for test in roles.dependents)
    shown_rows = _fitting(rows, _TABLE_LIMIT)
    yield from shown_rows
    left = len(roles.dependents) - len(shown_rows)
    if left:
        yield from ("", f"and {counted(left, 'test')} more: run `unknot report` to see all.")


def _row(dependencies: Dependencies, roles: Roles, test: TestId) -> str:
    claims = group_relations(relations_of(dependencies, test))
    what = "<br>".join(map(_what, claims))
    why = "<br>".join(code(reason, most=_MOST_OF_A_REASON) for claim in claims for reason in claim.why[:1])
    columns = (_id(test), roles.kind_in_words(test), what, why)
    return f"| {' | '.join(map(cell, columns))} |"


def _what(claim: Relation) -> str:
    text = f"{claim.relation} {_ids(claim.tests)}"
    if not claim.complete:
        text += f" ({MAYBE_MORE})"
    return f"{text}, {claim.cleaning} {_ids(claim.cleaners)}" if claim.cleaners else text


def _graph(dependencies: Dependencies) -> list[str]:
    chart = to_mermaid(dependencies)
    nodes = len({*Roles(dependencies).participants, *dependencies.flaky})
    if not dependencies.has_any or nodes > _MOST_NODES or chart.too_large or len(chart.text) > _GRAPH_LIMIT:
        return []
    return collapsed("Graph", block("mermaid", chart.text.rstrip().split("\n")))


def _proofs(report: Report, roles: Roles) -> list[str]:
    claims = [
        (test, claim) for test in roles.dependents for claim in group_relations(relations_of(report.dependencies, test))
    ]
    if not claims:
        return []
    entries = (_proof(report, test, claim) for test, claim in claims)
    shown_entries = _fitting(entries, _PROOF_LIMIT)
    left = len(claims) - len(shown_entries)
    more = ["", f"and {left:,} more: run `unknot explain TEST` to see them."] if left else []
    return collapsed("Commands that prove each dependency", [*"\n\n".join(shown_entries).split("\n"), *more])


def _proof(report: Report, test: TestId, claim: Relation) -> str:
    """For alternative polluters, the first proof."""
    lines = []
    for label, command in report.proof_commands(test, claim.proofs[0]):
        lines += [f"# {label}", command]
    return "\n".join([f"{_id(test)} {claim.relation} {_ids(claim.tests)}", "", *block("sh", lines)])


def _lists(dependencies: Dependencies) -> Iterator[str]:
    sure = {test: how_sure(dependencies, test) for test in dependencies.flaky}
    flaky = (f"- {_id(test)}{f' ({sure[test]})' if sure[test] else ''}" for test in dependencies.flaky)
    many = counted(len(dependencies.flaky), "flaky test")
    yield from _list(f"{many}; nothing is claimed about them:", len(dependencies.flaky), flaky)
    conflicts = dependencies.conflicts_when_failing
    breaking = (f"- {_id(one.victim)} after {_ids(one.polluters)}, if that fails" for one in conflicts)
    yield from _list(f"{when_failing_words(dependencies)}:", len(conflicts), breaking)
    failing = (f"- {_id(test)} ({dependencies.outcomes[test].value})" for test in dependencies.failing)
    verb = "does" if len(dependencies.failing) == 1 else "do"
    many = f"{counted(len(dependencies.failing), 'test')} {verb}"
    yield from _list(f"{many} not pass in suite order:", len(dependencies.failing), failing)


def _list(title: str, many: int, items: Iterable[str]) -> Iterator[str]:
    if not many:
        return
    found = _fitting(items, _LIST_LIMIT)
    more = [f"- and {many - len(found):,} more"] if many > len(found) else []
    yield from ("", title, "", *found, *more)


def _closing(report: Report) -> Iterator[str]:
    dependencies, cost = report.dependencies, report.dependencies.cost
    for text, tests in suspicion_words(dependencies):
        yield from (f"Suspected, not proved: {text}: {_ids(tests)}.", "")
    if dependencies.untried:
        yield from (f"Untried: {counted(dependencies.untried, 'pair')} of tests.", "")
    if not dependencies.complete:
        yield from ("Unfinished: everything listed is proven, but there may be more.", "")
    if cost.is_known:
        yield f"Cost: {cost_words(replace(cost, algorithm=code(cost.algorithm, most=40)))}"


def _fitting(entries: Iterable[str], room: int) -> list[str]:
    """The first entries that fit into `room` characters, without those that are too long."""
    found: list[str] = []
    for entry in entries:
        if len(entry) + 2 <= room:
            found.append(entry)
            room -= len(entry) + 2
        if room < _MIN_REMAINING:
            break
    return found


def _ids(tests: Order) -> str:
    # One more than allowed is shown: "and 1 more" saves nothing.
    most = _MOST_TESTS if len(tests) > _MOST_TESTS + 1 else len(tests)
    text = ", ".join(map(_id, tests[:most]))
    return text if most == len(tests) else f"{text} and {len(tests) - most:,} more"


def _id(test: TestId) -> str:
    return code(test, most=_MOST_OF_AN_ID)
