"""JUnit XML as pytest writes it."""

import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import TestId

_ELEMENTS = {
    Outcome.FAILED: ("failure", "failed"),
    Outcome.SETUP_ERROR: ("error", "failed on setup"),
    Outcome.TEARDOWN_ERROR: ("error", "failed on teardown"),
    # A missing verdict is an error, never a failure; a report with tests that did not run must not look green.
    Outcome.TIMED_OUT: ("error", "timed out"),
    Outcome.CRASHED: ("error", "crashed"),
    Outcome.NOT_RUN: ("error", "not run"),
    Outcome.SKIPPED: ("skipped", "skipped"),
    Outcome.XFAILED: ("skipped", "expected to fail"),
}
_TYPES = {Outcome.SKIPPED: "pytest.skip", Outcome.XFAILED: "pytest.xfail"}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(results: Mapping[TestId, Result], wall_seconds: float) -> str:
    """The document as text. Guarantee: well-formed for any ids and stories: characters that XML cannot
    represent are written as `#x1B`, as pytest does."""
    root = ET.Element("testsuites", name="pytest tests")
    elements = [_ELEMENTS.get(result.outcome, ("", ""))[0] for result in results.values()]
    suite = ET.SubElement(
        root,
        "testsuite",
        name="pytest",
        errors=str(elements.count("error")),
        failures=str(elements.count("failure")),
        skipped=str(elements.count("skipped")),
        tests=str(len(results)),
        time=f"{wall_seconds:.3f}",
    )
    for test, result in results.items():
        _add_case(suite, test, result)
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _add_case(suite: ET.Element, test: TestId, result: Result) -> None:
    classname, name = _address(test)
    case = ET.SubElement(
        suite, "testcase", classname=_valid(classname), name=_valid(name), time=f"{result.seconds:.3f}"
    )
    if result.outcome not in _ELEMENTS:
        return
    tag, summary = _ELEMENTS[result.outcome]
    detail = ET.SubElement(case, tag)
    if result.outcome in _TYPES:
        detail.set("type", _TYPES[result.outcome])
    reason = _reason(result.story)
    detail.set("message", _valid(f"{summary}: {reason}" if reason and tag == "error" else reason or summary))
    detail.text = _valid(result.story)


def _address(test: TestId) -> tuple[str, str]:
    """Class name and name as pytest derives them from a node id, so that a CI keeps the history of the test: slashes in
    the first part become dots."""
    path, bracket, parameters = test.partition("[")
    names = path.split("::")
    names[0] = names[0].replace("/", ".").removesuffix(".py")
    return ".".join(names[:-1]), names[-1] + bracket + parameters


def _reason(story: str) -> str:
    """One line of the story: the one that pytest marks with a leading E, else the last one."""
    lines = [line.strip() for line in story.splitlines() if line.strip()]
    marked = [line[1:].strip() for line in lines if line.startswith("E  ")]
    return (marked or lines[-1:] or [""])[0]


def _valid(text: str) -> str:
    return _NOT_XML.sub(lambda match: f"#x{ord(match[0]):02X}", text)
