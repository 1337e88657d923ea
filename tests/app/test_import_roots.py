"""Where imports start, by pytest's own configuration files."""

import pytest

from unknot.app.candidates.suite_code import import_roots


@pytest.mark.parametrize(
    ("file", "text", "roots"),
    [
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["e2e", "./lib/"]\n', ("e2e", "lib", "src")),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = "e2e lib"\n', ("e2e", "lib", "src")),
        ("pytest.ini", "[pytest]\npythonpath = e2e src\n", ("e2e", "src")),
        ("setup.cfg", "[tool:pytest]\npythonpath =\n    e2e\n    lib\n", ("e2e", "lib", "src")),
        ("tox.ini", "[tox]\nenvlist = py\n", ("src",)),
        ("pyproject.toml", "[tool.pytest", ("src",)),
        ("pyproject.toml", "[tool]\npytest = 3\n", ("src",)),
        ("pytest.ini", "pythonpath = e2e\n", ("src",)),
    ],
)
def test_pythonpath_is_found_wherever_pytest_finds_it(file: str, text: str, roots: tuple[str, ...]) -> None:
    assert import_roots({file: text}.get) == roots
