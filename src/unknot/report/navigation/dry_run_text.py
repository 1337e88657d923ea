"""What a crawl would do, for a terminal and as data."""

from rich.text import Text

from unknot.model.web.action import Action
from unknot.model.web.dry_run import DryRun
from unknot.report.text.lines import Lines
from unknot.report.wording import counted


def dry_run_text(found: DryRun) -> Text:
    lines = Lines()
    total = sum(len(each.actions) for each in found.pages)
    spared = sum(len(each.spared) for each in found.pages)
    would = f"{counted(total, 'action')} would be performed, {spared} left alone"
    lines.line(f"{counted(len(found.pages), 'kind')} of pages, {would}", "bold")
    rest = f"; {counted(found.left, 'address')} found and not opened" if found.left else ""
    lines.line(f"{counted(found.opened, 'page')} opened by links, nothing clicked{rest}")
    for page in found.pages:
        lines.line()
        lines.line(f"{page.kind}  {page.title}", "bold")
        for action in page.actions:
            lines.line(f"  {_what(action)}")
        for action, why in page.spared:
            lines.line(f"  left alone: {action.title}: {why}", "dim")
    return lines.text


def dry_run_json(found: DryRun) -> dict[str, object]:
    """Described in docs/reference/crawl.md."""
    return {
        "pages": [
            {
                "kind": page.kind,
                "title": page.title,
                "address": page.address,
                "actions": [
                    {"action": each.title, "fields": [field.label for field in each.fields]} for each in page.actions
                ],
                "spared": [{"action": each.title, "why": why} for each, why in page.spared],
            }
            for page in found.pages
        ],
        "opened": found.opened,
        "left": found.left,
    }


def _what(action: Action) -> str:
    fields = ", ".join(each.label for each in action.fields)
    if not action.locators:
        return f"fill {fields}"
    return f"fill {fields}, then click {action.title}" if fields else f"click {action.title}"
