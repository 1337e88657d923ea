"""The closing table, word for word, and on bad terminals."""

import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from strategies import laws

from unknot.model.dependencies import Confidence, Conflict, Cost, Dependencies, Need, Proof, Suspicion, SuspicionKind
from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Frame, Location
from unknot.model.sanitise import shown
from unknot.model.suite import Suite, TestId
from unknot.report.commands import printable_command
from unknot.report.report import Report
from unknot.report.short_ids import ShortIds
from unknot.report.text.lines import Lines
from unknot.report.text.summary import explain, print_text, summary

SUMMARY = """\
At least 3 of 12 tests depend on others: 2 brittle, 2 victims.

brittle  t.py::test_total
  needs              t.py::test_add
  because            reads shop.cart, written by test_add
  passes             pytest t.py::test_add t.py::test_total
  fails              pytest t.py::test_total

brittle and victim  t.py::test_refund
  needs any of       t.py::test_total
                     t.py::test_paid
                     (there may be more than these)
  passes             pytest t.py::test_add t.py::test_total t.py::test_refund
  fails              pytest t.py::test_add t.py::test_refund
  broken by all of   t.py::test_both_1
                     t.py::test_both_2
  passes             pytest t.py::test_add t.py::test_total t.py::test_both_1 t.py::test_refund
  fails              pytest t.py::test_add t.py::test_total t.py::test_both_1 t.py::test_both_2 t.py::test_refund

victim  t.py::test_read
  broken by any of   t.py::test_setenv
                     t.py::test_paid
  cleaned by         t.py::test_clean
  passes             pytest t.py::test_read
  fails              pytest t.py::test_setenv t.py::test_read

1 flaky test (different outcomes in the same order); nothing is claimed about them:
  flaky              t.py::test_flaky

1 test does not pass in suite order:
  failed             t.py::test_broken

  untried            3 pairs of tests
  unfinished         everything listed is proven, but there may be more; run `unknot detect` to resume
  cost               17 orders, 1,234 test runs, 2.5 s (sieve)
  lock file          unknot.lock.json
  report             .unknot/report.html
  note               forking is unsafe: threads
"""


def printed(report: Report, *, terminal: bool = False, width: int = 40) -> str:
    file = io.StringIO()
    print_text(
        Console(file=file, width=width, force_terminal=terminal, color_system="standard" if terminal else None),
        summary(report),
    )
    return file.getvalue()


def test_the_closing_table_in_full(small: Dependencies) -> None:
    report = Report(small, lock="unknot.lock.json", html=".unknot/report.html", notes=("forking is unsafe: threads",))
    assert printed(report) == SUMMARY


def test_the_certainty_that_a_test_is_flaky_is_shown(small: Dependencies) -> None:
    known = replace(small, confidence={small.flaky[0]: Confidence(0.9986, 2, 12)})
    expected = "differed in 2 of 12 runs of the same order, 99 % sure\n"
    assert f"  flaky              t.py::test_flaky\n                     {expected}" in printed(Report(known))
    assert f"  flaky              {expected}" in explain(Report(known), known.flaky[0]).plain


def test_no_number_of_runs_makes_a_report_certain(small: Dependencies) -> None:
    known = replace(small, confidence={small.flaky[0]: Confidence(1.0, 40, 80)})
    assert "99 % sure" in printed(Report(known))


def test_a_suite_without_dependencies_says_so() -> None:
    tests = (TestId("a"), TestId("b"))
    outcomes = dict.fromkeys(tests, Outcome.PASSED)
    dependencies = Dependencies(Suite(tests), outcomes, {}, cost=Cost("sieve", 1, 1, 0.04))
    assert printed(Report(dependencies)) == (
        "None of 2 tests depends on another.\n\n  cost               1 order, 1 test run, 0.0 s (sieve)\n"
    )


