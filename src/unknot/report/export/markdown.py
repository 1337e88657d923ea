"""A summary for a pull request, in GitHub's Markdown."""

import re
from collections.abc import Iterable, Iterator

from unknot.model.dependencies import Dependencies
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId
from unknot.report.commands import printable_command
from unknot.report.graph.mermaid import to_mermaid
from unknot.report.relations import MAYBE_MORE, Relation, group_relations, relations_of, verdict_labels
from unknot.report.report import Report
from unknot.report.roles import Roles
from unknot.report.wording import counted, headline, how_sure

# Text from a suite in Markdown that GitHub and its like show as it is: no markup, mention, link or HTML in it acts.
_TICKS = re.compile("`+")


def code(text: str, *, most: int) -> str:
    r"""One line as code, which no renderer looks into; cut after so many characters.

    >>> code("a `b` @c", most=80)
    '``a `b` @c``'
    """
    visible = shown(text)
    if not visible:
        # Fences around nothing would be taken for the beginning of something else.
        return ""
    if len(visible) > most:
        visible = visible[: most - 1] + "…"
    fence = "`" * (_longest_run(visible) + 1)
    # A blank at both ends is taken away by the renderer; without, a backtick would lengthen the fence.
    pad = " " if visible[:1] in ("`", " ") or visible[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{visible}{pad}{fence}"


def cell(text: str) -> str:
    """Markdown as a cell of a table: rows are cut at bars before anything else is looked at, those in code too."""
    return text.replace("|", "\\|")


def block(language: str, lines: Iterable[str]) -> list[str]:
    """Lines of code between fences that none of them can close."""
    lines = list(lines)
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in lines))
    return [f"{fence}{language}", *lines, fence]


def folded(title: str, lines: Iterable[str]) -> list[str]:
    """Shown when the reader asks for it. The title is ours: it is not escaped."""
    return ["", "<details>", f"<summary>{title}</summary>", "", *lines, "", "</details>"]


def _longest_run(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)


MOST_CHARACTERS = 65_536
"""What GitHub takes as a comment. The rooms below, and what stands around them, are less than that together."""

_TABLE_ROOM = 24_000
_GRAPH_ROOM = 12_000
_PROOF_ROOM = 20_000
_LIST_ROOM = 2_000

_LEAST_ROOM = 200
_MOST_NODES = 60
"""A picture of more is a tangle on a page of a pull request."""

_MOST_OF_AN_ID = 160
_MOST_OF_A_REASON = 320
_MOST_TESTS = 5
"""So many alternatives of one claim are listed."""


def to_markdown(report: Report) -> str:
    """What depends on what and why, as a table; folded, the picture and the commands that show each claim; flaky and
    failing tests, what is not known, and the cost.

    Guarantee: at most `MOST_CHARACTERS` characters, however large the result, and then it says what was left out;
    ids, reasons and commands appear as code, so that nothing in them acts. Deterministic.
    """
    roles = Roles(report.dependencies)
    lines = [f"### {headline(roles)}"]
    lines += _table(report.dependencies, roles)
    lines += _graph(report.dependencies)
    lines += _proofs(report, roles)
    lines += _lists(report.dependencies)
    lines += ["", *_closing(report)]
    return "".join(f"{line}\n" for line in lines)


def _table(dependencies: Dependencies, roles: Roles) -> Iterator[str]:
    if not roles.dependents:
        return
    yield from ("", "| test | kind | what | why |", "|---|---|---|---|")
    rows = (_row(dependencies, roles, test) for test in roles.dependents)
    shown_rows = _fitting(rows, _TABLE_ROOM)
    yield from shown_rows
    left = len(roles.dependents) - len(shown_rows)
    if left:
        yield from ("", f"and {counted(left, 'test')} more: `unknot report` has all of them.")


def _row(dependencies: Dependencies, roles: Roles, test: TestId) -> str:
    claims = group_relations(relations_of(dependencies, test))
    what = "<br>".join(map(_what, claims))
    why = "<br>".join(code(reason, most=_MOST_OF_A_REASON) for claim in claims for reason in claim.why[:1])
    columns = (_id(test), roles.kind(test), what, why)
    return f"| {' | '.join(map(cell, columns))} |"


