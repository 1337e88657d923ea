"""`unknot pages --out`, as a user meets it."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from unknot.model.web.action import Action, FormField
from unknot.model.web.locator import Locator
from unknot.model.web.web_model import Destination, PageAction, WebModel, WebPage
from unknot.store.web_model_file import write_web_model

Unknot = Callable[..., subprocess.CompletedProcess[str]]

MODEL = WebModel(
    "/login",
    (
        WebPage(
            "/login",
            "Log in",
            "/login",
            "/login",
            3,
            ("Log in",),
            (
                PageAction(
                    Action(
                        "/button/Log in",
                        "Log in",
                        "Log in",
                        (Locator("button", "Log in"),),
                        (FormField("Name", (Locator("textbox", "Name"),)),),
                        writes=True,
                    ),
                    3,
                    3,
                    (Destination("/login", 1), Destination("/books", 2)),
                ),
            ),
        ),
        WebPage("/books", "Books", "/books", "/books", 2, ("Books",)),
    ),
)


def test_page_objects_are_written_and_what_is_yours_is_kept(project: Path, unknot: Unknot) -> None:
    write_web_model(project / "unknot.web.json", MODEL)
    first = unknot("pages", "--out", "pages", "--format", "json")
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["made"] == ["__init__.py", "base_page.py", "books_page.py", "login_page.py"]
    assert (
        "def log_in(self, name: str) -> books_page.BooksPage | Self:"
        in (project / "pages/_generated/login_page.py").read_text()
    )
    mine = project / "pages/login_page.py"
    mine.write_text(mine.read_text() + "\n    def fail(self) -> None: ...\n")
    fewer = WebModel("/login", tuple(replace(each, actions=()) for each in MODEL.pages[:1]))
    write_web_model(project / "unknot.web.json", fewer)
    second = json.loads(unknot("pages", "--out", "pages", "--format", "json").stdout)
    assert (second["written"], second["made"]) == (["_generated/login_page.py"], [])
    assert second["gone"] == ["_generated/books_page.py"]
    assert "def fail" in mine.read_text()
    assert (project / "pages/books_page.py").exists()


def test_a_generated_file_that_was_changed_is_not_replaced(project: Path, unknot: Unknot) -> None:
    write_web_model(project / "unknot.web.json", MODEL)
    unknot("pages", "--out", "pages")
    generated = project / "pages/_generated/login_page.py"
    reformatted = generated.read_text().replace('"', "'").replace("'''", '"""')
    # The stamp is a comment.
    generated.write_text(reformatted.replace("'/login'", '"/login"', 1))
    assert unknot("pages", "--out", "pages").returncode == 0
    generated.write_text(generated.read_text().replace("click()", "dblclick()"))
    done = unknot("pages", "--out", "pages")
    assert done.returncode == 4
    assert "error[pages-changed]: pages/_generated/login_page.py was changed by hand" in done.stderr
    assert "dblclick()" in generated.read_text()


def test_an_other_file_in_the_way_is_named_and_nothing_is_written(project: Path, unknot: Unknot) -> None:
    write_web_model(project / "unknot.web.json", MODEL)
    (project / "pages").mkdir()
    (project / "pages/login_page.py").write_text("class Login: ...\n")
    done = unknot("pages", "--out", "pages")
    assert done.returncode == 4
    assert "error[pages-class-missing]: pages/login_page.py has no class LoginPage" in done.stderr
    assert not (project / "pages/_generated").exists()


@pytest.mark.parametrize(
    ("words", "slug", "code"),
    [
        ([], "pages-what", 4),
        (["--out", "pages", "--graph", "pages"], "pages-what", 4),
        (["--out", "pages", "--format", "dot"], "pages-what", 4),
        (["--out", "pages"], "web-model-missing", 13),
        (["--out", "pages", "--model", "empty.json"], "pages-empty-model", 4),
    ],
)
def test_what_cannot_be_written_is_named(words: list[str], slug: str, code: int, project: Path, unknot: Unknot) -> None:
    write_web_model(project / "empty.json", WebModel("", ()))
    done = unknot("pages", *words)
    assert f"error[{slug}]" in done.stderr
    assert done.returncode == code
