"""What `check` writes for services: valid for any test id, and with no way for an id to say something itself."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from markdown_it import MarkdownIt

from unknot.model.comparison import compare
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId
from unknot.report.check.findings import CheckReport
from unknot.report.check.github import check_github
from unknot.report.check.json import check_json
from unknot.report.check.junit import check_junit
from unknot.report.check.markdown import check_markdown
from unknot.report.check.sarif import check_sarif
from unknot.report.check.text import check_text
from unknot.report.report import Report

SCHEMA = json.loads((Path(__file__).parents[1] / "data/sarif/sarif-schema-2.1.0.json").read_text(encoding="utf-8"))

HOSTILE = (
    "t.py::test_a[\n::error::owned]",
    "t.py::test_a[%0A::set-output name=x::y]",
    "a,line=9::b.py::test_c[\r\n::stop-commands::z]",
    "t.py::test_d[\udcff\x1b[31m]",
    "t.py::test_e[`</details><script>`@team]",
    "no file at all ::",
)


def reported(tests: tuple[str, ...], **more: Any) -> CheckReport:
    first, *others = map(TestId, ("t.py::test_setter", *tests))
    suite = Suite((first, *others))
    before = Dependencies(suite, dict.fromkeys(suite.tests, Outcome.PASSED), {})
    needs = tuple(Need(test, (first,), Proof((first, test), (test,))) for test in others)
    conflicts = (Conflict(first, (others[0],), (), Proof((first,), (others[0], first))),)
    found = compare(before, replace(before, needs=needs, conflicts=conflicts))
    return CheckReport(found, Report(found.now, lock="unknot.lock.json"), {others[0]: 7}, **more)


@pytest.fixture(scope="module")
def hostile() -> CheckReport:
    return reported(HOSTILE)


def test_github_gets_one_command_for_each_finding_and_none_from_an_id(hostile: CheckReport) -> None:
    lines = check_github(hostile).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["::error"] * (len(HOSTILE) + 1) + ["::notice"]
    assert lines[0].startswith("::error file=t.py,line=7,title=new brittle test::t.py::test_a[")
    for line in lines:
        properties = line.removeprefix("::").partition("::")[0].partition(" ")[2]
        assert re.fullmatch(r"(file=[^,:]*,)?(line=\d+,)?title=[^,:]*", properties)
        assert "%0A" not in line.replace("%25", "") or "passes: " in line
    assert "file=a%2Cline=9," in lines[2]
    assert "%250A::set-output" in lines[1], "a percent sign of an id stays one"


@pytest.mark.parametrize("tests", [HOSTILE, ("t.py::test_b",)])
def test_sarif_is_valid_by_the_schema(tests: tuple[str, ...]) -> None:
    document = json.loads(check_sarif(reported(tests)))
    jsonschema.Draft4Validator(SCHEMA).validate(document)
    results = document["runs"][0]["results"]
    assert len(results) == len(tests) + 1
    assert results[0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 7}
    assert results[-1]["ruleId"] == "victim"
    assert len({result["partialFingerprints"]["dependency/v1"] for result in results}) == len(results)


def test_sarif_without_findings_is_valid() -> None:
    check = reported(HOSTILE)
    nothing = replace(check, comparison=replace(check.comparison, new=()))
    document = json.loads(check_sarif(nothing))
    jsonschema.Draft4Validator(SCHEMA).validate(document)
    assert document["runs"][0]["results"] == []


def test_junit_is_well_formed_and_fails_the_dependent_tests(hostile: CheckReport) -> None:
    suite = ET.fromstring(check_junit(hostile))[0]
    assert (suite.get("tests"), suite.get("failures")) == (str(len(HOSTILE) + 1), str(len(HOSTILE) + 1))
    assert "new dependency: " in (suite[1][0].text or "")


def test_markdown_shows_ids_as_code(hostile: CheckReport) -> None:
    text = check_markdown(hostile)
    assert text.startswith("### 7 new dependencies found among 7 tests.\n")
    page = MarkdownIt().render(text)
    assert "<script>" not in page
    assert page.count("</details>") == 1
    assert page.count("<li>") == len(HOSTILE) + 1


def test_json_lists_what_is_new(hostile: CheckReport) -> None:
    document = json.loads(check_json(hostile))
    assert [entry["kind"] for entry in document["new"]] == ["brittle"] * len(HOSTILE) + ["victim"]
    assert document["new"][0]["line"] == 7
    assert document["complete"] is True


def test_the_text_says_what_to_do_unless_it_was_done() -> None:
    assert "next" in check_text(reported(("t.py::test_b",))).plain
    accepted = check_text(reported(("t.py::test_b",), is_update=True)).plain
    assert accepted.startswith("2 new dependencies accepted among 2 tests.")
    assert "--baseline update" not in accepted
