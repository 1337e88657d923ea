"""What commands write over the user's directories is theirs alone, and taken away between orders."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from process_life import wait_until

from unknot.runners.sandbox.overlays import Overlays, shared_places

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mount namespaces")

MEDDLING = {
    "creates": "open('new', 'w').write('x'); os.makedirs('a/b')",
    "changes": "open('file', 'w').write('changed')",
    "appends": "open('kept/deep/file', 'a').write('more')",
    "removes": "os.remove('file')",
    "removes a tree": "shutil.rmtree('kept')",
    "replaces a tree": "shutil.rmtree('kept'); os.mkdir('kept')",
    "makes a file of a directory": "shutil.rmtree('kept'); open('kept', 'w').close()",
    "moves": "os.rename('file', 'moved')",
    "protects": "os.chmod('kept', 0o500)",
    "protects the top": "os.chmod('.', 0o700)",
    "links": "os.symlink('nowhere', 'link2'); os.remove('link')",
    "lets another do it": "os.system('echo x > file; rm -r kept')",
}


@pytest.fixture(autouse=True)
def nothing_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNKNOT_SHARED")


@pytest.fixture
def top(tmp_path: Path) -> Path:
    directory = tmp_path / "top"
    (directory / "kept" / "deep").mkdir(parents=True)
    (directory / "file").write_text("as it was")
    (directory / "kept" / "deep" / "file").write_text("deep")
    (directory / "link").symlink_to("file")
    return directory


@pytest.fixture
def overlays(top: Path, tmp_path: Path) -> Iterator[Overlays]:
    found = Overlays(tmp_path / "store", [str(top)], [])
    found.words(["true"], top)
    if found.problem:
        pytest.skip(f"no namespaces here: {found.problem}")
    yield found
    found.close()


def run(overlays: Overlays, top: Path, source: str) -> str:
    words = overlays.words([sys.executable, "-c", f"import os, shutil, socket\n{source}"], top)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


SHOWN = """
for directory, inner, files in os.walk('.'):
    inner.sort()
    for name in sorted([*inner, *files]):
        path = os.path.join(directory, name)
        text = os.readlink(path) if os.path.islink(path) else open(path).read() if os.path.isfile(path) else ''
        print(path, oct(os.lstat(path).st_mode), text)
print(oct(os.stat('.').st_mode))
"""


def shown(top: Path) -> str:
    words = [sys.executable, "-c", f"import os\n{SHOWN}"]
    return subprocess.run(words, cwd=top, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("source", MEDDLING.values(), ids=MEDDLING)
def test_writes_are_seen_inside_only_and_until_the_reset(overlays: Overlays, top: Path, source: str) -> None:
    before = shown(top)
    assert run(overlays, top, SHOWN) == before
    assert not overlays.is_changed()
    run(overlays, top, source)
    assert overlays.is_changed()
    assert run(overlays, top, SHOWN) != before
    assert shown(top) == before
    overlays.reset()
    assert not overlays.is_changed()
    assert run(overlays, top, SHOWN) == before


def test_what_is_accepted_is_the_clean_state_until_it_starts_over(overlays: Overlays, top: Path) -> None:
    before = shown(top)
    run(overlays, top, "open('new', 'w').write('x'); shutil.rmtree('kept'); os.mkdir('kept')")
    overlays.accept()
    accepted = run(overlays, top, SHOWN)
    assert accepted != before
    run(overlays, top, "os.remove('new'); open('kept/more', 'w').close()")
    overlays.reset()
    assert run(overlays, top, SHOWN) == accepted
    overlays.start_over()
    assert run(overlays, top, SHOWN) == before
    assert shown(top) == before


def test_byte_code_is_no_change(overlays: Overlays, top: Path) -> None:
    run(overlays, top, "os.mkdir('kept/__pycache__'); open('kept/__pycache__/x.pyc', 'w').close()")
    assert not overlays.is_changed()


def test_some_paths_are_passed_through(top: Path, tmp_path: Path, overlays: Overlays) -> None:
    overlays.close()
    through = Overlays(tmp_path / "store2", [str(top)], [top / "kept"])
    try:
        run(through, top, "open('kept/new', 'w').write('x'); open('new', 'w').close()")
        assert (top / "kept" / "new").read_text() == "x"
        assert not (top / "new").exists()
        assert through.keeps(str(top / "new"))
        assert not through.keeps(str(top / "kept" / "new"))
    finally:
        through.close()


def test_sockets_of_the_user_can_be_reached(top: Path, tmp_path: Path, overlays: Overlays) -> None:
    overlays.close()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(top / "socket"))
        server.listen()
        again = Overlays(tmp_path / "store2", [str(top)], [])
        try:
            for _ in range(2):
                run(again, top, f"socket.socket(socket.AF_UNIX).connect({str(top / 'socket')!r}); open('x', 'w')")
                again.reset()
        finally:
            again.close()


def test_a_namespace_whose_process_was_killed_is_made_again(overlays: Overlays, top: Path) -> None:
    before = overlays.pid
    run(overlays, top, "open('new', 'w').close()")
    os.kill(before, signal.SIGKILL)
    overlays.reset()
    assert run(overlays, top, "print(os.path.exists('new'))") == "False"
    assert overlays.pid != before


def test_the_process_ends_with_the_one_that_started_it(top: Path, tmp_path: Path, overlays: Overlays) -> None:
    source = (
        "import os; from pathlib import Path; from unknot.runners.sandbox.overlays import Overlays;"
        f"overlays = Overlays(Path({str(tmp_path / 'store2')!r}), [{str(top)!r}], []);"
        f"overlays.words(['true'], Path({str(top)!r})); print(overlays.pid, flush=True); os._exit(1)"
    )
    overlays.close()
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    wait_until(lambda: not os.path.exists(f"/proc/{int(done.stdout)}"))


def test_without_namespaces_commands_run_as_they_are(
    top: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNKNOT_NO_NAMESPACES", "1")
    found = Overlays(tmp_path / "store", [str(top)], [])
    assert found.words(["true"], top) == ["true"]
    assert found.problem
    assert not found.covers
    assert not found.is_changed()
    found.reset()
    found.close()


def test_no_place_lies_below_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    project = tmp_path / "project"
    project.mkdir()
    found = shared_places(project, is_copied=True)
    assert os.path.realpath("/tmp") in found or any(str(tmp_path).startswith(place) for place in found)
    assert not any(one != other and one.startswith(other + os.sep) for one in found for other in found)
    monkeypatch.setenv("UNKNOT_SHARED", "/tmp")
    assert "/tmp" not in shared_places(project, is_copied=True)
