"""What a slot's directory is made of, without a server."""

import os
import pwd
import shutil
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from unknot.model.errors import RunnerError, UsageError
from unknot.runners.mtr.installation import ServerAccount, account
from unknot.runners.mtr.request import Request, build_threads, mtr_environment
from unknot.runners.mtr.slot_directory import BigTests, SlotDirectory, make_link_tree


def test_the_link_tree_has_all_that_mtr_has_and_the_suite_besides(installation: Path, tmp_path: Path) -> None:
    own = tmp_path / "dependencies"
    own.mkdir()
    make_link_tree(tmp_path / "base", installation, [own])
    tree = tmp_path / "base" / "mysql-test"
    assert sorted(entry.name for entry in (tree / "suite").iterdir()) == ["dependencies", "gcol", "json"]
    assert (tree / "suite" / "dependencies").resolve() == own
    assert (tree / "mysql-test-run.pl").resolve() == installation / "mysql-test-run.pl"
    assert (tree.parent / "sbin" / "mariadbd").is_file()


def test_a_suite_cannot_hide_one_of_mtr(installation: Path, tmp_path: Path) -> None:
    (tmp_path / "json").mkdir()
    with pytest.raises(RunnerError, match="json"):
        make_link_tree(tmp_path / "base", installation, [tmp_path / "json"])


def test_big_tests_are_known_through_what_they_include(installation: Path) -> None:
    tests = installation / "suite" / "json" / "t"
    (installation / "include" / "big_test.inc").write_text("# marks big tests\n")
    (installation / "include" / "heavy.inc").write_text("--source include/big_test.inc\nsource include/loop.inc;\n")
    (installation / "include" / "loop.inc").write_text("source include/loop.inc;\n")
    (tests / "direct.test").write_text("--source include/big_test.inc\n")
    (tests / "through.test").write_text("source include/heavy.inc;\n")
    (tests / "remark.test").write_text("# --source include/big_test.inc\nsource include/loop.inc;\n")
    assert BigTests(installation).of(installation / "suite" / "json") == ["direct", "through"]


@pytest.mark.parametrize("place", ["suite/json/t", "plugin/json_table/json/t"])
def test_big_tests_are_passed_over_by_default(installation: Path, tmp_path: Path, place: str) -> None:
    if place.startswith("plugin"):
        shutil.rmtree(installation / "suite" / "json")
    tests = installation / place
    tests.mkdir(parents=True, exist_ok=True)
    (tests / "large.test").write_text("--source include/big_test.inc\n")
    request = Request(program=installation / "mysql-test-run.pl", suites=("json",))
    slot = SlotDirectory(request, tmp_path / "one")
    slot.prepare(tmp_path)
    assert slot.passed_over.read_text().startswith("json.large : ")
    with_big = SlotDirectory(replace(request, big=True), tmp_path / "other")
    with_big.prepare(tmp_path)
    assert with_big.passed_over.read_text() == ""


def test_slots_have_ports_of_their_own_that_mtr_accepts() -> None:
    first = [build_threads(worker)[0] for worker in range(400)]
    assert len(set(first)) == 400
    for worker in (0, 7, 399, 5000):
        assert all(10000 + 30 * thread >= 5001 and 10000 + 30 * thread + 30 < 32767 for thread in build_threads(worker))
        assert len(set(build_threads(worker))) == len(build_threads(worker))


def test_variables_that_steer_mtr_do_not_reach_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MTR_PARALLEL", "8")
    monkeypatch.setenv("MYSQL_HOME", "/etc/elsewhere")
    monkeypatch.setenv("LANG", "C.UTF-8")
    environment = mtr_environment(tmp_path, {"MYSQLD_BOOTSTRAP": "/stand-in"})
    assert "MTR_PARALLEL" not in environment
    assert "MYSQL_HOME" not in environment
    assert environment["MYSQLD_BOOTSTRAP"] == "/stand-in"
    assert environment["LANG"] == "C.UTF-8"
    assert environment["HOME"] == str(tmp_path)


def test_an_account_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(UsageError, match="no-user-of-this-name"):
        account("no-user-of-this-name")


def other_account() -> ServerAccount:
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    entry = pwd.getpwnam("nobody")
    return ServerAccount("nobody", entry.pw_uid, entry.pw_gid)


def test_the_way_is_opened_to_one_group_and_for_passing_only(tmp_path: Path) -> None:
    owner = other_account()
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    for directory in (tmp_path, *tmp_path.parents):
        if directory.stat().st_mode & 0o001 == 0 and directory.stat().st_mode & 0o070:
            pytest.skip(f"{directory} is closed here")
    owner.make(private / "slot")
    status = private.stat()
    assert stat.S_IMODE(status.st_mode) == 0o710
    assert status.st_gid == owner.group
    assert (private / "slot").stat().st_uid == owner.user


def test_a_directory_that_has_a_group_already_is_left_alone(tmp_path: Path) -> None:
    owner = other_account()
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "slot").mkdir()
    shared.chmod(0o750)
    with pytest.raises(UsageError, match="shared"):
        owner.open_way(shared / "slot")
    assert stat.S_IMODE(shared.stat().st_mode) == 0o750
