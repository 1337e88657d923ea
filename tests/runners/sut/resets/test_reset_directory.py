"""A directory is put back whole, whatever was done to it."""

import mmap
import os
import resource
import signal
import socket
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.tree import Signature, times_show_writes
from unknot.runners.sut.commands import InstanceContext, Log
from unknot.runners.sut.resets.kinds import make_reset
from unknot.runners.sut.resets.protocol import CLEAN, Reset
from unknot.runners.sut.spec import ResetSpec

Make = Callable[..., Reset]

IN_MEMORY = Path("/dev/shm")
PLACES = [place for place in (Path(tempfile.gettempdir()), IN_MEMORY) if os.access(place, os.W_OK)]
"""A disk, where times are believed, and memory, where they are not."""


def picture(top: Path) -> dict[str, object]:
    """All that is to be the same afterwards, found by other means than the code under test."""
    seen: dict[str, object] = {}
    first_name: dict[int, str] = {}
    for parent, directories, files in os.walk(top):
        for name in sorted([*directories, *files, "."]):
            path = os.path.join(parent, name)
            status = os.lstat(path)
            what: object = None
            if stat.S_ISLNK(status.st_mode):
                seen[os.path.relpath(path, top)] = os.readlink(path)
                continue
            if stat.S_ISREG(status.st_mode):
                what = Path(path).read_bytes(), first_name.setdefault(status.st_ino, path)
            facts = (stat.S_IFMT(status.st_mode), status.st_mode, status.st_uid, status.st_gid, status.st_mtime_ns)
            seen[os.path.relpath(path, top)] = facts, what
    return seen


NAMES = st.sampled_from(["a", "b", "c", "d/e", "d/f", "d/g/h", "ü\n", "-rf"])
DEEDS = st.one_of(
    st.tuples(st.just("write"), NAMES, st.binary(max_size=5)),
    st.tuples(st.just("same size in place"), NAMES, st.just(b"")),
    st.tuples(st.just("replace"), NAMES, st.binary(max_size=5)),
    st.tuples(st.just("remove"), NAMES, st.just(b"")),
    st.tuples(st.just("directory"), NAMES, st.just(b"")),
    st.tuples(st.just("symbolic link"), NAMES, st.sampled_from([b"a", b"nowhere", b"d"])),
    st.tuples(st.just("hard link"), NAMES, st.sampled_from([b"a", b"b", b"d/e"])),
    st.tuples(st.just("permissions"), NAMES, st.sampled_from([b"600", b"444", b"755"])),
    st.tuples(st.just("hole"), NAMES, st.just(b"")),
    st.tuples(st.just("pipe"), NAMES, st.just(b"")),
    st.tuples(st.just("times"), NAMES, st.just(b"")),
    st.tuples(st.just("mapped"), NAMES, st.just(b"")),
)


def do(top: Path, deed: tuple[str, str, bytes]) -> None:
    """What does not apply is left undone."""
    what, name, data = deed
    path = top / name
    if path.is_fifo() and what not in ("remove", "replace"):
        return  # whoever opens it waits
    try:
        if what == "write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        elif what == "same size in place":
            path.write_bytes(bytes(byte ^ 1 for byte in path.read_bytes()))
        elif what == "replace":
            (top / "new").write_bytes(data)
            os.replace(top / "new", path)
        elif what == "remove":
            path.unlink()
        elif what == "directory":
            path.mkdir(parents=True)
        elif what == "symbolic link":
            path.symlink_to(os.fsdecode(data))
        elif what == "hard link":
            os.link(top / os.fsdecode(data), path, follow_symlinks=False)
        elif what == "permissions":
            path.chmod(int(data, 8), follow_symlinks=True)
        elif what == "hole":
            os.truncate(path, 3_000_000)
        elif what == "pipe":
            os.mkfifo(path)
        elif what == "times":
            os.utime(path, ns=(1, 1))
        elif what == "mapped":
            with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
                memory[0] ^= 1
    except (OSError, ValueError):
        pass


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("options", [{}, {"live": "true"}], ids=["stopped", "live"])
@settings(max_examples=60, deadline=None)
@given(
    first=st.lists(DEEDS.filter(lambda deed: deed[0] != "pipe"), max_size=8),
    second=st.lists(DEEDS, max_size=6),
    third=st.lists(DEEDS, max_size=6),
)
def test_every_kept_state_comes_back(
    place: Path, options: dict[str, str], first: list[object], second: list[object], third: list[object]
) -> None:
    with tempfile.TemporaryDirectory(dir=place) as home:
        top, store = Path(home, "dir"), Path(home, "store")
        top.mkdir()
        store.mkdir()
        around = InstanceContext(top, Path("/"), store, Log(store / "log"), {}, {"dir": str(top)})
        reset = make_reset(ResetSpec("directory", tuple(options.items())), around)
        for deed in first:
            do(top, deed)  # type: ignore[arg-type]
        clean = picture(top)
        reset.keep(CLEAN)
        for deed in second:
            do(top, deed)  # type: ignore[arg-type]
        later = {name: seen for name, seen in picture(top).items() if not _is_pipe(seen)}
        reset.keep("later")
        reset.put_back(CLEAN)
        assert picture(top) == clean
        for deed in third:
            do(top, deed)  # type: ignore[arg-type]
        reset.put_back(CLEAN)
        assert picture(top) == clean
        reset.put_back("later")
        found = picture(top)
        assert _without_times(found) == _without_times(later)
        reset.forget("later")
        reset.put_back(CLEAN)
        assert picture(top) == clean


