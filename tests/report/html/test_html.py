"""The page: balanced, alone in the world, and deaf to what ids say."""

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from html_page import Page
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.dependencies import Confidence, Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Frame
from unknot.model.sanitise import shown
from unknot.model.suite import Suite, TestId
from unknot.report.commands import printable_command
from unknot.report.html.page import to_html, write_html
from unknot.report.html.style import RESULT
from unknot.report.report import Report
from unknot.report.text.excerpts import CodeExcerpt, Source


def data_of(text: str) -> Any:
    """What the page's script is given."""
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text)
    return json.loads(found)


def test_everything_found_is_in_the_page(small: Dependencies) -> None:
    notes = ("forking is unsafe here: threads",)
    page = Page(to_html(Report(small, invocation=("python", "-m", "pytest"), notes=notes, lock="unknot.lock.json")))
    for expected in [
        "At least 3 of 12 tests depend on others: 2 brittle, 2 victims.",
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
        assert expected in page.texts


def test_the_certainty_that_a_test_is_flaky_is_shown(small: Dependencies) -> None:
    known = replace(small, confidence={small.flaky[0]: Confidence(0.9986, 2, 12)})
    expected = "<code>t.py::test_flaky</code> differed in 2 of 12 runs of the same order, 99 % sure</li>"
    assert expected in to_html(Report(known))


def test_every_proof_is_a_command_even_without_scripts(small: Dependencies) -> None:
    page = Page(to_html(Report(small)))
    proofs = [need.proof for need in small.needs] + [conflict.proof for conflict in small.conflicts]
    for order in (order for proof in proofs for order in (proof.passes, proof.fails)):
        assert printable_command(("pytest",), order) in page.texts


def test_the_page_loads_nothing_and_runs_only_its_own_program(small: Dependencies) -> None:
    text = to_html(Report(small))
    page = Page(text)
    (policy,) = [found["content"] for tag, found in page.elements if "http-equiv" in found]
    hashed = {
        kind: f"'sha256-{b64encode(sha256(re.search(pattern, text, re.DOTALL)[1].encode()).digest()).decode()}'"  # type: ignore[index]
        for kind, pattern in (("style", "<style>(.*?)</style>"), ("script", "<script>(.*?)</script>"))
    }
    assert policy == (
        f"default-src 'none'; style-src {hashed['style']}; script-src {hashed['script']}; "
        "base-uri 'none'; form-action 'none'"
    )
    assert not {"link", "img", "iframe", "object", "base", "form"} & set(page.tags)
    assert not [value for name, value in page.attributes if name in ("src", "style") or name.startswith("on")]
    assert all(str(value).startswith("#") for name, value in page.attributes if name == "href")


def test_links_lead_to_sections(small: Dependencies) -> None:
    page = Page(to_html(Report(small)))
    names = {value for name, value in page.attributes if name == "id"}
    assert {str(value)[1:] for name, value in page.attributes if name == "href"} <= names
    assert {value for name, value in page.attributes if name == "aria-labelledby"} <= names


def test_hostile_ids_are_shown_as_text_and_do_nothing(hostile: Dependencies, small: Dependencies) -> None:
    text = to_html(Report(hostile, notes=("<b>",), lock="<i>"))
    page = Page(text)
    assert page.tags.count("script") == 2
    assert {*page.tags} <= {*Page(to_html(Report(small))).tags}
    assert "<script>alert" not in text
    for test in hostile.suite.tests:
        assert shown(test) in page.texts
    assert data_of(text)["tests"] == [shown(test) for test in hostile.suite.tests]


def test_hostile_code_and_reasons_are_text(small: Dependencies) -> None:
    bad = "</script><script>alert(1)</script>"
    total = small.needs[0].dependent
    excerpt = CodeExcerpt(bad, Frame(bad, 1, bad), Source(bad))
    dependencies = replace(
        small, needs=(replace(small.needs[0], why=(Reason(ReasonKind.TEXT, shown=bad),)), *small.needs[1:])
    )
    text = to_html(Report(dependencies, invocation=(bad,), excerpts={(total, 0): (excerpt,)}))
    assert Page(text).tags.count("script") == 2
    found = data_of(text)
    assert found["excerpts"] == [[bad, f"{bad}:1, in {bad}", f"> 1 | {bad}"]]
    assert found["claims"][0]["why"] == [bad]
    assert found["claims"][0]["excerpts"] == [0]


@laws(30)
@given(data=st.data())
def test_any_result_gives_a_balanced_page(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]
) -> None:
    dependencies = data.draw(any_dependencies)
    text = to_html(Report(dependencies))
    assert Page(text).tags.count("script") == 2
    assert text.replace("\n", "").isprintable()
    assert data_of(text)["tests"] == [shown(test) for test in dependencies.suite.tests]


