"""Passes on what pytest itself reports of a suite and of each test, for the terminal of a run."""

import json
import linecache
from collections.abc import Iterator, Sequence
from typing import Any

from unknot.runners.pytest.inside.verdict import shorten

_SECTION_LIMIT = 1_000_000
"""Characters of captured output kept: a test may print 100 MB, and passes."""


class ReportCollector:
    """Registered as a plugin, so that it gets every report and warning. What has come in since the last call of `taken`
    is of one test; what comes before the first test is of the collection."""

    def __init__(self, config: Any) -> None:
        self._config = config
        self._reports: list[dict[str, Any]] = []
        self._warnings: list[dict[str, Any]] = []
        self._deselected = 0

    def pytest_collectreport(self, report: Any) -> None:
        if not report.passed:
            self._add(report)

    def pytest_deselected(self, items: Sequence[Any]) -> None:
        self._deselected += len(items)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._add(report)

    def pytest_warning_recorded(self, warning_message: Any, when: str, nodeid: str, location: Any) -> None:
        if when == "config":
            # The process that reports has these itself.
            return
        line = warning_message.line
        if line is None:
            line = linecache.getline(warning_message.filename, warning_message.lineno)
        self._warnings.append(
            {
                "message": str(warning_message.message),
                "category": warning_message.category.__name__,
                "module": warning_message.category.__module__,
                "filename": warning_message.filename,
                "lineno": warning_message.lineno,
                "line": line,
                "when": when,
                "nodeid": nodeid,
                "location": location,
            }
        )

    def _add(self, report: Any) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        if data is not None:
            if data.get("sections"):
                data["sections"] = [(title, shorten(text, _SECTION_LIMIT)) for title, text in data["sections"]]
            self._reports.append(data)

    def taken(self) -> str:
        """The reports on one test, as JSON; they are not kept."""
        found = {"reports": self._reports, "warnings": self._warnings}
        self._reports, self._warnings = [], []
        return _dumps(found)

    def taken_of_collection(self, session: Any) -> str:
        """The same of the collection, with what pytest prints below the number of tests."""
        config = session.config
        printed = config.hook.pytest_report_collectionfinish(
            config=config, start_path=config.invocation_params.dir, items=session.items
        )
        found = {
            "reports": self._reports,
            "warnings": self._warnings,
            "deselected": self._deselected,
            "lines": list(_flat(reversed(printed))),
        }
        self._reports, self._warnings = [], []
        return _dumps(found)


def _flat(printed: Any) -> Iterator[str]:
    for lines in printed:
        yield from [lines] if isinstance(lines, str) else lines


def _dumps(document: dict[str, Any]) -> str:
    # Properties of a test can be any objects.
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), default=str)