def test_an_unfinished_search_does_not_call_the_suite_clean() -> None:
    dependencies = Dependencies(Suite((TestId("a"),)), {TestId("a"): Outcome.PASSED}, {}, untried=1, complete=False)
    assert printed(Report(dependencies)).startswith("No dependency found among 1 test so far.\n")


def test_a_stopped_search_says_what_it_suspects_and_does_not_prove() -> None:
    tests = tuple(TestId(f"t.py::test_{number}") for number in range(30))
    suspected = [Suspicion(test, SuspicionKind.VICTIM, (tests[29],)) for test in tests[:28]]
    suspected.append(Suspicion(tests[28], SuspicionKind.UNCLEAR))
    outcomes = dict.fromkeys(tests, Outcome.PASSED)
    stopped = Dependencies(Suite(tests), outcomes, {}, untried=1, complete=False, suspected=tuple(suspected))
    text = printed(Report(stopped))
    assert text.startswith("No dependency found among 30 tests so far; 29 may depend on others, not proved yet.\n")
    assert (
        "  suspected          28 tests pass alone and fail in another order; one polluter suspected:\n"
        "                       t.py::test_29\n"
        "                     1 test fails in another order:\n"
        "                       t.py::test_28\n"
    ) in text


def caused_by(place: str, victims: list[str], polluter: str) -> tuple[Conflict, ...]:
    """Victims of one polluter by one location."""
    frame = Frame("shop/cart.py", 20, "open_for")
    why = Reason(ReasonKind.FLOW, TestId(polluter), TestId(victims[0]), Location("memory", place), written=(frame,))
    return tuple(
        Conflict(
            TestId(test), (TestId(polluter),), (), Proof((TestId(test),), (TestId(polluter), TestId(test))), why=(why,)
        )
        for test in victims
    )


def brief(tests: list[str], conflicts: tuple[Conflict, ...]) -> str:
    ids = tuple(map(TestId, tests))
    return summary(
        Report(Dependencies(Suite(ids), dict.fromkeys(ids, Outcome.PASSED), {}, conflicts=conflicts)), in_full=False
    ).plain


def test_many_dependencies_are_listed_by_their_cause_the_one_of_most_first() -> None:
    victims = [f"tests/unit/test_cart.py::test_{number}" for number in range(5)]
    other = "tests/test_rates.py::test_rate"
    polluters = ["tests/unit/test_cart.py::test_opens", "tests/test_rates.py::test_day"]
    conflicts = (*caused_by("shop.rates", [other], polluters[1]), *caused_by("shop._open['a']", victims, polluters[0]))
    assert brief([*victims, other, *polluters], conflicts) == (
        "6 of 8 tests depend on others: 6 victims.\n"
        "Fix `shop._open` first: 5 dependencies end with it.\n"
        "\n"
        "`shop._open`, shop/cart.py:20: 5 dependencies\n"
        "  test_cart.py::test_0 broken by test_opens\n"
        "  test_cart.py::test_1 broken by test_opens\n"
        "  test_cart.py::test_2 broken by test_opens\n"
        "  test_cart.py::test_3 broken by test_opens\n"
        "  test_cart.py::test_4 broken by test_opens\n"
        "\n"
        "One dependency:\n"
        "  test_rates.py::test_rate broken by test_day (`shop.rates`, shop/cart.py:20)\n"
        "\n"
    )


def test_a_cause_of_many_tests_shows_a_few_and_counts_the_others() -> None:
    victims = [f"t.py::test_{number:02}" for number in range(30)]
    text = brief([*victims, "t.py::test_opens"], caused_by("shop._open", victims, "t.py::test_opens"))
    assert text.count(" broken by ") == 5
    assert "  and 25 more: unknot report\n" in text


