"""The configuration: what it makes, and how it says what is wrong."""

import os
import pwd
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from unknot.model.errors import UsageError
from unknot.runners.command.placeholders import fault, filled
from unknot.runners.command.spec import CommandSpec
from unknot.runners.mtr.config import mtr_spec
from unknot.runners.sut.resets.kinds import check_reset
from unknot.runners.sut.spec import InstanceSpec

WHERE = "unknot.toml: [mtr]"


def spec(
    installation: Path, suites: list[str], table: Mapping[str, object] | None = None, directory: Path = Path()
) -> tuple[CommandSpec, InstanceSpec]:
    myself = pwd.getpwuid(os.geteuid()).pw_name
    given = {"program": str(installation / "mysql-test-run.pl"), "user": myself, **(table or {})}
    return mtr_spec(given, suites, WHERE, directory)


def test_orders_go_to_our_program_with_the_places_of_the_slot(installation: Path) -> None:
    command, instance = spec(installation, ["json", "gcol"])
    values = {"dir": "/d", "worker": "3", "tests_file": "/t", "results": "/r"}
    words = filled(command.run, values)
    assert words[2:5] == ["-m", "unknot.runners.mtr", "run"]
    assert {"--suite=json", "--suite=gcol", "--dir=/d", "--worker=3", "--tests=/t", "--results=/r"} <= set(words)
    assert fault(command.list) == ""
    assert instance.start == ()
    check_reset(instance.reset)


def test_the_version_of_the_server_and_the_files_of_a_suite_count(installation: Path) -> None:
    before, _ = spec(installation, ["json"])
    assert "mariadbd  Ver 1.2.3 for a test" in before.versions
    (installation / "suite" / "json" / "r").mkdir()
    (installation / "suite" / "json" / "r" / "one.result").write_text("1\n")
    after, _ = spec(installation, ["json"])
    assert before.versions != after.versions


def test_the_files_of_a_suite_that_comes_with_a_plugin_count(installation: Path) -> None:
    (installation / "plugin" / "rocks" / "rocks" / "t").mkdir(parents=True)
    before, _ = spec(installation, ["rocks"])
    (installation / "plugin" / "rocks" / "rocks" / "t" / "one.test").write_text("SELECT 1;\n")
    after, _ = spec(installation, ["rocks"])
    assert before.versions != after.versions


def test_where_things_are_on_this_machine_does_not_count(
    installation: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _ = spec(installation, ["json"], {"skip": ["json.slow*"]})
    other = tmp_path / "elsewhere"
    shutil.copytree(tmp_path / "usr", other)
    monkeypatch.setattr("sys.executable", "/opt/python")
    there, _ = spec(other / installation.relative_to(tmp_path / "usr"), ["json"], {"skip": ["json.slow*"]})
    assert here.run != there.run
    assert (here.known_by, here.versions) == (there.known_by, there.versions)
    assert spec(installation, ["json"])[0].known_by != here.known_by


def test_the_options_of_a_server_that_stands_count(installation: Path) -> None:
    before, _ = spec(installation, ["json"], {"server": "extern"})
    after, _ = spec(installation, ["json"], {"server": "extern", "server-options": ["--sql-mode="]})
    assert before.versions != after.versions


def test_a_server_that_stands_is_started_pinged_and_put_back(installation: Path) -> None:
    command, instance = spec(installation, ["json"], {"server": "extern", "server-options": ["--sql-mode="]})
    assert "--server=extern" in command.run
    assert instance.ports == 1
    assert "--port={port0}" in instance.start
    assert "--server-option=--sql-mode=" in instance.start
    assert instance.ready[-1] == "ping"
    assert not instance.daemon
    check_reset(instance.reset)


def test_a_directory_of_the_project_is_a_suite_of_its_own(installation: Path, tmp_path: Path) -> None:
    (tmp_path / "mine" / "t").mkdir(parents=True)
    (tmp_path / "mine" / "t" / "a.test").write_text("SELECT 1;\n")
    command, _ = spec(installation, ["mine"], directory=tmp_path)
    assert "--own=mine" in command.run
    assert command.files == ("mine/**/*",)


def test_suites_of_the_command_line_take_the_place_of_the_configured(installation: Path) -> None:
    command, _ = spec(installation, ["gcol"], {"suites": ["json"]})
    assert "--suite=gcol" in command.run
    assert "--suite=json" not in command.run
    command, _ = spec(installation, [], {"suites": "json"})
    assert "--suite=json" in command.run


def test_braces_are_no_placeholders(installation: Path) -> None:
    command, _ = spec(installation, ["json"], {"options": ["--mysqld=--init-connect={dir}"]})
    values = {"dir": "/d", "worker": "3", "tests_file": "/t", "results": "/r"}
    assert "--option=--mysqld=--init-connect={dir}" in filled(command.run, values)


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ({"suite": ["json"]}, "`suite`"),
        ({"big": "yes"}, "`big`"),
        ({"server": "remote"}, "`server`"),
        ({"options": ["--parallel=4"]}, "`--parallel=4`"),
        ({"options": ["--vardir=/tmp/x"]}, "`--vardir=/tmp/x`"),
        ({"options": ["--start-and-exit"]}, "`--start-and-exit`"),
        ({"options": ["json.type_json"]}, "`json.type_json`"),
        ({"user": "no-user-of-this-name"}, "no-user-of-this-name"),
        ({"program": "/nowhere/mysql-test-run.pl"}, "/nowhere/mysql-test-run.pl"),
    ],
)
def test_mistakes_are_named(installation: Path, table: dict[str, object], named: str) -> None:
    with pytest.raises(UsageError) as caught:
        spec(installation, ["json"], table)
    assert named in caught.value.message
    assert "unknot.toml" in caught.value.message


def test_an_unknown_suite_gets_a_guess(installation: Path) -> None:
    with pytest.raises(UsageError) as caught:
        spec(installation, ["jsn"])
    assert "jsn" in caught.value.message
    assert "json" in caught.value.hint


def test_no_suites_is_a_mistake(installation: Path) -> None:
    with pytest.raises(UsageError, match="no suites"):
        spec(installation, [])
