"""From pytest's reports on one test to one outcome."""

from typing import Any

STORY_LIMIT = 20_000
"""Characters of traceback and captured output kept for a bad outcome: a test may print 100 MB."""


class Verdict:
    """Takes the reports of set-up, call and tear-down as they come; the worst phase that speaks first decides."""

    def __init__(self) -> None:
        self.outcome = "not-run"
        self.seconds = 0.0
        self._stories: list[str] = []

    def add(self, report: Any) -> None:
        self.seconds += getattr(report, "duration", 0.0) or 0.0
        found = _outcome(report)
        if found is None:
            return
        if _SEVERITY[found] > _SEVERITY[self.outcome]:
            self.outcome = found
        if report.outcome == "failed":
            self._stories.append(_story(report))
        elif found in ("skipped", "xfailed"):
            self._stories.append(_reason(report))

    @property
    def story(self) -> str:
        return shorten("\n".join(part for part in self._stories if part))


# A tear-down error shows only if the test itself was fine, as in pytest's own summary the failure comes first.
_SEVERITY = {
    "not-run": 0,
    "passed": 1,
    "xpassed": 2,
    "xfailed": 2,
    "skipped": 2,
    "teardown-error": 3,
    "setup-error": 4,
    "failed": 4,
}


def _outcome(report: Any) -> str | None:
    if hasattr(report, "context") and report.outcome != "failed":
        # A subtest that was skipped or passed; the test itself is still to report.
        return None
    expected_to_fail = hasattr(report, "wasxfail")
    if report.outcome == "failed":
        return {"setup": "setup-error", "teardown": "teardown-error"}.get(report.when, "failed")
    if report.outcome == "skipped":
        return "xfailed" if expected_to_fail else "skipped"
    if report.outcome == "passed" and report.when == "call":
        return "xpassed" if expected_to_fail else "passed"
    return None


def _story(report: Any) -> str:
    parts = [getattr(report, "longreprtext", "") or str(report.longrepr or "")]
    for title, text in report.sections:
        parts.append(f"--- {title} ---\n{text[-STORY_LIMIT:]}")
    return "\n".join(parts)


def _reason(report: Any) -> str:
    if hasattr(report, "wasxfail"):
        return str(report.wasxfail)
    longrepr = report.longrepr
    return str(longrepr[2]) if isinstance(longrepr, tuple) else ""


def shorten(text: str, limit: int = STORY_LIMIT) -> str:
    """The beginning and the end: the cause stands in either."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[… {len(text) - limit:,} characters left out …]\n{text[-half:]}"
