"""`check` for a pull request or a job summary, in GitHub's Markdown."""

from unknot.report.check.findings import CheckReport, Finding
from unknot.report.export.markdown import block, code, collapsed

_MOST = 50
_MOST_CHARACTERS = 600


def check_markdown(check: CheckReport) -> str:
    """The verdict, the new dependencies with reasons, and, collapsed, the commands that prove each. Text of the suite
    is code, so that nothing in it is interpreted. At most `_MOST` dependencies; it says how many more there are."""
    findings = check.findings
    lines = [f"### {check.headline}"]
    if findings:
        lines.append("")
    for finding in findings[:_MOST]:
        lines.append(f"- **{finding.rule}** {code(finding.message, most=_MOST_CHARACTERS)}")
        lines += [f"  - {code(reason, most=_MOST_CHARACTERS)}" for reason in finding.why[:1]]
    if len(findings) > _MOST:
        lines.append(f"- and {len(findings) - _MOST:,} more")
    if findings:
        proofs = [line for finding in findings[:_MOST] for line in _proof(finding)]
        lines += collapsed("Commands that prove each dependency", proofs)
    for note in check.notes:
        lines += ["", f"Note: {code(note, most=_MOST_CHARACTERS)}"]
    return "".join(f"{line}\n" for line in lines)


def _proof(finding: Finding) -> list[str]:
    commands = [line for label, command in finding.commands for line in (f"# {label}", command[:_MOST_CHARACTERS])]
    return [code(finding.message, most=_MOST_CHARACTERS), "", *block("sh", commands), ""]