def test_the_program_is_alone_in_its_element() -> None:
    assert "</script" not in RESULT.script().lower()
    assert "<!--" not in RESULT.script()
    # Nothing of the suite's is ever parsed as HTML or as a script.
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"):
        assert way not in RESULT.script()


def test_commands_in_the_page_data_are_compact(small: Dependencies) -> None:
    tests = tuple(TestId(f"t.py::test_{number}[a b]") for number in range(300))
    need = Need(tests[-1], (tests[0],), Proof(tests, tests[1:]))
    dependencies = Dependencies(Suite(tests), dict.fromkeys(tests, Outcome.PASSED), {}, needs=(need,))
    found = data_of(to_html(Report(dependencies)))
    assert found["claims"][0]["proof"] == ["0-299", "1-299"]
    assert found["arguments"]["7"] == "'t.py::test_7[a b]'"
    assert data_of(to_html(Report(small)))["arguments"] == {}


def test_a_suite_without_dependencies_has_no_graph() -> None:
    text = to_html(Report(Dependencies(Suite((TestId("a"),)), {TestId("a"): Outcome.PASSED}, {})))
    assert 'id="graph"' not in text
    assert "None of 1 test depends on another." in Page(text).texts


def test_pairs_are_counted_in_words(small: Dependencies) -> None:
    steady = replace(small, untried=0, flaky=())
    assert "132 ordered pairs: 3 needed, 4 breaking, 125 cleared, 0 untried." in Page(to_html(Report(steady))).texts
    flaky = "22 with a flaky test (nothing claimed)"
    # Of the five rows' pairs one is confirmed and one has the flaky test: they are counted as that.
    rows = (0b110, 0b1, *[0] * 9, 0b1 | 1 << 9)
    known = Page(to_html(Report(replace(small, untried=5, untried_rows=rows)))).texts
    assert f"132 ordered pairs: 3 needed, 4 breaking, 100 cleared, 3 untried, {flaky}." in known
    (unknown,) = [text for text in Page(to_html(Report(small))).texts if text.startswith("132 ordered")]
    assert unknown == (
        f"132 ordered pairs: 3 needed, 4 breaking, 103 others, {flaky}. Of these 3 pairs are untried; which ones "
        "is unknown."
    )


def test_the_page_data_lists_untried_pairs_if_known(small: Dependencies) -> None:
    assert data_of(to_html(Report(small)))["untried"] == {"count": 3, "known": False, "rows": {}}
    rows = (0b110, *[0] * 10, 0b1)
    known = data_of(to_html(Report(replace(small, untried_rows=rows))))["untried"]
    assert known == {"count": 3, "known": True, "rows": {"0": "x6", "11": "0"}}


def test_of_two_thousand_tests_only_those_with_dependencies_are_drawn() -> None:
    tests = tuple(TestId(f"tests/test_{n % 50}.py::test_{n}") for n in range(2000))
    hub = tests[:20]
    dependencies = Dependencies(
        suite=Suite(tests),
        outcomes=dict.fromkeys(tests, Outcome.PASSED),
        seconds=dict.fromkeys(tests, 0.0),
        needs=tuple(Need(test, hub, Proof((hub[0], test), (test,))) for test in tests[100:500]),
        conflicts=tuple(Conflict(tests[500], (test,), (), Proof((tests[500],), (test, tests[500]))) for test in hub),
    )
    text = to_html(Report(dependencies))
    assert len(data_of(text)["views"][0]["spots"]) == 20 + 400 + 1
    assert "There are too many to list their commands here" in text
    assert len(text) < 1_000_000


def test_the_file_is_written(small: Dependencies, tmp_path: Path) -> None:
    write_html(tmp_path / "report.html", Report(small))
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == to_html(Report(small))


def test_tests_that_break_others_if_they_fail_are_named(small: Dependencies) -> None:
    polluter, victim = small.suite.tests[1], small.suite.tests[5]
    conflict = Conflict(victim, (polluter,), (), Proof((victim,), (polluter, victim)))

    page = to_html(Report(replace(small, conflicts_when_failing=(conflict,))))

    assert f"{victim} after {polluter}" in page
