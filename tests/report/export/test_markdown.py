"""The summary is read by a Markdown parser: whatever comes from a suite is code in it, and acts nowhere."""

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from strategies import laws

from unknot.model.cause import causes
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof, Suspicion
from unknot.model.outcome import Outcome
from unknot.model.reason import NOWHERE, Reason, ReasonKind
from unknot.model.recording import Location
from unknot.model.sanitise import shown
from unknot.model.suite import Order, Suite, TestId
from unknot.report.export.markdown import MOST_CHARACTERS, block, cell, code, to_markdown
from unknot.report.reasons import sentences
from unknot.report.report import Report

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
CODE = ("code_inline", "fence")

MORE = [
    "@user", "a@b.example", "https://evil.example/x", "www.evil.example", "#12", "`", "``", "a`", "`a", "|", "\\|",
    "\\\\|", "a|b`c|d", " ", "  x ", "[a](http://b)", "![i](x)", "<b>", "*x*", "1. a", "# h", "\\", "\\`", "`\\", "|`|",
    "```", "| --- |", "&lt;", "</details>", "<!--",
]  # fmt: skip


def tokens(text: str) -> Iterator[Token]:
    for token in MARKDOWN.parse(text):
        yield token
        yield from token.children or ()


def codes(text: str) -> list[str]:
    """The contents of all code, as a reader sees them."""
    return [token.content for token in tokens(text) if token.type in CODE]


def around(text: str) -> list[tuple[str, str]]:
    """All that is not code: its kind and, where it has any, its text."""
    found = ((token.type, token.content) for token in tokens(text) if token.type not in CODE)
    return [(kind, content if kind in ("text", "html_block", "html_inline") else "") for kind, content in found]


def renamed(dependencies: Dependencies) -> Dependencies:
    """The same with plain words instead of all that a suite may say."""
    names = {test: TestId(f"t{number}") for test, number in dependencies.suite.index.items()}

    def plain(tests: Order) -> Order:
        return tuple(names[test] for test in tests)

    def shown_by(proof: Proof) -> Proof:
        return Proof(plain(proof.passes), plain(proof.fails))

    places = {claim: place for place, cause in enumerate(causes(dependencies)) for claim in cause.claims}

    def words(claim: Need | Conflict) -> tuple[Reason, ...]:
        location = Location("file", f"l{places[claim]}") if claim in places else NOWHERE
        return tuple(
            Reason(ReasonKind.TEXT, location=location, shown="because" if shown(text) else "")
            for text in sentences(claim.why)
        )

    def conflict(c: Conflict) -> Conflict:
        return Conflict(names[c.victim], plain(c.polluters), plain(c.cleaners), shown_by(c.proof), c.complete, words(c))

    return replace(
        dependencies,
        suite=Suite(plain(dependencies.suite.tests)),
        outcomes={names[test]: outcome for test, outcome in dependencies.outcomes.items()},
        seconds={names[test]: seconds for test, seconds in dependencies.seconds.items()},
        needs=tuple(
            Need(names[n.dependent], plain(n.any_of), shown_by(n.proof), n.complete, words(n))
            for n in dependencies.needs
        ),
        conflicts=tuple(map(conflict, dependencies.conflicts)),
        conflicts_when_failing=tuple(map(conflict, dependencies.conflicts_when_failing)),
        flaky=plain(dependencies.flaky),
        cost=replace(dependencies.cost, algorithm="sieve" if dependencies.cost.algorithm else ""),
        confidence={names[test]: known for test, known in dependencies.confidence.items()},
        suspected=tuple(Suspicion(names[s.test], s.kind, plain(s.others)) for s in dependencies.suspected),
    )


@laws(40)
@given(data=st.data())
def test_text_outside_code_does_not_depend_on_the_suite(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]
) -> None:
    dependencies = data.draw(any_dependencies)
    text = to_markdown(Report(dependencies))
    assert around(text) == around(to_markdown(Report(renamed(dependencies))))
    assert text == to_markdown(Report(dependencies))


@laws(40)
@given(data=st.data())
def test_every_dependent_and_every_single_prerequisite_is_listed(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]
) -> None:
    dependencies = data.draw(any_dependencies)
    found = {content.strip(" ") for content in codes(to_markdown(Report(dependencies)))}
    for need in dependencies.needs:
        assert {shown(test).strip(" ") for test in (need.dependent, *need.any_of[:5])} <= found
    for known in dependencies.conflicts:
        assert {shown(test).strip(" ") for test in (known.victim, *known.cleaners[:5])} <= found


