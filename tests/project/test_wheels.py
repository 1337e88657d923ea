"""What `make wheels` builds works where there is no compiler, with all that the source distribution should have."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow

_SUITE = """
state = []

def test_sets(): state.append(1)
def test_needs(): assert state
"""


def _run(*words: object, **more: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        list(map(str, words)), env={**os.environ, **more}, capture_output=True, text=True, timeout=600, check=False
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source distribution and the wheel for this Python."""
    for module in ("build", "twine", *(["auditwheel"] if sys.platform == "linux" else [])):
        pytest.importorskip(module, reason="`make wheels` installs what builds a release")
    into = tmp_path_factory.mktemp("dist")
    done = _run(sys.executable, ROOT / "tools" / "build_wheels.py", "--into", into, sys.executable)
    assert done.returncode == 0, done.stderr[-3000:]
    source, wheel = map(Path, done.stdout.split())
    return source, wheel


def test_the_source_distribution_has_what_is_needed_to_build_and_nothing_else(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    native = {str(path.relative_to(ROOT)) for path in (ROOT / "src/unknot/recorder/native").glob("*.[ch]")}
    assert {"LICENSE", "README.md", "pyproject.toml", "setup.py", *native} <= names
    assert {name.partition("/")[0] for name in names} <= {
        *("LICENSE", "MANIFEST.in", "PKG-INFO", "README.md", "pyproject.toml", "setup.cfg", "setup.py", "src")
    }
    assert not [name for name in names if name.endswith((".so", ".pyc", ".o"))]


def test_a_wheel_records_memory_where_there_is_no_compiler(built: tuple[Path, Path], tmp_path: Path) -> None:
    wheel = built[1]
    if sys.platform == "linux":
        assert "manylinux" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.endswith((".c", ".h"))]
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    programs = tmp_path / "venv" / "bin"
    # Neither `cc` nor anything else of the system can be found.
    alone = {"PATH": str(programs), "CC": "no-such-compiler", "PYTHONPATH": ""}
    done = _run(programs / "python", "-m", "pip", "install", "-q", wheel, **alone)
    assert done.returncode == 0, done.stderr
    project = tmp_path / "project"
    project.mkdir()
    (project / "test_it.py").write_text(_SUITE)
    done = subprocess.run(
        [programs / "unknot", "detect", "-n", "2"],
        cwd=project,
        env={**os.environ, **alone},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "test_sets leaves `test_it.state` = [1] (test_it.py:4)" in " ".join(done.stdout.split())
