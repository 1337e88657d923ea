"""Which changes of configuration can matter to a test."""

import pytest

from unknot.coverage.changed_files import is_configuration, is_relevant_change

PYPROJECT = (
    '[project]\ndependencies = ["x"]\n[tool.pytest.ini_options]\naddopts = "-q"\n[tool.ruff]\nline-length = 100\n'
)


@pytest.mark.parametrize("path", ["pyproject.toml", "sub/pytest.ini", "requirements-dev.txt", "uv.lock", "setup.py"])
def test_these_are_configuration(path: str) -> None:
    assert is_configuration(path)


@pytest.mark.parametrize("path", ["data/settings.toml", "src/conftest.py", "docs/index.md", "requirements.py"])
def test_these_are_not(path: str) -> None:
    assert not is_configuration(path)


@pytest.mark.parametrize(
    ("old", "new", "does"),
    [
        ('"-q"', '"-v"', True),
        ('["x"]', '["x", "y"]', True),
        ("line-length = 100", "line-length = 120", False),
        ("[tool.ruff]", "# a comment\n[tool.ruff]", False),
        ("[project]", "[project", True),
    ],
)
def test_a_change_of_pyproject_matters_unless_it_is_for_other_tools(old: str, new: str, does: bool) -> None:
    assert is_relevant_change("pyproject.toml", PYPROJECT, PYPROJECT.replace(old, new)) is does


def test_sections_of_other_tools_do_not_matter() -> None:
    before = "[tool:pytest]\naddopts = -q\n[flake8]\nmax = 1\n[mypy-x.*]\na = 1\n"
    assert not is_relevant_change("setup.cfg", before, before.replace("max = 1", "max = 2").replace("a = 1", "a = 2"))
    assert is_relevant_change("setup.cfg", before, before.replace("-q", "-v"))
    assert is_relevant_change("tox.ini", "[pytest]\n", "[pytest]\naddopts = %(x)s\n")


def test_a_file_that_comes_or_goes_matters() -> None:
    assert is_relevant_change("pytest.ini", None, "[pytest]\n")
    assert is_relevant_change("pytest.ini", "[pytest]\n", None)
    assert not is_relevant_change("pytest.ini", None, None)


def test_layout_of_a_list_of_packages_does_not_matter() -> None:
    assert not is_relevant_change("requirements.txt", "a==1\nb==2\n", "a==1\n\nb==2\n")
    assert is_relevant_change("requirements.txt", "a==1\n", "a==2\n")
