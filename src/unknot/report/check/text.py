"""`check` in a terminal."""

from rich.text import Text

from unknot.report.check.findings import CheckReport
from unknot.report.text.lines import Lines


def check_text(check: CheckReport) -> Text:
    """The verdict, each new dependency with its reason and the two commands that prove it, and what to do."""
    lines = Lines()
    lines.line(" ".join(filter(None, [check.headline, check.report.not_restored])), "bold")
    for finding in check.findings:
        lines.line()
        lines.title(f"new {finding.rule}", finding.message)
        lines.field("because", finding.why)
        for label, command in finding.commands:
            lines.field(label, [command])
    if check.notes or check.findings:
        lines.line()
    lines.field("note", check.notes)
    if check.findings and not check.is_update:
        lines.field("next", ["unknot fix TEST, or accept with unknot check --baseline update"])
    return lines.text
