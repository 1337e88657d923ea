"""Numbers of slots: small, different, and never lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.sandbox import take_number

_HOLDER = """
import sys, time, pathlib
from unknot.runners.sandbox.sandbox import take_number
print(take_number(pathlib.Path(sys.argv[1]))[0], flush=True)
time.sleep(1000)
"""


def test_each_slot_has_the_smallest_free_number(tmp_path: Path) -> None:
    directory = tmp_path / "numbers"
    numbers, locks = zip(*(take_number(directory) for _ in range(3)), strict=True)
    assert numbers == (0, 1, 2)
    os.close(locks[1])
    again, lock = take_number(directory)
    assert again == 1
    for held in (locks[0], lock, locks[2]):
        os.close(held)


def test_a_killed_process_frees_its_number(tmp_path: Path) -> None:
    directory = tmp_path / "numbers"
    holder = subprocess.Popen([sys.executable, "-c", _HOLDER, str(directory)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    with holder:
        assert holder.stdout.readline() == "0\n"
        while_held, lock = take_number(directory)
        holder.kill()
        holder.wait()
    assert while_held == 1
    afterwards, other_lock = take_number(directory)
    assert afterwards == 0
    os.close(lock)
    os.close(other_lock)


def test_a_directory_that_others_can_write_is_refused(tmp_path: Path) -> None:
    directory = tmp_path / "numbers"
    directory.mkdir()
    directory.chmod(0o777)
    with pytest.raises(RunnerError, match="only you can use"):
        take_number(directory)


def test_a_link_to_a_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "numbers").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RunnerError, match="only you can use"):
        take_number(tmp_path / "numbers")
