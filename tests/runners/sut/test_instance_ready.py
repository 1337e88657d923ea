"""What says that a system is up, requested of real servers."""

import http.server
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from unknot.model.errors import RunnerError, UsageError
from unknot.runners.sut.commands import InstanceContext, Log
from unknot.runners.sut.instance import Instance
from unknot.runners.sut.ready import Check, make_check, wait_until

Open = Callable[..., Instance]


class _Statuses(http.server.BaseHTTPRequestHandler):
    """Answers with the status that the path names."""

    requested: list[str]

    def do_GET(self) -> None:
        self.requested.append(self.path)
        self.send_response(int(self.path[1:4]))
        if self.path.startswith("/3"):
            self.send_header("Location", "http://192.0.2.1/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    _Statuses.requested = []
    server = http.server.HTTPServer(("127.0.0.1", 0), _Statuses)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def around(tmp_path: Path) -> InstanceContext:
    return InstanceContext(tmp_path, tmp_path, tmp_path, Log(tmp_path / "log"), os.environ, {})


@pytest.mark.parametrize("status", [200, 204, 302, 404, 500, 503])
def test_a_page_answers(site: str, around: InstanceContext, status: int) -> None:
    assert make_check([f"{site}/{status}"], (), around)(20) is (status < 500)
    assert _Statuses.requested == [f"/{status}"]


def test_no_proxy_is_used(site: str, around: InstanceContext, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"{site}/500")
    monkeypatch.setenv("no_proxy", "")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        assert not make_check([f"http://127.0.0.1:{closed.getsockname()[1]}/200"], (), around)(20)
    assert make_check([f"{site}/200"], (), around)(20)
    assert _Statuses.requested == ["/200"]


def test_what_does_not_speak_http_is_not_ready(around: InstanceContext) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()

        def answer() -> None:
            connection = server.accept()[0]
            connection.recv(100)
            connection.sendall(b"\x00garbage\r\n\r\n")
            connection.close()

        thread = threading.Thread(target=answer)
        thread.start()
        assert not make_check([f"http://127.0.0.1:{server.getsockname()[1]}/"], (), around)(20)
        thread.join()


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "http://192.168.1.1:80/",
        "http://0.0.0.0/",
        "https://127.0.0.1/",
        "http://:80/",
        "http://[1/",
    ],
)
def test_pages_of_others_are_refused(around: InstanceContext, url: str) -> None:
    with pytest.raises(UsageError, match="ready"):
        make_check([url], (), around)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.3.2.1", "[::1]"])
def test_pages_of_this_machine_are_not(around: InstanceContext, host: str) -> None:
    make_check([f"http://{host}:80/x"], (), around)


@pytest.mark.parametrize(("family", "address"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_all_ports_must_accept(around: InstanceContext, family: int, address: str) -> None:
    with socket.socket(family) as one, socket.socket(family) as other:
        for server in (one, other):
            try:
                server.bind((address, 0))
            except OSError as problem:
                pytest.skip(f"this machine has no {address}: {problem}")
        numbers = [server.getsockname()[1] for server in (one, other)]
        check = make_check(["port"], numbers, around)
        assert not check(20)
        one.listen()
        assert not check(20)
        other.listen()
        assert check(20)


def test_a_command_is_run(around: InstanceContext, tmp_path: Path) -> None:
    check = make_check(["test", "-e", "there is; one"], (), around)
    assert not check(20)
    (tmp_path / "there is; one").touch()
    assert check(20)


def test_a_command_that_hangs_is_not_waited_for(around: InstanceContext) -> None:
    assert not make_check(["sleep", "600"], (), around)(0.1)


def test_no_check_is_ready(around: InstanceContext) -> None:
    assert make_check([], (), around)(0)


def test_waiting_checks_until_it_is_so() -> None:
    answers = iter([False, False, False, True])
    assert wait_until(lambda _: next(answers), 20, is_running=lambda: True)
    assert list(answers) == []


def test_an_answer_counts_for_nothing_if_the_program_is_gone() -> None:
    """Another program answers in its place."""
    runs = iter([True, False])
    always: Check = lambda _: True  # noqa: E731
    assert not wait_until(always, 20, is_running=lambda: next(runs))
    assert not wait_until(always, 20, is_running=lambda: False)


def test_waiting_ends() -> None:
    assert not wait_until(lambda _: False, 0.05, is_running=lambda: True)


def test_what_a_check_printed_is_reported(opened: Open) -> None:
    with pytest.raises(RunnerError, match=r"(?s)the check printed:\nno route to the moon") as caught:
        opened(start="sleep 600", ready="sh -c 'echo no route to the moon; exit 1'", ready_seconds=0.3).begin()
    assert caught.value.message.count("no route to the moon;") == 1, "the command itself is named once"
    assert caught.value.message.count("no route to the moon") == 2
