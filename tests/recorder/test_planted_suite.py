"""The planted suite matches its tables: otherwise measurements with it mean nothing."""

import re
from collections.abc import Callable

from planted_suites import HOME, look_alikes, marks, planted_flows

_PROJECT = HOME / "planted"


def test_plain_pytest_is_green(plain_run: Callable[[str], str]) -> None:
    summary = plain_run("planted").splitlines()[-1]
    assert re.fullmatch(r"=+ \d+ passed(, 1 skipped)? in .* =+", summary)


def test_every_test_of_the_tables_exists(plain_run: Callable[[str], str]) -> None:
    there = set(re.findall(r"^(\S+::.+?) (?:PASSED|SKIPPED)", plain_run("planted"), re.MULTILINE))
    flows = [flow for flow in planted_flows(_PROJECT) if not flow.needs]
    named = {test for flow in flows for test in (flow.writer, flow.reader, *flow.not_by)}
    named |= {test for look_alike in look_alikes(_PROJECT) for test in look_alike.tests}
    assert named - there == set()


def test_every_flow_has_its_lines_and_every_line_its_flow() -> None:
    named = {flow.name for flow in planted_flows(_PROJECT)}
    marked = marks(_PROJECT)
    assert {name for did, name in marked if did == "writes"} == named
    assert {name for did, name in marked if did == "reads"} == named


def test_there_are_enough_of_all_kinds() -> None:
    flows = planted_flows(_PROJECT)
    kinds = {kind for flow in flows for kind in flow.kinds}
    assert kinds == {"memory", "environment", "process", "file", "directory", "table", "port", "subprocess"}
    assert len(flows) >= 100
    assert len([flow for flow in flows if flow.impossible]) <= 4
    assert len([flow for flow in flows if flow.flow == "war"]) >= 5
    assert len(look_alikes(_PROJECT)) >= 27
