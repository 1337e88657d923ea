"""`check` as SARIF 2.1.0, which code scanning services read."""

import json
from typing import Any
from urllib.parse import quote

from unknot import __version__
from unknot.model.sanitise import shown
from unknot.report.check.findings import CheckReport, Finding
from unknot.store.fingerprint import digest_of, encoded

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_RULES = {
    "brittle": ("BrittleTest", "A test passes only after another test."),
    "victim": ("VictimTest", "A test fails after another test."),
}


def check_sarif(check: CheckReport) -> str:
    """One result for each new dependency. A fingerprint, made of the tests alone, lets a service recognise it later.
    Text of the suite has every character visible; the location is left out if the id names no file."""
    names = list(_RULES)
    document = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "unknot",
                        "version": __version__,
                        "rules": [
                            {
                                "id": rule,
                                "name": name,
                                "shortDescription": {"text": text},
                                "defaultConfiguration": {"level": "error"},
                            }
                            for rule, (name, text) in _RULES.items()
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": check.comparison.now.complete,
                        "toolExecutionNotifications": [
                            {"level": "note", "message": {"text": shown(text)}}
                            for text in (check.headline, *check.notes)
                        ],
                    }
                ],
                "results": [_result(finding, names.index(finding.rule)) for finding in check.findings],
            }
        ],
    }
    return json.dumps(document, indent=1) + "\n"


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    text = [finding.message, *finding.why, *(f"{label}: {command}" for label, command in finding.commands)]
    region = {"region": {"startLine": finding.line}} if finding.line else {}
    place = {"artifactLocation": {"uri": quote(finding.file, errors="surrogatepass")}, **region}
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": "error",
        "message": {"text": "\n".join(map(shown, text))},
        "partialFingerprints": {"dependency/v1": digest_of([encoded(finding.message)]).hex()},
        **({"locations": [{"physicalLocation": place}]} if finding.file else {}),
    }
