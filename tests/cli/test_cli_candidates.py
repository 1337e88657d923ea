"""Suspects: the real command, on suites in files and on code."""

import json
import os
import pty
import select
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from unknot.report.reasons import sentence, sentences
from unknot.store.lock import read_lock

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[str]
Unknot = Callable[..., Done]
Write = Callable[[Mapping[str, str]], None]

DATA = Path(__file__).parents[1] / "data" / "e2e-suites"

SUITE: dict[str, list[Any]] = {
    "order": ["AddUserTest", "SearchUserTest", "AddCourseTest"],
    "tests": [
        {"name": "AddUserTest", "inputs": ["admin", "user001"]},
        {"name": "SearchUserTest", "inputs": ["admin", "user001"], "selects": []},
        {"name": "AddCourseTest", "inputs": ["Course001"], "link_texts_read": ["admin"]},
    ],
}


@pytest.fixture
def data(project: Path) -> Callable[[object], Path]:
    def written(document: object) -> Path:
        path = project / "suite.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return path

    return written


def answer(done: Done) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert isinstance(document, dict)
    return document


def test_a_suite_from_a_file_is_listed_as_edges_with_their_strings(
    unknot: Unknot, data: Callable[[object], Path]
) -> None:
    data(SUITE)

    output = answer(unknot("candidates", "--data", "suite.json", "--format", "json"))

    assert output["order"] == SUITE["order"]
    assert output["edges"] == [[1, 0, ["user001"]]]
    assert output["extracted"] == 1


def test_the_text_says_who_why_and_how_many(unknot: Unknot, data: Callable[[object], Path]) -> None:
    data(SUITE)

    done = unknot("candidates", "--data", "suite.json")

    assert done.returncode == 0
    assert "1 of 3 pairs is a candidate (strings)" in done.stdout
    assert "SearchUserTest" in done.stdout
    assert "`user001` is submitted and used" in done.stdout


@pytest.mark.parametrize(
    ("suite", "words"),
    [("claroline", "original+verb"), ("mrbs", "strings+noun"), ("ppma", "original"), ("ppma", "strings+dobj")],
)
def test_the_web_suites_are_read_in_every_configuration(unknot: Unknot, suite: str, words: str) -> None:
    path = DATA / f"{suite}.json"

    output = answer(unknot("candidates", "--data", str(path), "--hints", words, "--format", "json"))

    size = len(output["order"])
    assert 0 < len(output["edges"]) <= output["extracted"] <= size * (size - 1) // 2
    assert all(0 <= earlier < later < size for later, earlier, _ in output["edges"])
    assert all(bool(strings) == words.startswith("strings") for _, _, strings in output["edges"])


def test_free_values_come_from_the_command_line_and_from_the_configuration(
    unknot: Unknot, project: Path, data: Callable[[object], Path]
) -> None:
    data({**SUITE, "order": [*SUITE["order"], "Other"], "tests": [*SUITE["tests"], {"name": "Other"}]})
    ask = ("candidates", "--data", "suite.json", "--format", "json")
    assert answer(unknot(*ask))["edges"] == [[1, 0, ["admin", "user001"]], [2, 0, ["admin"]], [2, 1, ["admin"]]]

    assert answer(unknot(*ask, "--free-values", "admin"))["edges"] == [[1, 0, ["user001"]]]
    (project / "unknot.toml").write_text('free-values = ["admin", "user001"]\n')
    assert answer(unknot(*ask))["edges"] == []


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{", "not JSON"),
        ({}, "order: missing"),
        ({"order": []}, "no tests"),
        ({"order": ["a", "a"]}, "stands twice"),
        ({"order": ["a"], "tests": []}, "one entry for each of the 1 tests"),
        ({"order": ["a"], "tests": [{"name": "b"}]}, "tests[0].name: is b"),
        ({"order": ["a"], "tests": [{"inputs": "x"}]}, "tests[0].inputs: must be a list"),
        ({"order": ["a"], "tests": [{"input": ["x"]}]}, "tests[0].input: is not one of name, inputs"),
        ({"order": ["a"], "tests": [{"assertions": [{"strings": [1]}]}]}, "must be a string"),
    ],
)
def test_a_file_that_is_something_else_is_refused_by_name(
    unknot: Unknot, data: Callable[[object], Path], document: object, said: str
) -> None:
    data(document)

    done = unknot("candidates", "--data", "suite.json")

    assert done.returncode in (4, 5)
    assert "suite.json" in done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_without_strings_leaves_every_pair_a_candidate(unknot: Unknot, data: Callable[[object], Path]) -> None:
    data({"order": ["a", "b", "c"]})

    output = answer(unknot("candidates", "--data", "suite.json", "--format", "json"))

    assert [edge[:2] for edge in output["edges"]] == [[1, 0], [2, 0], [2, 1]]
    assert output["notes"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("string", "`string`"),
        ("strings+", "a word is missing"),
        ("verb+noun", "two filters"),
        ("traffic", "no traffic to record"),
    ],
)
def test_hints_that_cannot_be_used_are_reported(
    unknot: Unknot, data: Callable[[object], Path], words: str, said: str
) -> None:
    data(SUITE)

    done = unknot("candidates", "--data", "suite.json", "--hints", words)

    assert done.returncode == 4
    assert said in done.stderr


