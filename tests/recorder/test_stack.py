"""Whose files are whose."""

import json
import os
import sysconfig
from pathlib import Path

import pytest

import unknot
from unknot.recorder.inside.stack import UserFiles


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for file in ("src/quux/__init__.py", "flat.py", "tests/__init__.py"):
        path = tmp_path / "project" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return tmp_path / "project"


def test_what_lies_below_a_root_is_the_users(project: Path) -> None:
    whose = UserFiles((str(project),))
    assert whose.is_users(str(project / "anything.py"))
    assert not whose.is_users(str(project.with_name("project2") / "anything.py"))


@pytest.mark.parametrize("environment", ["/opt/v/lib/python3.12/site-packages", "{project}/.venv/lib/site-packages"])
def test_what_is_installed_is_the_users_if_its_source_is_in_the_project(project: Path, environment: str) -> None:
    whose = UserFiles((str(project),))
    installed = environment.format(project=project)
    assert whose.is_users(f"{installed}/quux/cart.py")
    assert whose.is_users(f"{installed}/flat.py")
    assert not whose.is_users(f"{installed}/flask/app.py")
    # Packages that install their tests by mistake.
    assert not whose.is_users(f"{installed}/tests/test_it.py")


def test_an_environment_in_the_project_is_not_the_users(project: Path) -> None:
    (project / "__init__.py").write_text("")
    assert not UserFiles((str(project),)).is_users(str(project / ".venv" / "bin" / "activate_this.py"))


def test_neighbours_are_adopted_only_on_request(project: Path) -> None:
    whose = UserFiles((str(project),))
    assert not whose.is_users("/srv/neighbour/lib.py")
    whose.adopt_neighbours("/srv/scratch")
    assert whose.is_users("/srv/neighbour/lib.py")
    assert not whose.is_users("/srv/scratch/test_it0/lib.py")


def test_the_standard_library_and_this_tool_are_never_adopted(project: Path) -> None:
    whose = UserFiles((str(project),))
    whose.adopt_neighbours("/srv/scratch")
    assert not whose.is_users(json.__file__)
    assert not whose.is_users(os.path.join(sysconfig.get_path("stdlib"), "os.py"))
    assert not whose.is_users(os.path.join(os.path.dirname(unknot.__file__), "cli", "main.py"))
    assert not whose.is_users("<frozen importlib._bootstrap>")
