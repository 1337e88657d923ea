"""The disk of the working copies full: an error that says so, no edge, and a journal to go on from."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from planted_project import SUITE, TRUTH, Project
from small_disk import mounted

pytestmark = pytest.mark.slow

FILL = 'dd if=/dev/zero of="$TMPDIR/big" bs=64k count=1000 2>/dev/null'


@pytest.fixture
def small_disk(project: Project) -> Iterator[Path]:
    """Where working copies are from now on."""
    with mounted(project.temporary / "small", "size=8m") as directory:
        project.environment["TMPDIR"] = str(directory)
        yield directory
        assert not list(directory.glob("unknot-*"))


def filling(when: str) -> str:
    """The suite with a test that fills the disk, as long as a file outside says so, and fails if it is full."""
    return SUITE.replace(
        "        fails) return 1 ;;", f"        fails) return 1 ;;\n        plain2) ! {when} || {FILL} ;;"
    )


def check_goes_on(project: Project, switch: Path) -> None:
    switch.unlink()
    done = project.detect()
    assert done.returncode == 1, done.stderr
    assert project.graph == TRUTH


@pytest.mark.parametrize("when", ['test -e "$SWITCH"', '{ test -e "$SWITCH" && test ! -e made; }'])
@pytest.mark.parametrize("kind", ["tap", "one by one"])
def test_a_test_that_fills_the_disk_is_no_edge(
    project: Project, tmp_path: Path, small_disk: Path, when: str, kind: str
) -> None:
    assert small_disk.exists()
    switch = tmp_path / "switch"
    switch.touch()
    project.environment["SWITCH"] = str(switch)
    project.write("suite.sh", filling(when))
    project.configure(kind)
    done = project.detect()
    project.check_clear_error(done)
    assert "is full" in done.stderr
    check_goes_on(project, switch)


def test_a_disk_that_is_full_before_anything_is_run(project: Project, small_disk: Path) -> None:
    switch = small_disk / "stuff"
    project.configure("tap")
    subprocess.run(["dd", "if=/dev/zero", f"of={switch}", "bs=4k", "count=2045"], capture_output=True, check=True)
    done = project.detect()
    project.check_clear_error(done)
    assert "No space left" in done.stderr or "is full" in done.stderr
    check_goes_on(project, switch)


def test_a_list_command_that_fills_the_disk(project: Project, tmp_path: Path, small_disk: Path) -> None:
    assert small_disk.exists()
    switch = tmp_path / "switch"
    switch.touch()
    project.environment["SWITCH"] = str(switch)
    tests = "make plain1 uses fill plain2 uses_both spoil clean plain3 victim fails plain4"
    project.write("list.sh", f'set -e\nif test -e "$SWITCH"; then {FILL}; fi\nfor t in {tests}; do echo $t; done\n')
    project.configure("tap")
    configuration = (project.directory / "unknot.toml").read_text().split("tests = ")[0]
    project.write("unknot.toml", configuration + 'list = "sh list.sh"\n')
    project.check_clear_error(project.detect())
    check_goes_on(project, switch)