def _is_pipe(seen: object) -> bool:
    return isinstance(seen, tuple) and seen[0][0] == stat.S_IFIFO


def _without_times(seen: dict[str, object]) -> dict[str, object]:
    """A directory in which a pipe stood is reported from one in which none did only by its time."""
    return {name: (what[0][:-1], what[1]) if isinstance(what, tuple) else what for name, what in seen.items()}


@pytest.fixture(params=PLACES, ids=str)
def anywhere(request: pytest.FixtureRequest) -> Iterator[InstanceContext]:
    with tempfile.TemporaryDirectory(dir=request.param) as home:
        for name in ("dir", "store"):
            Path(home, name).mkdir()
        yield InstanceContext(
            Path(home, "dir"), Path("/"), Path(home, "store"), Log(Path(home, "log")), {}, {"dir": f"{home}/dir"}
        )


def test_a_program_that_has_a_file_open_or_mapped_sees_it_put_back(anywhere: InstanceContext) -> None:
    path = anywhere.directory / "data"
    path.write_bytes(b"clean" * 1000)
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        reset = make_reset(ResetSpec("directory", (("live", "true"),)), anywhere)
        reset.keep(CLEAN)
        for round_ in range(3):
            time.sleep(0.05)
            reset.put_back(CLEAN)  # and so well known to be right
            memory[round_ : round_ + 5] = b"dirty"
            assert path.read_bytes() != b"clean" * 1000
            reset.put_back(CLEAN)
            assert memory[:] == b"clean" * 1000


def test_a_file_that_is_changed_right_after_it_was_kept_is_noticed(anywhere: InstanceContext) -> None:
    """Same size, same place, within the same tick of the clock that files' times are taken from."""
    path = anywhere.directory / "data"
    path.touch()
    reset = make_reset(ResetSpec("directory"), anywhere)
    for _ in range(50):
        path.write_text("clean")
        reset.keep(CLEAN)
        path.write_text("dirty")
        reset.put_back(CLEAN)
        assert path.read_text() == "clean"


def test_times_are_trusted_only_when_the_clock_has_ticked_since() -> None:
    now = time.time_ns() | 1
    assert not Signature(1, 1, now, 0).is_settled()
    assert Signature(1, 1, now - 100_000_000, 0).is_settled()
    whole_second = now // 10**9 * 10**9
    assert not Signature(1, 1, whole_second, 0).is_settled(), "a file system may know whole seconds only"
    assert Signature(1, 1, whole_second - 3 * 10**9, 0).is_settled()


def test_times_are_not_trusted_in_memory() -> None:
    assert not times_show_writes(Path("/proc"))
    if os.path.ismount(IN_MEMORY):
        assert not times_show_writes(IN_MEMORY)


def test_a_large_file_with_holes_stays_small(anywhere: InstanceContext) -> None:
    path = anywhere.directory / "map"
    with path.open("wb") as file:
        file.truncate(2**36)
        file.seek(2**35)
        file.write(b"something")
    reset = make_reset(ResetSpec("directory"), anywhere)
    reset.keep(CLEAN)
    with path.open("r+b") as file:
        file.seek(2**34)
        file.write(b"more")
        file.seek(2**35)
        file.write(b"otherwise")
    reset.put_back(CLEAN)
    with path.open("rb") as file:
        file.seek(2**34)
        assert file.read(4) == bytes(4)
        file.seek(2**35)
        assert file.read(9) == b"something"
    used = sum(kept.stat().st_blocks * 512 for kept in anywhere.store.rglob("*") if kept.is_file())
    assert used < 1_000_000


