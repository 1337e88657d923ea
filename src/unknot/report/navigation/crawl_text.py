"""A crawl for a terminal, and as data."""

from collections.abc import Iterable
from dataclasses import asdict

from rich.cells import cell_len
from rich.text import Text

from unknot.model.sanitise import shown
from unknot.model.web.crawl_summary import CrawlCoverage, CrawlSummary, PageFault
from unknot.model.web.web_model import PageAction, WebModel, WebPage
from unknot.report.navigation.navigation_json import navigation_json
from unknot.report.text.lines import Lines
from unknot.report.wording import counted

_MOST_PAGES = 60
_MOST_FAULTS = 20
_MOST_GUARDS = 10
_MOST_UNSENT = 10
_MOST_TITLES = 6
"""Of actions that were left alone for one reason."""


def crawl_text(
    found: CrawlSummary, problem: str = "", *, written: Iterable[tuple[str, str]] = (), page: str = "--format json"
) -> Text:
    """`written` are a file and what it is, or a command and what it does; `page` says where there is more."""
    lines = Lines()
    model = found.model
    everything = _actions(model)
    tried = sum(each.tries > 0 for each in everything)
    sizes = f"{counted(len(model.pages), 'kind')} of pages, {counted(len(model.graph().transitions), 'transition')}"
    lines.line(f"{sizes}, {tried:,} of {counted(len(everything), 'action')} tried", "bold")
    lines.line(f"{counted(found.steps, 'step')} and {counted(found.resets, 'reset')} in {found.seconds:,.0f} s")
    if problem:
        lines.line(f"stopped early: {problem}", "bold red")
    _pages(lines, model, page)
    _guards(lines, model, page)
    _coverage(lines, found.coverage)
    _spared(lines, found)
    _faults(lines, found.faults, page)
    if found.lost_logins:
        lines.line()
        lines.line(f"the login was lost {counted(found.lost_logins, 'time')}, and repaired", "bold")
    if found.blocked:
        lines.line()
        lines.line(f"{counted(len(found.blocked), 'address')} elsewhere requested by pages, and not reached", "bold")
    if found.unsent:
        lines.line()
        lines.line(f"{counted(len(found.unsent), 'request')} that may change data, not sent", "bold")
        for each in found.unsent[:_MOST_UNSENT]:
            lines.line(f"  {each}")
        if len(found.unsent) > _MOST_UNSENT:
            lines.line(f"  and {len(found.unsent) - _MOST_UNSENT:,} more: see --format json")
    rows = list(written)
    if rows:
        lines.line()
        width = max(cell_len(shown(what)) for what, _ in rows)
        for what, purpose in rows:
            lines.line(f"{_padded(shown(what), width)}  {purpose}")
    return lines.text


def _pages(lines: Lines, model: WebModel, more: str) -> None:
    if not model.pages:
        return
    rows = [
        (shown(page.kind), f"{page.visits:,}", "{1:,} of {0:,}".format(*_counts(model, page)), page.title)
        for page in model.pages[:_MOST_PAGES]
    ]
    head = ("page", "visits", "actions tried", "title")
    widths = [max(cell_len(row[at]) for row in (head, *rows)) for at in range(3)]
    lines.line()
    for row in (head, *rows):
        name, visits, tried, title = row
        begin = f"  {_padded(name, widths[0])}  {visits:>{widths[1]}}  {tried:>{widths[2]}}  "
        if row is head:
            lines.line(f"{begin}{title}", "dim")
        else:
            lines.text.append(begin)
            lines.hanging(title, cell_len(begin))
    if len(model.pages) > _MOST_PAGES:
        lines.line(f"  and {len(model.pages) - _MOST_PAGES:,} more: see {more}")


def _guards(lines: Lines, model: WebModel, more: str) -> None:
    guarded = [
        (place, each, each.guard)
        for place, actions in (
            *((page.kind, page.actions) for page in model.pages),
            *((part.name, part.actions) for part in model.components),
        )
        for each in actions
        if each.guard
    ]
    if not guarded:
        return
    lines.line()
    lines.line("possible only sometimes", "bold")
    for place, each, guard in guarded[:_MOST_GUARDS]:
        often = f"worked {guard.held} of {guard.held} times with it, 0 of {guard.failed} without"
        lines.line(f"  {each.action.title} on {place}: {guard.text} ({often})")
    if len(guarded) > _MOST_GUARDS:
        lines.line(f"  and {len(guarded) - _MOST_GUARDS:,} more: see {more}")


