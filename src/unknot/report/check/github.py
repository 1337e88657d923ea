"""`check` as workflow commands of GitHub Actions, which show up beside the changed lines."""

from unknot.model.sanitise import shown
from unknot.report.check.findings import CheckReport, Finding

_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def check_github(check: CheckReport) -> str:
    """One `error` command for each new dependency, one `notice` for the verdict, `warning` for notes.

    Guarantee: a command is one line, and no text of the suite can begin another, end one early or add a property.
    """
    commands = [_error(finding) for finding in check.findings]
    commands.append(f"::notice title=unknot check::{_escaped(check.headline, _DATA)}")
    commands += [f"::warning title=unknot check::{_escaped(note, _DATA)}" for note in check.notes]
    return "".join(f"{command}\n" for command in commands)


def _error(finding: Finding) -> str:
    properties = {"title": f"new {finding.rule} test"}
    if finding.file:
        properties = {"file": finding.file, **({"line": str(finding.line)} if finding.line else {}), **properties}
    detail = [finding.message, *finding.why, *(f"{label}: {command}" for label, command in finding.commands)]
    # Each line is made visible by itself: the breaks between them are ours.
    message = "\n".join(map(shown, detail))
    words = ",".join(f"{name}={_escaped(shown(value), _PROPERTY)}" for name, value in properties.items())
    return f"::error {words}::{_escaped(message, _DATA)}"


def _escaped(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(char, char) for char in text)