def test_a_socket_that_was_there_is_left_and_a_new_one_removed(
    make: Make, placed: InstanceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(placed.directory)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listening, socket.socket(socket.AF_UNIX) as new:
        listening.bind("old")
        listening.listen()
        reset = make("directory", live="true")
        reset.keep(CLEAN)
        new.bind("new")
        reset.put_back(CLEAN)
        assert os.listdir() == ["old"]
        with socket.socket(socket.AF_UNIX) as calling:
            calling.connect("old")


def test_a_file_with_a_name_elsewhere_is_not_written_through(
    make: Make, placed: InstanceContext, tmp_path: Path
) -> None:
    (placed.directory / "file").write_text("clean")
    reset = make("directory")
    reset.keep(CLEAN)
    (tmp_path / "precious").write_text("mine")
    (placed.directory / "file").unlink()
    os.link(tmp_path / "precious", placed.directory / "file")
    reset.put_back(CLEAN)
    assert (placed.directory / "file").read_text() == "clean"
    assert (tmp_path / "precious").read_text() == "mine"


def test_a_link_in_the_place_of_a_file_is_not_followed(make: Make, placed: InstanceContext, tmp_path: Path) -> None:
    (placed.directory / "sub").mkdir()
    (placed.directory / "sub" / "file").write_text("clean")
    reset = make("directory")
    reset.keep(CLEAN)
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").write_text("mine")
    (placed.directory / "sub" / "file").unlink()
    (placed.directory / "sub").rmdir()
    (placed.directory / "sub").symlink_to(tmp_path / "precious")
    reset.put_back(CLEAN)
    assert (placed.directory / "sub" / "file").read_text() == "clean"
    assert not (placed.directory / "sub").is_symlink()
    assert (tmp_path / "precious" / "file").read_text() == "mine"


def test_a_directory_that_is_gone_comes_back(make: Make, placed: InstanceContext) -> None:
    (placed.directory / "data").mkdir()
    (placed.directory / "data" / "file").write_text("clean")
    reset = make("directory", path="{dir}/data")
    reset.keep(CLEAN)
    (placed.directory / "data" / "file").unlink()
    (placed.directory / "data").rmdir()
    (placed.directory / "other").write_text("not ours")
    reset.put_back(CLEAN)
    assert (placed.directory / "data" / "file").read_text() == "clean"
    assert (placed.directory / "other").read_text() == "not ours"


def test_a_directory_that_does_not_exist_cannot_be_kept(make: Make) -> None:
    with pytest.raises(RunnerError, match=r"cannot keep the state of .*data: .*No such file"):
        make("directory", path="{dir}/data").keep(CLEAN)


def test_hard_links_keep_what_is_replaced(make: Make, placed: InstanceContext) -> None:
    path = placed.directory / "file"
    path.write_text("clean")
    (placed.directory / "gone").write_text("also")
    reset = make("directory", links="true")
    reset.keep(CLEAN)
    (placed.directory / "new").write_text("dirty")
    (placed.directory / "gone").unlink()
    os.replace(placed.directory / "new", path)
    reset.put_back(CLEAN)
    assert {entry.name: entry.read_text() for entry in placed.directory.iterdir()} == {"file": "clean", "gone": "also"}


def test_hard_links_notice_a_file_written_in_place(make: Make, placed: InstanceContext) -> None:
    """Where times cannot be believed they are not used, and then nothing is lost."""
    path = placed.directory / "file"
    path.write_text("clean")
    reset = make("directory", links="true")
    reset.keep(CLEAN)
    path.write_text("dirty")
    if any(kept.stat().st_nlink > 1 for kept in placed.store.rglob("*") if kept.is_file()):
        with pytest.raises(RunnerError, match="file was written to in place"):
            reset.put_back(CLEAN)
    else:
        reset.put_back(CLEAN)
        assert path.read_text() == "clean"


def test_a_full_disk_is_an_error(make: Make, placed: InstanceContext) -> None:
    """Stood in for by a limit on the size of files, which gives the same kind of error."""

    (placed.directory / "file").write_bytes(os.urandom(100_000))
    reset = make("directory")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, before[1]))
    try:
        with pytest.raises(RunnerError, match=r"cannot keep the state of .*File too large"):
            reset.keep(CLEAN)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    reset.keep(CLEAN)
    (placed.directory / "file").write_bytes(b"")
    reset.put_back(CLEAN)
    assert (placed.directory / "file").stat().st_size == 100_000
