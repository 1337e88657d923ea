"""The page: balanced, alone in the world, and deaf to what ids say."""

import re
from dataclasses import replace
from pathlib import Path

from html_page import Page
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unknot.model.knots import Confidence, Conflict, Knots, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId
from unknot.report.commands import printable_command
from unknot.report.html import to_html, write_html
from unknot.report.shown import shown
from unknot.report.value import Report


def test_everything_found_is_in_the_page(small: Knots) -> None:
    notes = ("forking is unsafe here: threads",)
    page = Page(to_html(Report(small, invocation=("python", "-m", "pytest"), notes=notes, lock="unknot.lock.json")))
    for said in [
        "3 of 12 tests depend on others: 2 brittle, 2 victims.",
        "brittle and victim",
        "needs any of 2 tests",
        "there may be more than these",
        "broken by any of 2 tests",
        "broken by all of 2 tests",
        "reads shop.cart, written by test_add",
        "python -m pytest t.py::test_add t.py::test_total",
        "17 orders, 1,234 test runs, 2.5 s (sieve)",
        "3 pairs of tests",
        "unknot.lock.json",
        notes[0],
        "Flaky tests",
        "t.py::test_flaky",
        "t.py::test_broken",
    ]:
        assert said in page.texts


def test_how_sure_it_is_that_a_test_is_flaky_is_said(small: Knots) -> None:
    known = replace(small, confidence={small.flaky[0]: Confidence(0.9986, 2, 12)})
    said = "<code>t.py::test_flaky</code> differed in 2 of 12 runs of the same order, 99 % sure</li>"
    assert said in to_html(Report(known))


def test_every_proof_is_a_command_to_copy(small: Knots) -> None:
    page = Page(to_html(Report(small)))
    proofs = [need.proof for need in small.needs] + [conflict.proof for conflict in small.conflicts]
    for order in (order for proof in proofs for order in (proof.passes, proof.fails)):
        assert printable_command(("pytest",), order) in page.texts


def test_the_page_loads_nothing(small: Knots) -> None:
    page = Page(to_html(Report(small)))
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    assert ("content", policy) in page.attributes
    assert not {"link", "img", "iframe", "object"} & set(page.tags)
    assert not [value for name, value in page.attributes if name == "src"]
    assert all(str(value).startswith("#t") for name, value in page.attributes if name == "href")


def test_hostile_ids_are_shown_as_text_and_do_nothing(hostile: Knots, small: Knots) -> None:
    text = to_html(Report(hostile, notes=("<b>",), lock="<i>"))
    page = Page(text)
    assert page.tags.count("script") == 1
    assert {*page.tags} <= {*Page(to_html(Report(small))).tags}
    assert "<script>alert" not in text
    for test in hostile.suite.tests:
        assert shown(test) in page.texts


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_result_gives_a_balanced_page(data: st.DataObject, any_knots: st.SearchStrategy[Knots]) -> None:
    text = to_html(Report(data.draw(any_knots)))
    assert Page(text).tags.count("script") == 1
    assert text.replace("\n", "").isprintable()


def test_a_suite_without_dependencies_has_no_drawing() -> None:
    page = Page(to_html(Report(Knots(Suite((TestId("a"),)), {TestId("a"): Outcome.PASSED}, {}))))
    assert "svg" not in page.tags
    assert "None of 1 test depends on another." in page.texts


def test_links_in_the_drawing_lead_to_rows(small: Knots) -> None:
    text = to_html(Report(small))
    assert set(re.findall(r'href="#(\w+)"', text)) == set(re.findall(r'<tr id="(\w+)"', text)) == {"t1", "t3", "t11"}


def test_two_thousand_tests_draw_only_those_that_take_part() -> None:
    tests = tuple(TestId(f"tests/test_{n % 50}.py::test_{n}") for n in range(2000))
    hub = tests[:20]
    knots = Knots(
        suite=Suite(tests),
        outcomes=dict.fromkeys(tests, Outcome.PASSED),
        seconds=dict.fromkeys(tests, 0.0),
        needs=tuple(Need(test, hub, Proof((hub[0], test), (test,))) for test in tests[100:400]),
        conflicts=tuple(Conflict(tests[500], (test,), (), Proof((tests[500],), (test, tests[500]))) for test in hub),
    )
    page = Page(to_html(Report(knots)))
    assert page.tags.count("rect") == 20 + 300 + 1


def test_the_file_is_written(small: Knots, tmp_path: Path) -> None:
    write_html(tmp_path / "report.html", Report(small))
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == to_html(Report(small))
