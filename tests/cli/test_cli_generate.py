"""`unknot generate`, as a user meets it before anything is written."""

import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
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


@pytest.fixture
def other_application() -> Iterator[str]:
    """Not the one of the model."""
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.browser
def test_without_a_test_no_file_is_changed_and_the_exit_code_says_so(
    other_application: str, project: Path, unknot: Unknot
) -> None:
    write_web_model(project / "unknot.json", MODEL)
    before = sorted(project.iterdir())
    done = unknot("generate", other_application, "--model", "unknot.json", "--minutes", "0.05", "--steps", "3")
    assert done.returncode == 5, done.stdout + done.stderr
    assert "note: no test was written, and no file was changed" in done.stderr
    assert "note: no steps of a crawl are used" in done.stderr
    assert sorted(project.iterdir()) == before