def test_a_review_without_a_terminal_says_what_to_do_instead(unknot: Unknot, data: Callable[[object], Path]) -> None:
    data(SUITE)

    done = unknot("candidates", "--data", "suite.json", "--review")

    assert done.returncode == 4
    assert "--free-values" in done.stderr


def test_a_review_gives_no_list_of_pairs(project: Path, data: Callable[[object], Path]) -> None:
    data(SUITE)

    output = in_terminal(project, "", "candidates", "--data", "suite.json", "--review", "--format", "json")

    assert "--review lists no pairs" in output


def test_more_pairs_than_can_be_handled_are_refused_before_they_fill_the_memory(
    unknot: Unknot, data: Callable[[object], Path]
) -> None:
    names = [f"t{number}" for number in range(3_000)]
    data({"order": names, "tests": [{"name": name, "inputs": ["zzz"] if name != "t0" else []} for name in names]})

    done = unknot("candidates", "--data", "suite.json")

    assert done.returncode == 4
    assert "candidate pairs; at most" in done.stderr
    assert "--review" in done.stderr


def test_a_review_without_any_input_says_the_same(project: Path, data: Callable[[object], Path]) -> None:
    data({**SUITE, "order": [*SUITE["order"], "Other"], "tests": [*SUITE["tests"], {"name": "Other"}]})
    closed = ["sh", "-c", 'exec "$0" -m unknot candidates --data suite.json --review <&-', sys.executable]

    done = subprocess.run(closed, cwd=project, capture_output=True, text=True, check=False)

    assert done.returncode == 4
    assert "--free-values" in done.stderr
    assert "Traceback" not in done.stderr


END_OF_INPUT = "\x04"
"""Ctrl-D, which needs no Enter."""


