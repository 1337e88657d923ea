"""Resets are tried on a real suite against a real server: which are right and which are not."""

import contextlib
import dataclasses
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, TestId
from unknot.runners.command.slot import CommandSlotSpec
from unknot.runners.command.spec import CommandSpec, ResultsSpec
from unknot.runners.dispatch.reset_check import ResetCheck
from unknot.runners.dispatch.reset_measure import Measured, candidates, cheapest, described, measured
from unknot.runners.sandbox.sandbox import OpenSandbox
from unknot.runners.settings import Settings
from unknot.runners.sut.spec import InstanceSpec, ResetSpec
from unknot.runners.workers.slot import Answered, WorkerSlot

pytestmark = pytest.mark.slow

SERVER = """
    import os, socket

    remembered = [0]
    file = os.environ["UNKNOT_DIR"] + "/count"

    def kept(add):
        with open(file, "a+") as open_file:
            open_file.write("x" * add)
            open_file.seek(0)
            return len(open_file.read())

    server = socket.create_server(("127.0.0.1", int(os.environ["UNKNOT_PORT_0"])))
    while True:
        connection = server.accept()[0]
        with connection:
            path = connection.recv(4096).decode().partition(" ")[2].partition(" ")[0]
            if path == "/reset":
                open(file, "w").close()
            if path == "/memory":
                remembered[0] += 1
            answer = kept(path == "/file") if path != "/memory" else remembered[0]
            connection.sendall(b"HTTP/1.0 200 OK\\r\\n\\r\\n%d" % answer)
"""

CLIENT = """
    import os, socket, sys
    with socket.create_connection(("127.0.0.1", int(os.environ["UNKNOT_PORT_0"]))) as connection:
        connection.sendall(f"GET /{sys.argv[1]} HTTP/1.0\\r\\n\\r\\n".encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    sys.exit(answer.rpartition(b"\\n")[2] != b"1")
"""
"""A test passes if it is the first to touch that count."""

ORDER = (TestId("file"), TestId("memory"))


@pytest.fixture
def open_slot(tmp_path: Path) -> Iterator[Callable[[ResetSpec], WorkerSlot]]:
    project = tmp_path / "project"
    project.mkdir()
    (project / "server.py").write_text(textwrap.dedent(SERVER))
    (project / "client.py").write_text(textwrap.dedent(CLIENT))
    python = (sys.executable, "-I", "-S")
    command = CommandSpec((*python, "client.py", "{test}"), ResultsSpec("exit-status"), tests=ORDER)
    instance = InstanceSpec((*python, "server.py"), ready=("port",), ports=1)
    with contextlib.ExitStack() as sandboxes:

        def opened(reset: ResetSpec) -> WorkerSlot:
            sandbox = OpenSandbox()
            sandboxes.callback(sandbox.close)
            spec = CommandSlotSpec(command, dataclasses.replace(instance, reset=reset), Settings(project))
            return spec.open(sandbox.sandbox)

        yield opened


def test_wrong_resets_are_distinguished_from_right_ones(open_slot: Callable[[ResetSpec], WorkerSlot]) -> None:
    resets = [
        ResetSpec("http", (("url", "http://127.0.0.1:{port0}/reset"),)),
        ResetSpec("restart"),
        ResetSpec("directory"),
        ResetSpec("directory", (("path", "/etc"),)),
    ]
    found = list(measured(open_slot, ORDER, resets, rounds=2))
    leaks = [[leak.test for leak in each.check.leaks] if each.check else None for each in found]
    assert leaks == [["memory"], [], [], None]
    assert [each.is_right for each in found] == [False, True, True, False]
    assert "which is not below the instance's own directory" in found[-1].problem
    best = cheapest(found)
    assert best in found[1:3]
    assert all(each.new_seconds > 0 and each.reset_seconds > 0 for each in found[:-1])


class AddsUp:
    """A slot whose reset leaves a little each time, which shows in the fourth run."""

    def __init__(self) -> None:
        self._runs = 0
        self.is_closed = False

    def answer(self, orders: list[Order], *, shares: bool) -> Iterator[Answered]:  # noqa: ARG002
        self._runs += 1
        yield Answered((Result(Outcome.PASSED if self._runs < 4 else Outcome.FAILED),), 1, 0.0)

    def renew(self) -> None:
        self._runs = 0

    def close(self) -> None:
        self.is_closed = True


def test_what_adds_up_is_noticed() -> None:
    slot = AddsUp()
    (found,) = measured(lambda _: slot, (TestId("t"),), [ResetSpec()])  # type: ignore[arg-type, return-value]
    assert found.check is not None
    assert [leak.test for leak in found.check.leaks] == ["t"]
    assert slot.is_closed


def test_what_could_be_tried() -> None:
    kinds = [
        candidates(InstanceSpec(("serve", "--data={dir}"), reset=ResetSpec("sqlite", (("file", "{dir}/a"),)))),
        candidates(InstanceSpec(("serve", "--data={dir}"))),
        candidates(InstanceSpec(("serve",))),
        candidates(InstanceSpec(prepare=("make", "-C", "{dir}"), reset=ResetSpec("directory"))),
    ]
    assert [[described(reset) for reset in each] for each in kinds] == [
        ['{ kind = "sqlite", file = "{dir}/a" }', '"restart"', '"directory"'],
        ['"restart"', '"directory"', '{ kind = "directory", live = true }'],
        ['"restart"'],
        ['"directory"', '"restart"'],
    ]


def test_a_reset_is_described_as_it_would_be_written() -> None:
    reset = ResetSpec("command", (("run", ("a", 'b "c"')),))
    assert described(reset) == '{ kind = "command", run = ["a", "b \\"c\\""] }'


def test_the_cheapest_is_the_quickest_right_one_unless_the_first_is_about_as_quick() -> None:
    good = ResetCheck((), (), ())
    slow = Measured(ResetSpec("restart"), 1.0, 1.0, good)
    wrong = Measured(ResetSpec("http"), 1.0, 0.01, None, "no answer")
    quick = Measured(ResetSpec("sqlite"), 1.0, 0.5, good)
    as_quick = Measured(ResetSpec("directory"), 1.0, 0.47, good)
    assert cheapest([slow, wrong, quick, as_quick]) is quick
    assert cheapest([wrong]) is None