def _what(claim: Relation) -> str:
    said = f"{claim.relation} {_ids(claim.tests)}"
    if not claim.complete:
        said += f" ({MAYBE_MORE})"
    return f"{said}, {claim.cleaning} {_ids(claim.cleaners)}" if claim.cleaners else said


def _graph(dependencies: Dependencies) -> list[str]:
    chart = to_mermaid(dependencies)
    nodes = len({*Roles(dependencies).participants, *dependencies.flaky})
    if not dependencies.has_any or nodes > _MOST_NODES or chart.too_large or len(chart.text) > _GRAPH_ROOM:
        return []
    return folded("The graph", block("mermaid", chart.text.rstrip().split("\n")))


def _proofs(report: Report, roles: Roles) -> list[str]:
    claims = [
        (test, claim) for test in roles.dependents for claim in group_relations(relations_of(report.dependencies, test))
    ]
    if not claims:
        return []
    entries = (_proof(report, test, claim) for test, claim in claims)
    shown_entries = _fitting(entries, _PROOF_ROOM)
    left = len(claims) - len(shown_entries)
    more = ["", f"and {left:,} more: `unknot explain TEST` prints them."] if left else []
    return folded("The two commands that show each of them", [*"\n\n".join(shown_entries).split("\n"), *more])


def _proof(report: Report, test: TestId, claim: Relation) -> str:
    """Of several alternative polluters, the first."""
    proof = claim.proofs[0]
    lines = []
    for verdict, order in zip(
        verdict_labels(report.dependencies.outcomes[test]), (proof.passes, proof.fails), strict=True
    ):
        lines += [f"# {verdict}", printable_command(report.invocation, order)]
    return "\n".join([f"{_id(test)} {claim.relation} {_ids(claim.tests)}", "", *block("sh", lines)])


def _lists(dependencies: Dependencies) -> Iterator[str]:
    sure = {test: how_sure(dependencies, test) for test in dependencies.flaky}
    flaky = (f"- {_id(test)}{f' ({sure[test]})' if sure[test] else ''}" for test in dependencies.flaky)
    many = counted(len(dependencies.flaky), "flaky test")
    yield from _list(f"{many}, about which nothing is claimed:", len(dependencies.flaky), flaky)
    failing = (f"- {_id(test)} ({dependencies.outcomes[test].value})" for test in dependencies.failing)
    verb = "does" if len(dependencies.failing) == 1 else "do"
    many = f"{counted(len(dependencies.failing), 'test')} {verb}"
    yield from _list(f"{many} not pass in the suite's own order:", len(dependencies.failing), failing)


def _list(title: str, many: int, items: Iterable[str]) -> Iterator[str]:
    if not many:
        return
    found = _fitting(items, _LIST_ROOM)
    more = [f"- and {many - len(found):,} more"] if many > len(found) else []
    yield from ("", title, "", *found, *more)


def _closing(report: Report) -> Iterator[str]:
    dependencies, cost = report.dependencies, report.dependencies.cost
    if dependencies.untried:
        yield from (f"Untried: {counted(dependencies.untried, 'pair')} of tests.", "")
    if not dependencies.complete:
        yield from ("Unfinished: what is listed is proven, more may exist.", "")
    runs = f"{counted(cost.orders, 'order')}, {counted(cost.tests, 'test run')}"
    yield f"Cost: {runs}, {cost.seconds:,.1f} s ({code(cost.algorithm, most=40)})"


def _fitting(entries: Iterable[str], room: int) -> list[str]:
    """As many as there is room for, from the first, without those that are too long; once it is full, the rest is not
    looked at."""
    found: list[str] = []
    for entry in entries:
        if len(entry) + 2 <= room:
            found.append(entry)
            room -= len(entry) + 2
        if room < _LEAST_ROOM:
            break
    return found


def _ids(tests: Order) -> str:
    # One more than allowed is shown: "and 1 more" saves nothing.
    most = _MOST_TESTS if len(tests) > _MOST_TESTS + 1 else len(tests)
    said = ", ".join(map(_id, tests[:most]))
    return said if most == len(tests) else f"{said} and {len(tests) - most:,} more"


def _id(test: TestId) -> str:
    return code(test, most=_MOST_OF_AN_ID)
