"""`unknot pages`, as a user meets it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("name", ["text", "json", "dot", "mermaid", "graphml"])
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
