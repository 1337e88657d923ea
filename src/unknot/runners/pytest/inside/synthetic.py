"""pytest's reports on a test that has none of its own: another framework ran it, or its process ended."""

from typing import Any

import pytest

_BAD = {
    "failed": "call",
    "setup-error": "setup",
    "teardown-error": "teardown",
    "timed-out": "call",
    "crashed": "call",
    "not-run": "setup",
}
"""The phase that a bad outcome is reported for."""
_SAID = {"timed-out": "timed out", "crashed": "crashed", "not-run": "not run"}


def reports_of(test: str, outcome: str, seconds: float, story: str) -> list[Any]:
    path, _, name = test.partition("::")
    location = (path, None, name.rpartition("::")[2] or test)

    def report(when: str, result: str, longrepr: object = None, **more: object) -> Any:
        duration = seconds if when == "call" else 0.0
        # Reports of set-up and tear-down count nothing by themselves, but plugins wait for them.
        made: Any = pytest.TestReport(test, location, {}, result, longrepr, when, duration=duration, **more)  # type: ignore[arg-type]
        return made

    phases = {"setup": report("setup", "passed"), "call": report("call", "passed")}
    phases["teardown"] = report("teardown", "passed")
    if outcome in _BAD:
        text = f"{_SAID[outcome]}: {story}" if outcome in _SAID else story or outcome
        when = _BAD[outcome]
        phases[when] = report(when, "failed", text)
        if when == "setup":
            del phases["call"]
    elif outcome == "skipped":
        phases["setup"] = report("setup", "skipped", (path, 0, f"Skipped: {story}" if story else "Skipped"))
        del phases["call"]
    elif outcome == "xfailed":
        phases["call"] = report("call", "skipped", story, wasxfail=story)
    elif outcome == "xpassed":
        phases["call"] = report("call", "passed", wasxfail=story)
    return list(phases.values())
