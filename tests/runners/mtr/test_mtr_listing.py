"""Which tests there are: mtr's own list, recorded from a real one."""

from pathlib import Path

import pytest

from unknot.runners.mtr.__main__ import listed
from unknot.runners.mtr.request import EXTERN, Request

SAID = (Path(__file__).parents[2] / "data" / "mtr" / "listed.txt").read_text(encoding="utf-8")
REQUEST = Request(program=Path("/nowhere/mysql-test-run.pl"), suites=("json", "gcol"))


def test_ids_are_as_mtr_takes_them_in_its_own_order() -> None:
    ids = listed(SAID, REQUEST)
    assert ids[:2] == ["gcol.innodb_virtual_fk", "gcol.innodb_virtual_debug_purge"]
    assert ids[-1] == "json.rpl_json_varchar,stmt"
    assert "gcol.rpl_gcol,mix" in ids
    assert len(ids) == len(set(ids)) == 75


def test_what_mtr_says_besides_is_no_test() -> None:
    assert all(test.startswith(("json.", "gcol.")) for test in listed(SAID, REQUEST))
    assert listed("MariaDB Version 10.11.19-MariaDB-0+deb12u1\nCollecting tests...\nvardir: /a.b/c\n", REQUEST) == []


def test_a_server_that_stands_has_no_combinations() -> None:
    ids = listed(SAID, Request(program=REQUEST.program, suites=REQUEST.suites, server=EXTERN))
    assert [test for test in ids if "rpl_gcol" in test] == ["gcol.rpl_gcol"]
    assert len(ids) == 61


@pytest.mark.parametrize(
    ("patterns", "left"), [(["gcol.*"], 24), (["*,mix", "*,stmt"], 61), (["json.type_json"], 74), (["nobody"], 75)]
)
def test_tests_can_be_left_out_by_patterns(patterns: list[str], left: int) -> None:
    request = Request(program=REQUEST.program, suites=REQUEST.suites, skip=tuple(patterns))
    assert len(listed(SAID, request)) == left