@given(st.sampled_from(MORE) | st.text(st.sampled_from("`|\\ a*<@"), min_size=1, max_size=9))
def test_code_in_a_cell_shows_the_very_text(text: str) -> None:
    table = f"| a | b |\n|---|---|\n| {cell(code(text, most=99))} | {cell(code('end', most=99))} |\n"
    shown_text, end = codes(table)
    assert (shown_text.strip(" "), end) == (text.strip(" "), "end")


@given(st.lists(st.sampled_from(MORE) | st.text(st.sampled_from("`~ a"), max_size=9), min_size=1))
def test_no_line_closes_its_block(lines: list[str]) -> None:
    (fence,) = (token for token in tokens("\n".join(block("sh", lines))) if token.type == "fence")
    assert fence.content == "".join(f"{line}\n" for line in lines)


def test_long_texts_are_cut() -> None:
    assert code("x" * 50, most=10) == "`xxxxxxxxx…`"
    assert code("", most=10) == ""


def test_the_table_says_what_and_why(small: Dependencies) -> None:
    lines = to_markdown(Report(small)).splitlines()
    assert lines[0] == "### At least 3 of 12 tests depend on others: 2 brittle, 2 victims."
    why = "`reads shop.cart, written by test_add`"
    assert f"| `t.py::test_total` | brittle | needs `t.py::test_add` | {why} |" in lines
    victim = "broken by any of `t.py::test_setenv`, `t.py::test_paid`, cleaned by `t.py::test_clean`"
    assert f"| `t.py::test_read` | victim | {victim} |  |" in lines
    assert "Untried: 3 pairs of tests." in lines


def test_proofs_and_picture_are_folded(small: Dependencies) -> None:
    text = to_markdown(Report(small, invocation=("python", "-m", "pytest")))
    assert text.count("<details>") == text.count("</details>") == 2
    assert "# passes\npython -m pytest t.py::test_add t.py::test_total\n# fails\n" in text
    assert "```mermaid\nflowchart LR\n" in text


def test_a_clean_suite_needs_no_table_and_no_picture(small: Dependencies) -> None:
    text = to_markdown(Report(replace(small, needs=(), conflicts=(), flaky=(), complete=True, untried=0)))
    assert text.startswith("### None of 12 tests depends on another.")
    assert "<details>" not in text
    assert "|" not in text


def test_the_largest_result_fits_into_a_comment_and_says_what_is_left_out() -> None:
    tests = tuple(TestId(f"tests/test_large.py::test_{number}[{'@x|`' * 60}]") for number in range(3000))
    first, *rest = tests
    long = Reason(ReasonKind.TEXT, shown="x" * 999)
    dependencies = Dependencies(
        Suite(tests),
        dict.fromkeys(tests, Outcome.FAILED),
        dict.fromkeys(tests, 0.0),
        needs=tuple(Need(test, (first,), Proof((first, test), (test,)), why=(long,) * 3) for test in rest),
        flaky=tests[:500],
        conflicts=(Conflict(first, tests[1:2000], tests[2000:], Proof((first,), (*rest[:1999], first))),),
    )
    text = to_markdown(Report(dependencies))
    assert 20_000 < len(text) < MOST_CHARACTERS
    assert "more: run `unknot report` to see all." in text
    assert "more: run `unknot explain TEST` to see them." in text
    assert "mermaid" not in text


def test_hostile_ids_start_no_html_and_no_link(hostile: Dependencies) -> None:
    kinds = {token.type for token in tokens(to_markdown(Report(hostile)))}
    assert not kinds & {"link_open", "image", "html_inline"}
    blocks = {token.content.strip() for token in tokens(to_markdown(Report(hostile))) if token.type == "html_block"}
    assert all(
        content.startswith(("<details>\n<summary>Graph<", "<details>\n<summary>Commands ", "</details>"))
        for content in blocks
    )


def test_tests_that_break_others_if_they_fail_are_listed(small: Dependencies) -> None:
    polluter, victim = small.suite.tests[1], small.suite.tests[5]
    conflict = Conflict(victim, (polluter,), (), Proof((victim,), (polluter, victim)))

    text = to_markdown(Report(replace(small, conflicts_when_failing=(conflict,))))

    assert "1 test can break others, but only without what they need" in text
    assert f"- `{victim}` after `{polluter}`, if that fails" in text