def test_without_recorded_state_the_tests_are_listed_all_the_same() -> None:
    victims = [TestId(f"t.py::test_{number:02}") for number in range(20)]
    polluter = TestId("t.py::test_opens")
    conflicts = tuple(Conflict(test, (polluter,), (), Proof((test,), (polluter, test))) for test in victims)
    text = brief([*victims, polluter], conflicts)
    assert "\nDependencies, without recorded state:\n  t.py::test_00 broken by test_opens\n" in text
    assert text.count(" broken by ") == 20


def test_files_of_the_same_name_keep_the_directories_that_tell_them_apart() -> None:
    ids = ShortIds(Suite(tuple(map(TestId, ("a/b/t.py::x", "a/c/t.py::x", "c/t.py::y", "d/u.py::x", "alone")))))
    assert [ids.short(TestId(test)) for test in ("a/b/t.py::x", "a/c/t.py::x", "d/u.py::x", "alone")] == [
        "b/t.py::x",
        "a/c/t.py::x",
        "u.py::x",
        "alone",
    ]
    assert ids.beside(TestId("a/b/t.py::x"), TestId("a/b/t.py::z")) == "z"


@given(st.lists(st.from_regex(r"(a/|b/|c/){0,3}[tu]\.py::[xy]|[xy]", fullmatch=True), unique=True))
def test_no_two_tests_have_the_same_short_id(tests: list[str]) -> None:
    ids = ShortIds(Suite(tuple(map(TestId, tests))))
    assert len({ids.short(TestId(test)) for test in tests}) == len(tests)


def test_on_a_terminal_a_long_value_continues_below_its_beginning_and_a_command_stays_on_one_line() -> None:
    lines = Lines()
    lines.field("because", ["one two three four five six seven eight nine ten eleven twelve"])
    lines.field("passes", ["pytest " + "t.py::test_one " * 6], wraps=False)
    file = io.StringIO()
    print_text(Console(file=file, width=60, force_terminal=True, color_system=None), lines.text)
    because, continued, command = file.getvalue().splitlines()
    assert because == "  because            one two three four five six seven eight"
    assert continued == "                     nine ten eleven twelve"
    assert command.count("t.py::test_one") == 6
    plain = io.StringIO()
    print_text(Console(file=plain, width=60), lines.text)
    assert len(plain.getvalue().splitlines()) == 2, "a redirected result is not wrapped"


def test_the_next_commands_come_last(small: Dependencies) -> None:
    commands = (("explain one", "unknot explain a"), ("run in parallel", "unknot run"))
    assert printed(Report(small, html="report.html", next_commands=commands)).endswith(
        "  explain one        unknot explain a\n  run in parallel    unknot run\n"
    )


def test_colour_changes_no_word(small: Dependencies) -> None:
    coloured = printed(Report(small), terminal=True, width=200)
    assert "\x1b[" in coloured
    plain = Console(file=io.StringIO())
    with plain.capture() as capture:
        print_text(plain, summary(Report(small)))
    assert capture.get() == printed(Report(small))


def test_hostile_ids_are_complete_and_on_one_line(hostile: Dependencies) -> None:
    lines = printed(Report(hostile), width=20).splitlines()
    for test in hostile.suite.tests:
        assert any(line.endswith(f"  {shown(test)}") for line in lines)
    for need in hostile.needs:
        assert any(line.endswith(f"  {printable_command(('pytest',), need.proof.passes)}") for line in lines)


@laws(40)
@given(data=st.data())
def test_any_result_prints_without_control_characters(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]
) -> None:
    dependencies = data.draw(any_dependencies)
    text = printed(Report(dependencies))
    assert text.replace("\n", "").isprintable()
    for test in dependencies.suite.tests:
        assert explain(Report(dependencies), test).plain.replace("\n", "").isprintable()


def test_an_output_without_unicode_shows_escapes_instead_of_failing(hostile: Dependencies) -> None:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii")
    print_text(Console(file=file), summary(Report(hostile)))
    file.flush()
    assert rb"test_\u0436[\u65e5\u672c\u8a9e]" in raw.getvalue()


