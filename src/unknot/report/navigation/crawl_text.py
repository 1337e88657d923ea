"""A crawl for a terminal, and as data."""

from rich.text import Text

from unknot.model.crawl import CrawlSummary
from unknot.model.sanitise import shown
from unknot.report.navigation.navigation_json import navigation_json
from unknot.report.text.lines import Lines
from unknot.report.wording import counted

_MOST_FAULTS = 20


def crawl_text(found: CrawlSummary, problem: str = "") -> Text:
    lines = Lines()
    graph = found.graph
    steps = f"{counted(found.steps, 'step')} and {counted(found.resets, 'reset')} in {found.seconds:.0f} s"
    lines.line(
        f"{counted(len(graph.pages), 'kind')} of pages, {counted(len(graph.transitions), 'transition')}: {steps}",
        "bold",
    )
    if problem:
        lines.line(f"stopped early: {problem}", "bold red")
    lines.line()
    width = max((len(shown(page.kind)) for page in found.pages), default=0)
    for page in found.pages:
        tried = f"{page.tried} of {counted(page.actions, 'action')} tried"
        lines.line(f"  {shown(page.kind):{width}}  {counted(page.visits, 'visit'):>12}  {tried:>24}  {page.title}")
    if found.spared:
        lines.line()
        lines.line("left alone", "bold")
        for title, why, count in found.spared:
            lines.line(f"  {title}: {why} (on {counted(count, 'kind')} of pages)")
    if found.faults:
        lines.line()
        lines.line("faults", "bold")
        for fault in found.faults[:_MOST_FAULTS]:
            after = f"after {fault.action} on {fault.page}" if fault.action else "at the start"
            lines.line(f"  {fault.kind} {after} ({fault.count} times): {fault.text}")
        if len(found.faults) > _MOST_FAULTS:
            lines.line(f"  and {len(found.faults) - _MOST_FAULTS} more: see --format json")
    if found.blocked:
        lines.line()
        lines.line(f"{counted(len(found.blocked), 'address')} elsewhere requested by pages, and not reached", "bold")
    return lines.text


def crawl_json(found: CrawlSummary, problem: str = "") -> dict[str, object]:
    """Described in docs/reference/crawl.md."""
    return {
        **navigation_json(found.graph),
        "kinds": [
            {
                "kind": page.kind,
                "title": page.title,
                "address": page.address,
                "visits": page.visits,
                "actions": page.actions,
                "tried": page.tried,
            }
            for page in found.pages
        ],
        "spared": [{"action": title, "why": why, "kinds": count} for title, why, count in found.spared],
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
        "steps": found.steps,
        "refused": found.refused,
        "resets": found.resets,
        "seconds": round(found.seconds, 3),
        "problem": problem or None,
    }