def _coverage(lines: Lines, coverage: CrawlCoverage | None) -> None:
    if coverage is None or not _amounts(coverage):
        return
    lines.line()
    lines.line("own code that ran", "bold")
    for ran, known, what in _amounts(coverage):
        lines.line(f"  {f'{100 * ran / known:.0f} %':>5}  {ran:,} of {counted(known, what)}")


def _spared(lines: Lines, found: CrawlSummary) -> None:
    """One line for each reason."""
    titles: dict[str, list[str]] = {}
    for title, why, _ in found.spared():
        titles.setdefault(why, []).append(title)
    if not titles:
        return
    lines.line()
    lines.line("left alone", "bold")
    width = max(map(len, titles))
    for why, some in titles.items():
        rest = f" and {len(some) - _MOST_TITLES:,} more" if len(some) > _MOST_TITLES else ""
        lines.text.append(f"  {shown(why):{width}}  ")
        lines.hanging(", ".join(some[:_MOST_TITLES]) + rest, width + 4)


def _faults(lines: Lines, faults: tuple[PageFault, ...], more: str) -> None:
    if not faults:
        return
    lines.line()
    lines.line("faults", "bold")
    for fault in faults[:_MOST_FAULTS]:
        after = f"after {fault.action} on {fault.page}" if fault.action else "at the start"
        lines.line(f"  {fault.kind} {after} ({counted(fault.count, 'time')}): {fault.text}")
    if len(faults) > _MOST_FAULTS:
        lines.line(f"  and {len(faults) - _MOST_FAULTS:,} more: see {more}")


def _actions(model: WebModel) -> list[PageAction]:
    """All that may be tried, those of shared parts once."""
    own = (each for page in model.pages for each in page.actions)
    shared = (each for part in model.components for each in part.actions)
    return [each for each in (*own, *shared) if not each.spared]


def _padded(text: str, width: int) -> str:
    """Some characters are two columns wide."""
    return text + " " * (width - cell_len(text))


def crawl_json(found: CrawlSummary, problem: str = "") -> dict[str, object]:
    """Described in docs/reference/crawl.md."""
    return {
        **navigation_json(found.model.graph()),
        "kinds": [
            {
                "kind": page.kind,
                "title": page.title,
                "address": page.address,
                "visits": page.visits,
                "actions": _counts(found.model, page)[0],
                "tried": _counts(found.model, page)[1],
            }
            for page in found.model.pages
        ],
        "spared": [{"action": title, "why": why, "kinds": count} for title, why, count in found.spared()],
        "faults": [
            {
                "kind": fault.kind,
                "text": fault.text,
                "page": fault.page,
                "action": fault.action,
                "count": fault.count,
            }
            for fault in found.faults
        ],
        "blocked": list(found.blocked),
        "unsent": list(found.unsent),
        "coverage": _coverage_json(found.coverage) if found.coverage else None,
        "steps": found.steps,
        "refused": found.refused,
        "resets": found.resets,
        "lost_logins": found.lost_logins,
        "seconds": round(found.seconds, 3),
        "problem": problem or None,
    }


def _amounts(coverage: CrawlCoverage) -> list[tuple[int, int, str]]:
    """What ran, of how much; without what there is none of."""
    ran, known = coverage.ran, coverage.known
    amounts = [
        (ran.client_bytes, known.client_bytes, "byte"),
        (ran.functions, known.functions, "function"),
        (ran.server_lines, known.server_lines, "server line"),
    ]
    return [each for each in amounts if each[1]]


def _coverage_json(coverage: CrawlCoverage) -> dict[str, object]:
    return {name: asdict(size) for name, size in (("ran", coverage.ran), ("known", coverage.known))}


def _counts(model: WebModel, page: WebPage) -> tuple[int, int]:
    """The actions that may be tried, and those of them that were; in a shared part, on any page."""
    actions = [each for each in model.actions_of(page) if not each.spared]
    return len(actions), sum(each.tries > 0 for each in actions)