def in_terminal(project: Path, answers: str, *arguments: str) -> str:
    """The command at a terminal, at which somebody types an answer whenever a question stands there."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "unknot", *arguments], cwd=project, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown, typed = "", list(answers)
    try:
        while select.select([ours], [], [], 60)[0]:
            shown += os.read(ours, 4096).decode()
            if shown.endswith("[y/n/q] ") and typed:
                key = typed.pop(0)
                os.write(ours, key.encode() if key == END_OF_INPUT else f"{key}\n".encode())
    except OSError:
        # Linux says so when the other side is closed.
        pass
    finally:
        os.close(ours)
        process.wait(60)
    return shown


def test_answers_of_a_review_are_saved_and_not_requested_again(
    project: Path, unknot: Unknot, data: Callable[[object], Path]
) -> None:
    data({**SUITE, "order": [*SUITE["order"], "Other"], "tests": [*SUITE["tests"], {"name": "Other"}]})

    first = in_terminal(project, "yn", "candidates", "--data", "suite.json", "--review")
    again = in_terminal(project, "", "candidates", "--data", "suite.json", "--review")

    assert "`admin`: in 3 tests, 3 candidates, 2 of them by nothing else" in first
    assert 'free-values = ["admin"]' in first
    assert "no value is left to review" in again
    output = answer(unknot("candidates", "--data", "suite.json", "--format", "json"))
    assert output["edges"] == [[1, 0, ["user001"]]]


def test_a_review_that_is_broken_off_saves_its_answers_and_claims_no_more(
    project: Path, data: Callable[[object], Path]
) -> None:
    data({**SUITE, "order": [*SUITE["order"], "Other"], "tests": [*SUITE["tests"], {"name": "Other"}]})
    ask = ("candidates", "--data", "suite.json", "--review", "--free-values", "login")

    nothing = in_terminal(project, END_OF_INPUT, *ask)
    one = in_terminal(project, f"y{END_OF_INPUT}", *ask)

    assert "[y/n/q] \r\n" in nothing, "what comes next has a line of its own"
    assert "saved in the state directory" not in nothing
    assert 'free-values = ["login"]' in nothing
    assert "saved in the state directory" in one
    assert 'free-values = ["login", "admin"]' in one


def test_the_line_for_the_configuration_is_toml_and_sends_nothing_to_the_terminal(
    project: Path, data: Callable[[object], Path]
) -> None:
    value = 'a \x9b31m "quoted" \\ \u202e\x7f\U000e0001'
    tests = [{"inputs": [value, "half \ud800"]}, {"inputs": [value, "half \ud800"]}, {}]
    data({"order": ["a", "b", "c"], "tests": tests})

    output = in_terminal(project, "yy", "candidates", "--data", "suite.json", "--review")

    assert output.replace("\r\n", "").isprintable()
    (line,) = (line for line in output.splitlines() if line.startswith("free-values"))
    assert tomllib.loads(line) == {"free-values": [value]}, "half a character has no place in TOML"


def test_a_value_of_every_test_is_named_where_it_is_dropped(unknot: Unknot, data: Callable[[object], Path]) -> None:
    data(SUITE)

    done = unknot("candidates", "--data", "suite.json")
    assert "every test uses `admin`: such values make no candidates" in done.stdout


def test_of_two_tests_what_both_use_is_suspicious(unknot: Unknot, data: Callable[[object], Path]) -> None:
    data({"order": ["Add", "Search"], "tests": [{"inputs": ["bob"]}, {"link_texts_read": ["bob"]}]})

    assert answer(unknot("candidates", "--data", "suite.json", "--format", "json"))["edges"] == [[1, 0, ["bob"]]]


def test_a_file_and_paths_are_not_taken_together(unknot: Unknot, data: Callable[[object], Path]) -> None:
    data(SUITE)

    done = unknot("candidates", "--data", "suite.json", "tests")

    assert done.returncode == 4
    assert "Leave out the paths" in done.stderr


def test_a_damaged_review_is_reported(project: Path, unknot: Unknot, data: Callable[[object], Path]) -> None:
    data(SUITE)
    (project / ".unknot").mkdir()
    (project / ".unknot" / "free-values.json").write_text('{"format": 1}')

    done = unknot("candidates", "--data", "suite.json")

    assert done.returncode == 13
    assert "free-values.json" in done.stderr


WEB = {
    "app.py": """
        USERS = {}
        """,
    "pages.py": """
        import app

        class UserPage:
            def __init__(self, page):
                self.page = page

            def add(self, name):
                self.page.locator("#name").fill(name)
                app.USERS[name] = True

            def finds(self, name):
                self.page.locator("#search").fill(name)
                return name in app.USERS
        """,
    "conftest.py": """
        from unittest.mock import MagicMock

        import pytest
        from pages import UserPage

        @pytest.fixture
        def users():
            return UserPage(MagicMock())
        """,
    "test_users.py": """
        BOB = "bob"

        def test_add_user(users):
            users.add(BOB)

        def test_add_other(users):
            users.add("carol")

        def test_search_user(users):
            assert users.finds(BOB)

        def test_search_nobody(users):
            assert not users.finds("nobody")
        """,
}
"""A suite in the manner of browser suites: its page is a stand-in, and the code is what is read."""


def test_code_is_read_through_page_objects_and_fixtures(unknot: Unknot, write: Write) -> None:
    write(WEB)

    output = answer(unknot("candidates", "--format", "json", "-q"))

    assert output["edges"] == [[2, 0, ["bob"]]]
    assert "test_users.py:2" in output["reasons"][0][0] or "pages.py" in output["reasons"][0][0]


def test_code_is_read_while_the_system_under_test_does_not_come_up(unknot: Unknot, write: Write) -> None:
    write({**WEB, "unknot.toml": '[instance]\nstart = "false"\nports = 1\nready = "port"\nreset = "restart"\n'})

    output = answer(unknot("candidates", "--format", "json", "-q"))

    assert output["edges"] == [[2, 0, ["bob"]]]


def test_a_suite_that_is_only_collected_beside_its_system_has_it_started(unknot: Unknot, write: Write) -> None:
    start = json.dumps([sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "{port0}"])
    table = f'[instance]\nstart = {start}\nports = 1\nready = "port"\nreset = "restart"\n'
    late = """
        import os

        PORT = os.environ["UNKNOT_PORT_0"]

        def test_late(users):
            assert not users.finds("nobody")
        """
    write({**WEB, "test_zlate.py": late, "unknot.toml": table})

    output = answer(unknot("candidates", "--format", "json", "-q"))

    assert output["edges"] == [[2, 0, ["bob"]], [4, 3, ["nobody"]]]


@pytest.mark.parametrize("algorithm", ["sieve", "tedd"])
def test_a_detection_starts_from_candidates_and_gives_them_as_reasons(
    unknot: Unknot, write: Write, project: Path, algorithm: str
) -> None:
    write(WEB)

    done = unknot("detect", "--hints", "strings", "--algorithm", algorithm)

    assert done.returncode == 1, done.stderr
    assert "1 candidate pair from strings" in done.stderr
    (need,) = read_lock(project / "unknot.lock.json").needs
    assert (need.dependent, need.any_of) == ("test_users.py::test_search_user", ("test_users.py::test_add_user",))
    assert "`bob` is submitted" in sentence(need.why[0])
    assert "`bob` is submitted" in done.stdout
    explained = unknot("explain", "test_search_user").stdout
    assert 'self.page.locator("#name").fill(name)' in explained, "the line where it is submitted"
    assert "and used" in explained


def test_with_a_recording_its_reasons_follow_those_of_the_hints(unknot: Unknot, write: Write, project: Path) -> None:
    write(WEB)

    done = unknot("detect", "--hints", "strings", "--trace", "-q")

    assert done.returncode == 1, done.stderr
    (need,) = read_lock(project / "unknot.lock.json").needs
    first, *others = sentences(need.why)
    assert "`bob` is submitted" in first
    assert others
    assert all("is submitted" not in reason for reason in others)


def test_a_file_that_does_not_parse_is_named_and_its_test_stays_a_candidate(unknot: Unknot, write: Write) -> None:
    """pytest never gets there; reading the code does."""
    late = """
        import os

        def test_late(users):
            if os.environ.get("LATE"):
                from broken import Page
                Page().open()
        """
    write({**WEB, "broken.py": "def (:\n", "test_late.py": late})

    output = answer(unknot("candidates", "--format", "json", "-q"))

    assert any("broken.py" in note for note in output["notes"])
    (last,) = (position for position, test in enumerate(output["order"]) if "test_late" in test)
    assert len([edge for edge in output["edges"] if last in edge[:2]]) == len(output["order"]) - 1


PLAYWRIGHT = """
    import { test, expect } from "@playwright/test";
    import { UserPage } from "./pages";

    test("add user", async ({ page }) => {
      await new UserPage(page).add("bob");
    });

    test("search user", async ({ page }) => {
      await page.getByLabel("Name").fill("bob");
      await expect(page.getByText("user bob")).toBeVisible();
    });

    test("open help", async ({ page }) => {
      await page.goto("/help");
    });
    """
PAGES = """
    export class UserPage {
      constructor(page) { this.page = page; }
      async add(name) { await this.page.getByLabel("Name").fill(name); }
    }
    """


def test_a_suite_in_another_language_is_read_when_a_command_runs_it(
    unknot: Unknot, write: Write, project: Path
) -> None:
    write({"tests/users.spec.ts": PLAYWRIGHT, "tests/pages.ts": PAGES, "logo.js": "</a>\n" * 100})
    (project / "unknot.toml").write_text(
        '[command]\nlist = "cat list.txt"\nrun = "true {test}"\nresults = "exit-status"\n', encoding="utf-8"
    )
    names = ("add user", "search user", "open help")
    (project / "list.txt").write_text("".join(f"tests/users.spec.ts › {name}\n" for name in names), encoding="utf-8")

    output = answer(unknot("candidates", "--format", "json", "-q"))

    assert output["edges"] == [[1, 0, ["bob"]]]
    assert "tests/users.spec.ts:6" in output["reasons"][0][0]


def test_a_full_disk_is_reported(project: Path, data: Callable[[object], Path]) -> None:
    data(SUITE)
    command = [sys.executable, "-m", "unknot", "candidates", "--data", "suite.json"]

    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, cwd=project, stdout=full, stderr=subprocess.PIPE, text=True)

    assert done.returncode == 13
    assert "no space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_suite_of_thousands_is_not_listed_pair_by_pair(unknot: Unknot, data: Callable[[object], Path]) -> None:
    data({"order": [f"t{number}" for number in range(2_500)]})

    for words in ("original", "strings"):
        done = unknot("candidates", "--data", "suite.json", "--hints", words)

        assert done.returncode == 4
        assert "candidate pairs; at most" in done.stderr


def test_values_that_nearly_all_tests_use_are_pointed_out(unknot: Unknot, data: Callable[[object], Path]) -> None:
    names = [f"t{number}" for number in range(6)]
    tests = [{"name": name, "inputs": [f"own{name}"] if name == "t5" else ["admin"]} for name in names]
    data({"order": names, "tests": tests})

    output = answer(unknot("candidates", "--data", "suite.json", "--format", "json"))
    without = answer(unknot("candidates", "--data", "suite.json", "--format", "json", "--free-values", "admin"))

    assert [note for note in output["notes"] if "`admin` (10 pairs)" in note and "--review" in note]
    assert without["notes"] == []
