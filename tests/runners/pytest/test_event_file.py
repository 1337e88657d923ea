"""What a recorder writes survives tests that do anything to open files, and what they wrote instead is left out."""

import json
import os
from pathlib import Path

import pytest

from unknot.recorder.events import read_events
from unknot.runners.pytest.inside.event_file import EventFile


def test_lines_survive_the_closing_of_their_descriptor(tmp_path: Path) -> None:
    path = tmp_path / "events"
    file = EventFile(str(path))
    file.write("one\n")
    file.flush()
    for number in map(int, os.listdir("/proc/self/fd")):
        if os.path.exists(f"/proc/self/fd/{number}") and os.path.realpath(f"/proc/self/fd/{number}") == str(path):
            os.close(number)
    file.write("two\n")
    file.close()
    assert path.read_text().split() == ["one", "two"]


def test_a_forked_child_writes_no_lines_of_its_parent(tmp_path: Path) -> None:
    file = EventFile(str(tmp_path / "events"))
    file.write("one\n")
    child = os.fork()
    if child == 0:
        file.close()
        os._exit(0)
    os.waitpid(child, 0)
    file.close()
    assert (tmp_path / "events").read_text().split() == ["one"]


def test_a_full_disk_is_told_and_never_raised(tmp_path: Path) -> None:
    (tmp_path / "full").symlink_to("/dev/full")
    file = EventFile(str(tmp_path / "full"))
    file.write("one\n")
    file.close()
    assert "No space left" in file.problem


def _read(text: str) -> tuple[list[str], list[str]]:
    found = read_events(text.splitlines(keepends=True), str, str)
    return list(found.tests), found.notes


@pytest.mark.parametrize("damage", ["garbage", "[1]", "null", '{"did": "wrote"}', '{"ended": 3}', "\udcff", '{"a'])
def test_lines_that_no_recorder_wrote_are_left_out_and_counted(damage: str) -> None:
    lines = [json.dumps({"begins": "a"}), damage, "", json.dumps({"begins": "b"})]
    tests, notes = _read("\n".join(lines))
    assert tests == ["a", "b"]
    assert notes == ["1 of the recorder's own lines: a test wrote to its file"]


def test_a_whole_recording_has_no_note() -> None:
    assert _read('\n{"begins": "a"}\n\n{"begins": "b"}\n') == (["a", "b"], [])
