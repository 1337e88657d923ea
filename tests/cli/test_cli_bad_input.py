"""Whatever is wrong: one clear line, what to do, an exit code, and nothing lost."""

import json
import platform
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from unknot import __version__ as unknot_version
from unknot.cli.main import main

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

KNOTTED = """
    import os
    done = []
    def test_sets(): done.append(1)
    def test_needs(): assert done
    def test_breaks(): os.environ["BROKEN"] = "1"
    def test_alone(): pass
"""


@pytest.mark.parametrize(
    ("arguments", "code", "output"),
    [
        (("detect", "-n", "0"), 4, "must be at least 1"),
        (("detect", "-n", "many"), 4, "whole number"),
        (("detect", "--max-seconds", "-1"), 4, "must be more than 0"),
        (("detect", "--max-seconds", "nan"), 4, "must be more than 0"),
        (("detect", "--bogus"), 4, "--bogus"),
        (("detect", "--bogus"), 4, "`unknot detect --help`"),
        (("detect", "--lock-file=x"), 4, "Did you mean `--lock`?"),
        (("detect", "--runner", "spoon"), 4, "spoon"),
        (("detect", "--thorough", "--max-orders", "3"), 4, "contradict"),
        (("detect", "no/such/path"), 4, "no/such/path"),
        (("detect", "test_it.py::no_such_test"), 4, "no_such_test"),
        (("detect", "--", "--bogus"), 4, "--bogus"),
        (("detect", "--", "-k", "nothing_at_all"), 5, "no tests"),
        (("detect", "-q", "--reset", "exit 3"), 12, "exit 3"),
        (("detect", "--lock", "no/such/directory/x.json"), 13, "no/such/directory"),
        (("detect", "--lock", "."), 13, "lock"),
        (("detect", "--state-dir", "test_it.py"), 13, "test_it.py"),
        (("run",), 4, "unknot.lock.json"),
        (("run", "-n", "0"), 4, "must be at least 1"),
        (("report",), 13, "unknot.lock.json"),
        (("explain", "test_it.py::test_needs"), 13, "unknot.lock.json"),
        (("explain",), 4, "TEST"),
        (("unravel",), 4, "unravel"),
        (("detct",), 4, "Did you mean `detect`?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_command_line_ends_in_one_error_and_a_hint(
    write: Write, unknot: Unknot, project: Path, arguments: tuple[str, ...], code: int, output: str
) -> None:
    write({"test_it.py": KNOTTED})
    done = unknot(*arguments)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
    first, *_, last = done.stderr.strip().splitlines()
    assert first.startswith("error[")
    assert last.startswith("hint: ")
    assert output in done.stderr
    assert done.stdout == ""
    assert not (project / "unknot.lock.json").exists()


def _output_of(*arguments: str) -> str:
    command = [sys.executable, "-m", "unknot", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_without_arguments_the_help_is_shown() -> None:
    shown = _output_of()
    assert "unknot detect" in shown
    assert shown == _output_of("--help")


def test_the_version_names_python_and_pytest() -> None:
    versions = f"Python {platform.python_version()}, pytest {pytest.__version__}"
    assert _output_of("--version") == f"unknot {unknot_version} ({versions})\n"


@pytest.mark.parametrize(
    ("files", "code", "output"),
    [
        ({"test_it.py": "import no_such_module"}, 2, "no_such_module"),
        ({"test_it.py": "def test_a(): pass", "conftest.py": "import os\nos._exit(1)"}, 12, "status 1"),
        ({"test_it.py": "def broken(:"}, 2, "SyntaxError"),
        ({"conftest.py": "raise ValueError('by the conftest')"}, 4, "by the conftest"),
        ({"test_it.py": "import sys; sys.exit()"}, 3, "SystemExit"),
        ({"nothing.py": ""}, 5, "no tests"),
        ({"pyproject.toml": "[tool.unknot]\nspoon = 1"}, 4, "spoon"),
        ({"pyproject.toml": "[tool.unknot]\nworkers = true"}, 4, "workers"),
        ({"pyproject.toml": "[tool.unknot"}, 4, "pyproject.toml"),
        ({"pyproject.toml": "tool = 3"}, 4, "tool must be a table"),
        ({"pyproject.toml": "[[tool]]\nx = 1"}, 4, "tool must be a table"),
    ],
    ids=[
        "import",
        "ends with 1",
        "syntax",
        "conftest",
        "exit",
        "empty",
        "unknown key",
        "wrong value",
        "no toml",
        "no table",
        "tables",
    ],
)
def test_a_project_that_cannot_be_used_ends_in_one_error(
    write: Write, unknot: Unknot, files: dict[str, str], code: int, output: str
) -> None:
    write(files)
    done = unknot("detect", "-n", "1")
    assert (done.returncode, "Traceback" in done.stderr) == (code, output == "no_such_module"), done.stderr
    assert done.stderr.startswith("error[")
    assert output in done.stderr


def test_a_suite_of_which_no_test_reaches_its_end_is_not_called_clean(
    write: Write, unknot: Unknot, project: Path
) -> None:
    hook = "def pytest_runtest_logreport(report): raise RuntimeError"
    write({"test_it.py": "def test_a(): pass\ndef test_b(): pass", "conftest.py": hook})
    done = unknot("detect")
    assert done.returncode == 12
    assert "error[all-crashed]: every test ended its process, test_it.py::test_a first" in done.stderr
    assert not (project / "unknot.lock.json").exists()


@pytest.mark.parametrize("text", ["workers = " + "9" * 10_000, "paths = " + "[" * 5_000 + "]" * 5_000])
def test_a_configuration_that_no_parser_takes_is_one_error(
    write: Write, unknot: Unknot, project: Path, text: str
) -> None:
    write({"unknot.toml": text})
    done = unknot("detect")
    assert (done.returncode, "Traceback" in done.stderr) == (4, False), done.stderr
    assert "unknot.toml cannot be read" in done.stderr


def test_an_internal_error_is_not_taken_for_dependencies_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def bug(_: Path) -> NoReturn:
        raise ZeroDivisionError("\x1b[2J")

    monkeypatch.setattr("unknot.cli.main.read_configuration", bug)
    monkeypatch.setattr("unknot.cli.main.Interruption.watch", lambda _: None)
    assert main(["detect"]) == 3
    output = capsys.readouterr().err
    assert "ZeroDivisionError: \\x1b[2J" in output
    assert "\nhint: " in output


def test_a_newer_lock_file_is_never_replaced(write: Write, unknot: Unknot, project: Path) -> None:
    write({"test_it.py": KNOTTED, "unknot.lock.json": json.dumps({"format": 3})})
    for verb in (("detect",), ("run",), ("report",), ("explain", "test_needs")):
        done = unknot(*verb)
        assert done.returncode == 13, (verb, done.stderr)
        assert "unknot.lock.json" in done.stderr
    assert json.loads((project / "unknot.lock.json").read_text()) == {"format": 3}


def test_a_damaged_lock_file_stops_the_readers_and_is_kept_by_detect(
    write: Write, unknot: Unknot, project: Path
) -> None:
    write({"test_it.py": KNOTTED, "unknot.lock.json": "<<<<<<< HEAD\n{}\n"})
    for verb in (("run",), ("report",), ("explain", "test_needs")):
        assert unknot(*verb).returncode == 13
    done = unknot("detect", "-q", "-n", "1")
    assert done.returncode == 1, done.stderr
    assert "copy is in .unknot" in done.stderr
    assert (project / ".unknot" / "unknot.lock.json.damaged").read_text() == "<<<<<<< HEAD\n{}\n"
    assert unknot("report").returncode == 0


@pytest.mark.parametrize("damage", ["damaged", "newer"])
def test_a_damaged_or_newer_journal_is_an_error_and_stays_as_it_is(
    write: Write, unknot: Unknot, project: Path, damage: str
) -> None:
    write({"test_it.py": KNOTTED})
    path = project / ".unknot" / "journal.sqlite3"
    path.parent.mkdir()
    if damage == "damaged":
        path.write_bytes(b"this is no database" * 100)
    else:
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA application_id = {int.from_bytes(b'unkn', 'big')}")
        connection.execute("PRAGMA user_version = 99")
        connection.execute("CREATE TABLE runs (x)")
        connection.commit()
        connection.close()
    before = path.read_bytes()
    done = unknot("detect", "-n", "1")
    assert done.returncode == 13, done.stderr
    assert "journal.sqlite3" in done.stderr
    assert path.read_bytes() == before
    assert not (project / "unknot.lock.json").exists()


def test_a_file_where_the_state_directory_should_be_is_an_error(write: Write, unknot: Unknot, project: Path) -> None:
    write({"test_it.py": KNOTTED, ".unknot": "mine"})
    done = unknot("detect")
    assert done.returncode == 13
    assert "the option `state-dir`" in done.stderr
    assert (project / ".unknot").read_text() == "mine"


def test_a_suite_without_pytest_is_reported(write: Write, unknot: Unknot, project: Path) -> None:
    write({"test_it.py": KNOTTED, "blocked/pytest/__init__.py": "raise ModuleNotFoundError('No module named pytest')"})
    done = unknot("detect", "-n", "1", PYTHONPATH=str(project / "blocked"))
    assert done.returncode == 4
    assert "pytest is not installed" in done.stderr
    assert "pip install" in done.stderr


def test_a_suite_that_fails_in_its_own_order_is_still_searched(write: Write, unknot: Unknot) -> None:
    write({"test_it.py": KNOTTED + "\n    def test_fails(): assert False\n"})
    done = unknot("detect", "-n", "2", "--format", "json")
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    assert found["suite"]["outcomes"]["test_it.py::test_fails"] == "failed"
    assert [need["dependent"] for need in found["needs"]] == ["test_it.py::test_needs"]


def test_a_suite_with_a_test_that_takes_the_process_down_is_still_searched(write: Write, unknot: Unknot) -> None:
    write({"test_it.py": KNOTTED + "\n    def test_crashes(): os._exit(0)\n    def test_behind(): assert done\n"})
    done = unknot("detect", "-n", "2", "--format", "json")
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    assert found["suite"]["outcomes"]["test_it.py::test_crashes"] == "crashed"
    assert {need["dependent"] for need in found["needs"]} == {"test_it.py::test_needs", "test_it.py::test_behind"}


def test_configuration_gives_options_that_the_command_line_overrides(write: Write, unknot: Unknot) -> None:
    write({"test_it.py": KNOTTED, "pyproject.toml": "[tool.unknot]\nformat = 'json'\nworkers = 1\nreset = 'exit 9'\n"})
    assert unknot("detect").returncode == 12
    done = unknot("detect", "--reset", "true", "--format", "text")
    assert done.returncode == 1, done.stderr
    assert "test_needs" in done.stdout
    assert not done.stdout.startswith("{")


def test_a_fresh_process_is_chosen_with_a_line_that_says_why(write: Write, unknot: Unknot) -> None:
    thread = "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True, name='mine').start()\n"
    write({"conftest.py": thread, "test_it.py": "def test_it(): pass"})
    done = unknot("detect", "-n", "1")
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if "fresh pytest process" in line]
    assert "mine" in line


@pytest.mark.parametrize(
    ("written", "key", "hint"),
    [
        ("[comand]\n", "comand", "Did you mean `command`?"),
        ("[tool.unknot.command]\n", "tool", "write [command]"),
        ("[extras]\n", "extras", "The tables are command,"),
        ("tiemout = 3\n", "tiemout", "the long options"),
    ],
)
def test_a_table_that_unknot_does_not_know_is_named_with_what_was_meant(
    write: Write, unknot: Unknot, written: str, key: str, hint: str
) -> None:
    write({"test_it.py": KNOTTED, "unknot.toml": written})
    done = unknot("detect")
    assert done.returncode == 4
    first, last = done.stderr.strip().splitlines()
    assert first.endswith(f"unknot.toml: has an unknown key: `{key}`")
    assert last.startswith("hint: ")
    assert hint in last
