"""An instance from its beginning to its end: state, ports, directories, processes."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPException
from pathlib import Path

import pytest

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.sut.instance import Instance
from unknot.runners.sut.parts import can_fork

Open = Callable[..., Instance]
Marked = Callable[[], list[int]]


def get(instance: Instance, path: str) -> str:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"http://127.0.0.1:{instance.variables['UNKNOT_PORT_0']}{path}", timeout=20) as answer:
        return str(answer.read().decode())


RESETS: list[object] = ["restart", {"kind": "directory"}, {"kind": "directory", "live": True}]


@pytest.mark.parametrize("reset", RESETS, ids=["restart", "directory", "live"])
def test_every_reset_brings_back_the_clean_state(opened: Open, server: dict[str, object], reset: object) -> None:
    instance = opened(**server, prepare="sh -c 'echo prepared > $UNKNOT_DIR/note'", reset=reset)
    instance.begin()
    directory = Path(instance.variables["UNKNOT_DIR"])
    assert get(instance, "/") == "new "
    for _ in range(2):
        assert get(instance, "/add/dirt") == "new dirt"
        (directory / "note").unlink()
        (directory / "more").mkdir()
        instance.reset()
        assert get(instance, "/") == "new "
        assert sorted(os.listdir(directory)) == ["note", "state"]
        assert instance.is_alive()


@pytest.mark.parametrize("reset", RESETS, ids=["restart", "directory", "live"])
@pytest.mark.parametrize("death", ["by itself", "killed"])
def test_a_system_that_died_is_there_again_after_a_reset(
    opened: Open, server: dict[str, object], marked: Marked, reset: object, death: str
) -> None:
    instance = opened(**server, reset=reset)
    instance.begin()
    get(instance, "/add/dirt")
    if death == "killed":
        for pid in marked():
            os.kill(pid, signal.SIGKILL)
    else:
        with pytest.raises((OSError, HTTPException), match=r"closed connection|reset|response"):
            get(instance, "/die")
    assert not instance.is_alive()
    instance.reset()
    assert instance.is_alive()
    assert get(instance, "/") == "new "


def test_a_system_that_dies_of_its_reset_is_started_from_scratch(opened: Open, server: dict[str, object]) -> None:
    instance = opened(**server, reset={"kind": "http", "url": "http://127.0.0.1:{port0}/die"})
    instance.begin()
    get(instance, "/add/dirt")
    instance.reset()
    assert instance.is_alive()
    assert get(instance, "/") == "new "


def test_a_reset_that_fails_on_a_system_that_lives_is_an_error(opened: Open, server: dict[str, object]) -> None:
    instance = opened(**server, reset={"kind": "command", "run": "false"})
    instance.begin()
    with pytest.raises(RunnerError, match="the reset command"):
        instance.reset()


def test_renewing_throws_everything_away(opened: Open, server: dict[str, object], marked: Marked) -> None:
    instance = opened(**server, reset={"kind": "command", "run": "true"})
    instance.begin()
    before = marked()
    get(instance, "/add/dirt")
    instance.reset()
    assert get(instance, "/") == "new dirt", "this reset does nothing, which is what makes the test one"
    instance.renew()
    assert get(instance, "/") == "new "
    assert not set(before) & set(marked())


def test_tests_know_where_the_system_is(opened: Open, server: dict[str, object], sandbox: Sandbox) -> None:
    instance = opened(**{**server, "ports": 2})
    instance.begin()
    found = instance.variables
    assert set(found) == {"UNKNOT_DIR", "UNKNOT_WORKER", "UNKNOT_PORT_0", "UNKNOT_PORT_1"}
    assert found["UNKNOT_WORKER"] == "7"
    assert Path(found["UNKNOT_DIR"]).is_relative_to(sandbox.home)
    assert dict(instance.placeholders) == {
        "dir": found["UNKNOT_DIR"],
        "worker": "7",
        "port0": found["UNKNOT_PORT_0"],
        "port1": found["UNKNOT_PORT_1"],
    }


def test_what_the_instance_starts_has_its_own_surroundings(
    opened: Open, sandbox: Sandbox, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", "/the/one/of/tests")
    text = "import os; print(dict(os.environ), os.getcwd(), file=open(os.environ['UNKNOT_DIR'] + '/seen', 'w'))"
    instance = opened(
        prepare=[sys.executable, "-c", text], ports=1, env={"ADDRESS": "at {port0}", "PLACE": "{dir}/x", "B": "{{dir}}"}
    )
    instance.begin()
    found = instance.variables
    seen = Path(found["UNKNOT_DIR"], "seen").read_text(encoding="utf-8")
    for name, value in {
        **found,
        **sandbox.mark,
        "ADDRESS": f"at {found['UNKNOT_PORT_0']}",
        "PLACE": f"{found['UNKNOT_DIR']}/x",
        "B": "{dir}",
        "TMPDIR": str(sandbox.home / "instance" / "tmp"),
    }.items():
        assert f"{name!r}: {value!r}" in seen
    assert str(work) in seen


def test_no_shell_looks_at_words(opened: Open, work: Path) -> None:
    instance = opened(prepare=["touch", "{dir}/$(touch oops); a b"])
    instance.begin()
    assert os.listdir(instance.variables["UNKNOT_DIR"]) == ["$(touch oops); a b"]
    assert not (work / "oops").exists()


def test_stopping_gives_everything_back(
    opened: Open, server: dict[str, object], sandbox: Sandbox, marked: Marked
) -> None:
    instance = opened(**server)
    instance.stop()
    instance.begin()
    port = int(instance.variables["UNKNOT_PORT_0"])
    assert marked()
    instance.stop()
    instance.stop()
    assert marked() == []
    assert not instance.is_alive()
    assert sorted(os.listdir(sandbox.home / "instance")) == ["log"]
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
    with pytest.raises(RunnerError, match="not there"):
        instance.reset()


def test_an_instance_can_be_begun_again_after_its_end(opened: Open, server: dict[str, object]) -> None:
    instance = opened(**server)
    for _ in range(2):
        instance.begin()
        get(instance, "/add/dirt")
        instance.stop()
    instance.begin()
    assert get(instance, "/") == "new "


def test_files_alone_are_an_instance_too(opened: Open) -> None:
    instance = opened(prepare="sh -c 'echo 1 > $UNKNOT_DIR/a'", reset="directory")
    instance.begin()
    directory = Path(instance.variables["UNKNOT_DIR"])
    assert can_fork(instance._spec)
    (directory / "a").write_text("2\n")
    instance.keep("second")
    (directory / "b").touch()
    instance.reset()
    assert (directory / "a").read_text() == "1\n"
    instance.put_back("second")
    assert (directory / "a").read_text() == "2\n"
    assert os.listdir(directory) == ["a"]
    instance.forget("second")
    assert instance.is_alive()


def test_a_program_that_must_stop_for_it_cannot_be_forked(opened: Open, server: dict[str, object]) -> None:
    assert not can_fork(opened(**server, reset="directory")._spec)
    assert not can_fork(opened(**server, reset="restart")._spec)
    assert can_fork(opened(**server, reset={"kind": "directory", "live": True})._spec)


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit])
def test_interrupted_half_way_nothing_is_left(
    opened: Open,
    server: dict[str, object],
    marked: Marked,
    monkeypatch: pytest.MonkeyPatch,
    interruption: type[BaseException],
) -> None:
    def interrupt(*_: object, **__: object) -> bool:
        until = time.monotonic() + 5
        while not marked():  # a process that is just being replaced by another program shows no environment
            assert time.monotonic() < until, "the program runs when the interruption comes"
        raise interruption

    monkeypatch.setattr("unknot.runners.sut.parts.wait_until", interrupt)
    with pytest.raises(interruption):
        opened(**server).begin()
    assert marked() == []


def test_a_preparation_that_fails_is_reported_with_what_it_printed(opened: Open) -> None:
    with pytest.raises(RunnerError, match=r"(?s)prepares the instance, ended with status 3.*no disk today"):
        opened(prepare="sh -c 'echo no disk today; exit 3'").begin()


@pytest.fixture
def tiny_home(sandbox: Sandbox) -> Iterator[Path]:
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(sandbox.home)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
    yield sandbox.home
    subprocess.run(["umount", "--lazy", str(sandbox.home)], check=True)


def test_a_full_disk_is_reported_as_such(tiny_home: Path, opened: Open, server: dict[str, object]) -> None:
    with pytest.raises(RunnerError, match=r"the disk of .*instance/dir is full"):
        opened(**server, prepare="sh -c 'head -c 5000000 /dev/zero > $UNKNOT_DIR/much'").begin()
    assert os.listdir(tiny_home / "instance") == ["log"]
    instance = opened(**server)
    instance.begin()
    assert instance.is_alive()


def test_a_read_only_directory_is_emptied(opened: Open) -> None:
    instance = opened(prepare="sh -c 'mkdir $UNKNOT_DIR/a; touch $UNKNOT_DIR/a/b; chmod 500 $UNKNOT_DIR/a'")
    instance.begin()
    instance.reset()
    assert os.listdir(instance.variables["UNKNOT_DIR"]) == ["a"]
