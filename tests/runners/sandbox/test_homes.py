"""Private directories of killed processes are removed by the next one, those of living ones are not."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from unknot.runners.sandbox.sandbox import make_home

_MAKES_A_HOME = """
import sys
from unknot.runners.sandbox.sandbox import make_home
print(make_home(), flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def own_parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)


def test_the_home_of_a_killed_process_is_removed_by_the_next() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", _MAKES_A_HOME], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    home = Path(process.stdout.readline().strip())
    (home / "copy").mkdir()
    assert make_home().is_dir()
    assert home.is_dir()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert make_home().is_dir()
    assert not home.exists()


def test_what_is_not_known_to_be_a_home_stays(tmp_path: Path) -> None:
    (tmp_path / "unknot-notes").mkdir()
    (tmp_path / "unknot-damaged").mkdir()
    (tmp_path / "unknot-damaged" / ".owner").write_text("damaged")
    elsewhere = tmp_path / "unknot-elsewhere"
    elsewhere.mkdir()
    (elsewhere / ".owner").write_text(f"pid:[1] {os.getpid()} 1")
    make_home()
    assert {path.name for path in tmp_path.iterdir()} >= {"unknot-notes", "unknot-damaged", "unknot-elsewhere"}
