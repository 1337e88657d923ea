"""`unknot pages`, as a user meets it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from web_models import MODEL

from unknot.store.web_model_file import write_web_model

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

PAGES = {
    "pages/home.py": """
        class Home:
            def __init__(self, page):
                self.page = page

            def log_in(self, name: str) -> "Home":
                raise SystemExit("page objects are read, never run")
    """
}


@pytest.mark.parametrize("name", ["text", "json", "html", "dot", "mermaid", "graphml"])
def test_the_graph_is_written_in_each_format(name: str, write: Write, project: Path, unknot: Unknot) -> None:
    write(PAGES)
    done = unknot("pages", "--graph", "pages", "--format", name)
    assert done.returncode == 0, done.stderr
    assert "log_in" in done.stdout
    if name == "json":
        assert json.loads(done.stdout)["start"] == "Home"


def test_a_directory_that_does_not_exist_is_named(unknot: Unknot) -> None:
    done = unknot("pages", "--graph", "nowhere")
    assert done.returncode == 4
    assert "error[pages-none]: nowhere does not exist" in done.stderr


def test_a_file_that_is_not_text_is_named(project: Path, unknot: Unknot) -> None:
    (project / "page.py").write_bytes(b"\xff\xfe")
    done = unknot("pages", "--graph", "page.py")
    assert done.returncode == 4
    assert "page.py is not UTF-8" in done.stderr


def test_the_graph_of_a_crawl_is_shown_as_well(project: Path, unknot: Unknot) -> None:
    write_web_model(project / "unknot.web.json", MODEL)
    done = unknot("pages", "--graph", "unknot.web.json", "--start", "/bills", "--format", "json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["start"], document["pages"]) == ("/bills", ["/", "/bills", "/bills/new"])
    page = unknot("pages", "--graph", "unknot.web.json", "--format", "html")
    assert "refused: Choose a payer." in page.stdout
    wrong = unknot("pages", "--graph", "unknot.web.json", "--start", "/nowhere")
    assert wrong.returncode == 4
    assert "error[pages-no-start]: unknot.web.json has no page /nowhere" in wrong.stderr


def test_a_damaged_model_is_refused_with_the_place(project: Path, unknot: Unknot) -> None:
    write_web_model(project / "unknot.web.json", MODEL)
    text = (project / "unknot.web.json").read_text()
    (project / "unknot.web.json").write_text(text.replace('"kind": "/bills/new"', '"kind": "/bills"'))
    done = unknot("pages", "--graph", "unknot.web.json")
    assert done.returncode == 13
    assert (
        "error[web-model-damaged]: unknot.web.json: pages[2].kind: '/bills' stands at pages[1] already" in done.stderr
    )
    missing = unknot("pages", "--graph", "gone.json")
    assert "error[web-model-missing]: gone.json" in missing.stderr
