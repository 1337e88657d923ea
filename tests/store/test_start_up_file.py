"""What runs cost besides their tests, on disk."""

from pathlib import Path

from unknot.model.start_up import USUAL_REST, StartUp
from unknot.store.start_up import read_start_up, update_start_up


def test_nothing_is_known_before_something_was_measured(tmp_path: Path) -> None:
    file = tmp_path / "start-up.json"
    update_start_up(file, collecting=0.0)
    assert read_start_up(file) is None


def test_one_slow_run_does_not_outweigh_the_others(tmp_path: Path) -> None:
    file = tmp_path / "start-up.json"
    update_start_up(file, collecting=1.0, rest=0.4)
    update_start_up(file, collecting=3.0, rest=0.8)
    found = read_start_up(file)
    assert found is not None
    assert (found.collecting, round(found.rest, 3)) == (2.0, 0.6)


def test_a_detection_measures_the_collection_only(tmp_path: Path) -> None:
    file = tmp_path / "start-up.json"
    update_start_up(file, collecting=1.0)
    assert read_start_up(file) == StartUp(1.0, USUAL_REST)


def test_a_damaged_file_counts_as_none(tmp_path: Path) -> None:
    file = tmp_path / "start-up.json"
    file.write_text("{")
    assert read_start_up(file) is None
    update_start_up(file, collecting=1.0, rest=0.5)
    assert read_start_up(file) == StartUp(1.0, 0.5)
