"""Elements from JSON: a plain table, or what `coverage json --show-contexts` writes."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from unknot.coverage.element_fault import ElementFault
from unknot.coverage.element_lines import elements_of
from unknot.coverage.line_coverage import LineCoverage
from unknot.model.coverage import Coverage
from unknot.model.suite import TestId

_PHASE = re.compile(r"\|(?:setup|run|teardown)$")
_CONTEXTS = "record it with `pytest --cov --cov-context=test`, then `coverage json --show-contexts`"


def elements_from_json(text: str, *, branches: bool = False) -> Coverage:
    """From `{test: [element, …]}`; from `{"tests": {test: [element, …]}, "elements": [all]}`; or from coverage.py's
    report, whose missing lines are elements that nobody covers. Raises ElementFault, which names the place."""
    try:
        document = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise ElementFault(f"not JSON: {error}") from error
    if not isinstance(document, dict):
        raise ElementFault("must be an object: tests with what they cover")
    if isinstance(document.get("meta"), dict) and isinstance(document.get("files"), dict):
        return _from_report(document["files"], branches=branches)
    if isinstance(document.get("tests"), dict):
        return Coverage.of(_table(document["tests"]), _texts(document.get("elements", []), '"elements"'))
    return Coverage.of(_table(document))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ElementFault(f"the key {twice!r} stands twice in one object")
    return found


def _table(table: Mapping[str, Any]) -> dict[str, list[str]]:
    return {test: _texts(names, repr(test)) for test, names in table.items()}


def _texts(value: object, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ElementFault(f"{where}: must be a list of elements, each a string")
    return value


def _from_report(files: Mapping[str, Any], *, branches: bool) -> Coverage:
    if branches:
        raise ElementFault(
            "a JSON report does not say which test took which branch", hint="give coverage.py's data file instead"
        )
    lines: dict[str, dict[TestId, frozenset[int]]] = {}
    missing: dict[str, list[int]] = {}
    for file, measured in files.items():
        ran: dict[TestId, set[int]] = {}
        for line, contexts in _contexts(measured, file).items():
            for context in contexts:
                if context:
                    ran.setdefault(TestId(_PHASE.sub("", context)), set()).add(line)
        lines[file] = {test: frozenset(found) for test, found in ran.items()}
        missing[file] = measured.get("missing_lines", [])
    if not any(lines.values()):
        raise ElementFault("it does not say which test ran what: it has no contexts", hint=_CONTEXTS)
    return elements_of(LineCoverage(lines), missing=missing)


def _contexts(measured: object, file: str) -> dict[int, list[str]]:
    if not isinstance(measured, dict) or not isinstance(measured.get("contexts", {}), dict):
        raise ElementFault(f"{file!r}: not a report of coverage.py", hint=_CONTEXTS)
    try:
        return {int(line): _texts(names, repr(file)) for line, names in measured.get("contexts", {}).items()}
    except ValueError as error:
        raise ElementFault(f"{file!r}: a line must be a number ({error})", hint=_CONTEXTS) from error