@pytest.fixture
def crowded() -> Dependencies:
    """One test with twenty alternatives, and a victim of twenty."""
    tests = tuple(TestId(f"t.py::test_{n}") for n in range(22))
    *many, brittle, victim = tests
    return Dependencies(
        suite=Suite(tests),
        outcomes=dict.fromkeys(tests, Outcome.PASSED),
        seconds={},
        needs=(Need(brittle, tuple(many), Proof((many[0], brittle), (brittle,))),),
        conflicts=tuple(Conflict(victim, (test,), (), Proof((victim,), (test, victim))) for test in many),
    )


def test_a_long_list_is_shortened_in_the_table(crowded: Dependencies) -> None:
    lines = printed(Report(crowded)).splitlines()
    assert "                     and 15 more: unknot explain t.py::test_20" in lines
    assert "                     and 15 more: unknot explain t.py::test_21" in lines
    assert len(lines) < 30


def test_explain_has_the_long_list_whole_and_every_proof(crowded: Dependencies) -> None:
    brittle, victim = crowded.suite.tests[-2:]
    text = explain(Report(crowded), brittle).plain
    assert all(f"  {test}\n" in text for test in crowded.suite.tests[:20])
    text = explain(Report(crowded), victim).plain
    assert all(f"pytest {test} {victim}\n" in text for test in crowded.suite.tests[:20])


def test_a_skipped_test_is_not_reported_as_passing() -> None:
    a, b = TestId("a"), TestId("b")
    outcomes = {a: Outcome.PASSED, b: Outcome.SKIPPED}
    text = printed(Report(Dependencies(Suite((a, b)), outcomes, {}, needs=(Need(b, (a,), Proof((a, b), (b,))),))))
    assert "  skipped            pytest a b\n  not skipped        pytest b\n" in text


EXPLAINED = """\
brittle and victim  t.py::test_refund
  in suite order     passed, 0.250 s
  with prerequisites pytest t.py::test_add t.py::test_total t.py::test_refund

  needs any of       t.py::test_total
                     t.py::test_paid
                     (there may be more than these)
  passes             pytest t.py::test_add t.py::test_total t.py::test_refund
  fails              pytest t.py::test_add t.py::test_refund

  broken by all of   t.py::test_both_1
                     t.py::test_both_2
  passes             pytest t.py::test_add t.py::test_total t.py::test_both_1 t.py::test_refund
  fails              pytest t.py::test_add t.py::test_total t.py::test_both_1 t.py::test_both_2 t.py::test_refund
"""


def test_explain_prints_everything_about_a_test(small: Dependencies) -> None:
    assert explain(Report(small), TestId("t.py::test_refund")).plain == EXPLAINED


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("total", "  needed by          t.py::test_refund\n"),
        ("both_1", "  breaks             t.py::test_refund\n"),
        ("clean", "  cleans             t.py::test_read\n"),
        ("alone", "independent as far as known  t.py::test_alone\n"),
        ("flaky", "flaky  t.py::test_flaky\n"),
        ("broken", "  in suite order     failed, 0.250 s\n"),
        ("total", "  because            reads shop.cart, written by test_add\n"),
        ("read", "  cleaned by         t.py::test_clean\n"),
    ],
)
def test_explain_prints_the_roles_of_a_test_for_others(name: str, expected: str, small: Dependencies) -> None:
    assert expected in explain(Report(small), TestId(f"t.py::test_{name}")).plain


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("test_total", "Did you mean t.py::test_total?"),
        ("t.py::test_totl", "t.py::test_total"),
        ("?", "Run `unknot report`"),
    ],
)
def test_explain_of_an_unknown_test_suggests_the_closest_match(typed: str, hint: str, small: Dependencies) -> None:
    with pytest.raises(UsageError, match="no such test: ") as caught:
        explain(Report(small), TestId(typed))
    assert hint in caught.value.hint
