"""`unknot generate`, as a user meets it before a browser is started."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from web_models import MODEL

from unknot.model.web.web_model import WebModel
from unknot.store.web_model_file import write_web_model

Unknot = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("words", "slug", "code"),
    [
        ([], "web-model-missing", 13),
        (["--model", "empty.json"], "pages-empty-model", 4),
        (["--out", "my-tests"], "generate-directory", 4),
        (["--model", "unknot.json"], "crawl-address", 4),
        (["--model", "unknot.json", "--login", "login.py"], "generate-directory", 4),
        (["--model", "unknot.json", "--login", "login.py::log_in", "http://127.0.0.1:1/"], "crawl-login", 4),
        (["--minutes", "0"], "command-line", 4),
        (["--algorithm", "magic"], "command-line", 4),
    ],
)
def test_what_cannot_be_done_is_named(words: list[str], slug: str, code: int, project: Path, unknot: Unknot) -> None:
    write_web_model(project / "empty.json", WebModel("", ()))
    write_web_model(project / "unknot.json", MODEL)
    done = unknot("generate", *words)
    assert f"error[{slug}]" in done.stderr
    assert done.returncode == code
    assert not (project / "tests" / "generated").exists()


def test_a_generated_file_that_was_changed_stops_it_at_once(project: Path, unknot: Unknot) -> None:
    generated = project / "tests" / "generated"
    generated.mkdir(parents=True)
    (generated / "test_books.py").write_text("# Written by `unknot generate`: …\n# Digest: 0\nx = 1\n")
    done = unknot("generate")
    assert done.returncode == 4
    assert "error[generate-changed]: " in done.stderr
