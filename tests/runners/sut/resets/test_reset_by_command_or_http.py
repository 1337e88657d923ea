"""Resets that the user's own code does."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from unknot.model.errors import RunnerError
from unknot.runners.sut.commands import InstanceContext
from unknot.runners.sut.resets.protocol import CLEAN, Reset

Make = Callable[..., Reset]


def test_a_command_runs_in_the_working_directory_with_the_instance_around_it(
    make: Make, placed: InstanceContext
) -> None:
    reset = make("command", run=("sh", "-c", 'echo "$UNKNOT_DIR $1 $2" > said', "sh", "{dir} {worker}", "$(id)"))
    reset.keep(CLEAN)
    reset.put_back(CLEAN)
    directory = placed.directory
    assert (placed.work / "said").read_text() == f"{directory} {directory} 3 $(id)\n"


def test_a_command_in_one_text_is_split_before_placeholders_are_filled(make: Make, placed: InstanceContext) -> None:
    make("command", run="touch 'one file' {dir}/other").put_back(CLEAN)
    assert (placed.work / "one file").exists()
    assert (placed.directory / "other").exists()


def test_what_a_command_leaves_running_lives_on(make: Make, placed: InstanceContext) -> None:
    make("command", run=("sh", "-c", "(while [ ! -e go ]; do sleep 0.01; done; echo lived > gone) & :")).put_back(CLEAN)
    (placed.work / "go").touch()
    for _ in range(500):
        if (placed.work / "gone").exists():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it was killed")


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (("sh", "-c", "echo no such table >&2; exit 7"), "'sh' ended with status 7: no such table"),
        (("sh", "-c", "echo printed; exit 1"), "'sh' ended with status 1: printed"),
        (("sh", "-c", "kill -9 $$"), "'sh' was ended by signal 9"),
        (("no-such-program-anywhere",), "cannot start 'no-such-program-anywhere'"),
        (("echo", "a\0b"), "cannot start 'echo'"),
    ],
)
def test_a_command_that_fails_is_an_error_with_its_story(make: Make, run: tuple[str, ...], said: str) -> None:
    with pytest.raises(RunnerError) as caught:
        make("command", run=run).put_back(CLEAN)
    assert said in caught.value.message


def test_a_command_that_talks_without_end_is_cut(make: Make) -> None:
    with pytest.raises(RunnerError) as caught:
        make("command", run=("sh", "-c", "yes | head -c 3000000; exit 1")).put_back(CLEAN)
    assert len(caught.value.message) < 10_000


class _Application(BaseHTTPRequestHandler):
    """Has a state, a way to put it back, and some ways to get that wrong."""

    def do_POST(self) -> None:
        self.server.seen.append((self.command, self.path))  # type: ignore[attr-defined]
        status = int(self.path.rpartition("/")[2] or 204)
        self.send_response(status)
        if status in (301, 302, 307):
            self.send_header("Location", "/other/200")
        self.send_header("Content-Length", "5" if status != 204 else "0")
        self.end_headers()
        if status != 204:
            self.wfile.write(b"words")

    do_DELETE = do_GET = do_POST

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def application() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Application)
    server.seen = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_call_is_made_by_the_given_method_never_through_a_proxy(
    make: Make, application: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    base = f"http://localhost:{application.server_port}/reset"
    for method in ("", "delete", "GET"):
        make("http", url=f"{base}/204", **({"method": method} if method else {})).put_back(CLEAN)
    seen = application.seen  # type: ignore[attr-defined]
    assert seen == [("POST", "/reset/204"), ("DELETE", "/reset/204"), ("GET", "/reset/204")]


@pytest.mark.parametrize("status", [302, 307, 404, 500])
def test_any_other_status_is_an_error_and_no_redirect_is_followed(
    make: Make, application: ThreadingHTTPServer, status: int
) -> None:
    with pytest.raises(RunnerError, match=f"was answered by {status}: words"):
        make("http", url=f"http://127.0.0.1:{application.server_port}/{status}").put_back(CLEAN)
    assert len(application.seen) == 1  # type: ignore[attr-defined]


def test_no_answer_is_an_error(make: Make, application: ThreadingHTTPServer) -> None:
    port = application.server_port
    application.server_close()
    with pytest.raises(RunnerError, match="gave no answer"):
        make("http", url=f"http://127.0.0.1:{port}/reset").put_back(CLEAN)
