"""What is written is Python that linters and type checkers accept, whatever the pages say."""

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from web.pages.model_strategies import LARGE
from web.suite.written_drafts import drafted_models

from unknot.model.web.web_model import WebModel
from unknot.web.browser import launch
from unknot.web.pages.writing.stamp import is_as_written
from unknot.web.pages.writing.written import written_pages
from unknot.web.suite.draft import Draft
from unknot.web.suite.writing.fixtures_file import PROGRAMS, FixturesPlan, LoginImport, fixtures_file
from unknot.web.suite.writing.written_suite import suite_files, written_tests

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

Drafted = tuple[WebModel, list[Draft]]


def files(drafted: Drafted) -> dict[str, str]:
    model, drafts = drafted
    plan = written_pages(model).plan
    return suite_files(written_tests(model, plan, drafts).tests, plan, "pages")


@settings(max_examples=25, deadline=None, suppress_health_check=LARGE)
@given(drafted=drafted_models())
def test_text_of_pages_is_in_string_literals_only(drafted: Drafted) -> None:
    for name, text in files(drafted).items():
        assert re.fullmatch(r"test_[a-z0-9_]+\.py", name)
        names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        assert all(map(_NAME.fullmatch, names))
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        assert len([token for token in tokens if token.type == tokenize.COMMENT]) == 2
        assert text.encode("utf-8")
        assert is_as_written(text)


@settings(max_examples=25, deadline=None, suppress_health_check=LARGE)
@given(drafted=drafted_models())
def test_names_are_unique_in_the_suite_and_every_test_checks_something(drafted: Drafted) -> None:
    functions = [
        node
        for text in files(drafted).values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    ]
    names = [each.name for each in functions]
    assert len(names) == len(set(names))
    for each in functions:
        last = ast.unparse(each.body[-1])
        assert last.startswith(("assert ", "expect("))


@settings(max_examples=15, deadline=None, suppress_health_check=LARGE)
@given(drafted=drafted_models())
def test_the_same_drafts_give_the_same_files(drafted: Drafted) -> None:
    assert files(drafted) == files(drafted)


def written(directory: Path, count: int) -> list[Path]:
    """Suites of so many models, each in a directory of its own."""
    suites: list[Path] = []

    @settings(max_examples=count, deadline=None, phases=[Phase.generate], suppress_health_check=LARGE)
    @given(drafted=drafted_models())
    def write(drafted: Drafted) -> None:
        suites.append(directory / f"suite{len(suites)}")
        save(suites[-1], drafted)

    write()
    return suites


def test_linters_and_formatters_have_nothing_to_change(tmp_path: Path) -> None:
    check_style(tmp_path, [each.name for each in written(tmp_path, 16)])


@pytest.mark.slow
def test_type_checkers_have_nothing_to_say(tmp_path: Path) -> None:
    for suite in written(tmp_path, 5):
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--config-file=", "generated"],
            cwd=suite, capture_output=True, text=True, check=False, env={"PATH": "", "MYPYPATH": "."},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("address", ["http://127.0.0.1:{port0}/", "http://localhost:8000/app?x=\"'", "{port1}/{port0}"])
@pytest.mark.parametrize("login", [None, LoginImport("login", "log_in"), LoginImport("a.login", "log_in", 2)])
@pytest.mark.parametrize("also", [(), ("http://127.0.0.1:9000",)])
def test_the_fixtures_are_what_linters_and_formatters_leave(
    address: str, login: LoginImport | None, also: tuple[str, ...], tmp_path: Path
) -> None:
    for name in ("pages/home_page.py", "a/login.py", "login.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "conftest.py").write_text(
        fixtures_file(FixturesPlan(address, "HomePage", "pages.home_page", login, also))
    )
    check_style(tmp_path, ["."])


def test_the_fixtures_find_the_browsers_that_a_crawl_finds() -> None:
    assert launch._PROGRAMS == PROGRAMS


def save(directory: Path, drafted: Drafted) -> None:
    pages = written_pages(drafted[0])
    texts = {f"generated/{name}": text for name, text in files(drafted).items()}
    texts |= {f"pages/{name}": text for name, text in {**pages.own, **pages.generated}.items()}
    for path, text in {"generated/__init__.py": "", **texts}.items():
        file = directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def check_style(directory: Path, sources: list[str]) -> None:
    rules = ("--select", "E4,E7,E9,F,I,UP,B,SIM,RET,C4,PT,PERF", "--config", f"src={json.dumps(sources)}")
    for words in (("check", *rules), ("format", "--check")):
        command = [sys.executable, "-m", "ruff", words[0], "--isolated", "--no-cache", *words[1:], "."]
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
