"""A project with the planted suite, and what must be true of it after every test."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from planted_project import SUITE, Project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    directory = tmp_path / "project"
    directory.mkdir()
    # Short, because sockets and the like may be made below it.
    with tempfile.TemporaryDirectory(prefix="faults-") as temporary:
        made = Project(directory, Path(temporary))
        made.write("suite.sh", SUITE)
        yield made
        made.check_nothing_left()
