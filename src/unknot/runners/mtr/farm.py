"""mtr's directory with suites of one's own in it: mtr takes suites from below its own directory only.

It can be given a suite by its path, but then ids hold that path, and a `-` or a `.` anywhere in it breaks it.
"""

from collections.abc import Iterable
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.mtr.installation import base_directory

_TEST_DIRECTORY = "mysql-test"
"""mtr knows its suites by this name in their paths."""


def make_farm(root: Path, test_directory: Path, own: Iterable[Path]) -> Path:
    """A directory `root` that looks like the base directory of the installation, made of links, with these suites
    besides. Returns where mtr is to be started: the farm's own `mysql-test`. Raises RunnerError if mtr has a suite of
    the same name. Cost: a link for each entry of three directories."""
    farm = root / _TEST_DIRECTORY
    suites = farm / "suite"
    suites.mkdir(parents=True)
    _link_all(base_directory(test_directory), root, leave_out={_TEST_DIRECTORY})
    _link_all(test_directory, farm, leave_out={"suite", "var"})
    _link_all(test_directory / "suite", suites, leave_out=set())
    for suite in own:
        target = suites / suite.name
        if target.is_symlink():
            raise RunnerError(
                f"the suite {suite.name} in {suite} has the name of one of mtr's own", hint="rename its directory"
            )
        target.symlink_to(suite.resolve())
    return farm


def _link_all(source: Path, target: Path, *, leave_out: set[str]) -> None:
    for entry in source.iterdir():
        if entry.name not in leave_out:
            (target / entry.name).symlink_to(entry)
