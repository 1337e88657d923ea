"""What is written is Python that linters and type checkers accept, whatever the pages say."""

import ast
import builtins
import io
import itertools
import keyword
import re
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from web.pages.model_strategies import LARGE, web_models

from unknot.model.web.web_model import WebModel
from unknot.web.pages.writing.code import INDENT, WIDTH, Chain, statement
from unknot.web.pages.writing.literals import docstring
from unknot.web.pages.writing.stamp import Stamp, is_as_written, stamp_of
from unknot.web.pages.writing.written import WrittenPages, written_pages

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")
"""Of models that fail."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PATH = re.compile(r"(_generated/)?[a-z_][a-z0-9_]*\.py")


def files(written: WrittenPages) -> dict[str, str]:
    return {**written.own, **written.generated}


def identifiers(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        for name in ("id", "attr", "arg", "name", "asname", "module"):
            value = getattr(node, name, None)
            if isinstance(value, str):
                found |= set(filter(None, value.split(".")))
    return found


@settings(max_examples=30, deadline=None, suppress_health_check=LARGE)
@given(model=web_models())
def test_text_of_pages_is_in_string_literals_only(model: WebModel) -> None:
    for path, text in files(written_pages(model)).items():
        assert _PATH.fullmatch(path)
        assert all(map(_NAME.fullmatch, identifiers(ast.parse(text))))
        # No comment begins where a string was left by its content.
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
        assert len(comments) <= 7
        assert all(comment.isascii() and comment.isprintable() for comment in comments)
        assert text.encode("utf-8")


@settings(max_examples=30, deadline=None, suppress_health_check=LARGE)
@given(model=web_models())
def test_members_have_names_of_their_own_that_python_does_not_use(model: WebModel) -> None:
    for text in written_pages(model).generated.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and node.name.endswith("Base"):
                methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
                names = [each.name for each in methods]
                assert max(Counter(names).values()) == 1
                assert not set(names) & ({*keyword.kwlist, *dir(builtins)} - {"__init__"})
                for method in methods:
                    parameters = [each.arg for each in (*method.args.args, *method.args.kwonlyargs)]
                    assert not set(parameters[1:]) & {*keyword.kwlist, *dir(builtins)}


def written(directory: Path, count: int) -> None:
    """Page objects of so many models, each in a directory of its own."""
    number = itertools.count()

    @settings(max_examples=count, deadline=None, phases=[Phase.generate], suppress_health_check=LARGE)
    @given(model=web_models())
    def write(model: WebModel) -> None:
        save(directory / f"pages{next(number)}", written_pages(model))

    write()


def test_linters_and_formatters_have_nothing_to_change(tmp_path: Path) -> None:
    written(tmp_path, 24)
    rules = "E4,E7,E9,F,I,UP,B,SIM,RET,C4,PT,PERF"
    ruff("check", "--select", rules, tmp_path)
    ruff("format", "--check", tmp_path)


@settings(max_examples=30, deadline=None, suppress_health_check=LARGE)
@given(model=web_models())
def test_the_same_model_gives_the_same_files_and_old_names_stay(model: WebModel) -> None:
    first = written_pages(model)
    stamps = [stamp for text in first.generated.values() if (stamp := stamp_of(text)) and stamp.made_for]
    known = {each.made_for: each.name for each in stamps}
    assert written_pages(model, known).generated == first.generated
    assert all(map(is_as_written, first.generated.values()))
    renamed = {made_for: f"Our{name}" for made_for, name in known.items()}
    again = written_pages(model, renamed)
    assert {each.name for each in again.plan.classes} >= set(renamed.values())


@pytest.mark.slow
def test_type_checkers_have_nothing_to_say(tmp_path: Path) -> None:
    written(tmp_path, 16)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "."],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def save(directory: Path, written: WrittenPages) -> None:
    for path, text in files(written).items():
        file = directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def ruff(*words: object) -> None:
    command = [sys.executable, "-m", "ruff", words[0], "--isolated", "--no-cache", *words[1:]]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_docstring_is_never_empty() -> None:
    assert docstring(["\r"], 80) == ['"""Without a name."""']


def test_the_comma_after_an_argument_counts() -> None:
    argument = Chain("self.page").call("get_by_role", '"radio"', f"name='{'a' * 25}'", "exact=True")
    assert len(f"{INDENT * 3}{argument}") == WIDTH
    assert statement(Chain("found").call("and_", argument), 2)[1] == f"{INDENT * 3}self.page.get_by_role("


@pytest.mark.parametrize("name", ["", "class", "_1", "É", "a b", "A:"])
def test_a_stamp_that_was_damaged_gives_no_name_to_a_class(name: str) -> None:
    stamp = stamp_of(f'# Digest: 0\n# Class: {name}\n# Made for: "/books"\n')
    assert stamp == Stamp("0", "/books")
