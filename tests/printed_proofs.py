"""Commands that unknot prints as proofs, run as they are printed."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

QUIETLY = "-q --tb=no -p no:cacheprovider"


def shell(command: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """As a person would type it, where `pytest` and `python` are the project's own."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    return subprocess.run(
        ["bash", "-c", command], cwd=directory, env=environment, capture_output=True, text=True, check=False
    )


def printed_commands(text: str) -> list[tuple[bool, str]]:
    """Each command of the closing table, with whether it is said to pass."""
    found = re.findall(r"^\s+(passes|fails)\s+((?:python -m )?pytest .*)$", text, re.MULTILINE)
    return [(word == "passes", command) for word, command in found]


def last_test_passes(output: str) -> bool:
    """By pytest's own letters: one per test, in the order of the command."""
    return "".join(re.findall(r"^([.FEsxX]+)\s", output, re.MULTILINE)).endswith(".")


_FORKING = """
import json, os, sys, tempfile
import pytest

outputs = []
for words in json.load(sys.stdin):
    with tempfile.TemporaryFile() as file:
        if not (child := os.fork()):
            os.dup2(file.fileno(), 1)
            os._exit(pytest.main(words))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        file.seek(0)
        outputs.append((code, file.read().decode()))
json.dump(outputs, sys.stdout)
"""


def outputs_forked(commands: list[str], directory: Path) -> list[str]:
    """Of each command, run in a fork of one process that has imported pytest: that takes longer than the tests."""
    arguments = [[*shlex.split(command)[1:], *QUIETLY.split()] for command in commands]
    environment = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, "-P", "-c", _FORKING],
        cwd=directory,
        env=environment,
        input=json.dumps(arguments),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert {code for code, _ in found} <= {0, 1}, found
    return [output for _, output in found]


def outputs_in_shell(commands: list[str], directory: Path) -> list[str]:
    found = [shell(f"{command} {QUIETLY}", directory) for command in commands]
    assert {done.returncode for done in found} <= {0, 1}, [done.stdout + done.stderr for done in found]
    return [done.stdout for done in found]


def wrong_claims(
    commands: list[tuple[bool, str]], directory: Path, run: Callable[[list[str], Path], list[str]] = outputs_in_shell
) -> list[str]:
    """Two at a time, each in a copy of its own."""
    distinct = list(dict.fromkeys(commands))
    copies = [directory.with_name(f"copy-{number}") for number in range(2)]

    def wrong(number: int) -> list[str]:
        shutil.copytree(directory, copies[number], ignore=shutil.ignore_patterns("__pycache__", ".unknot"))
        mine = distinct[number::2]
        outputs = run([command for _, command in mine], copies[number])
        return [
            command
            for (passes, command), output in zip(mine, outputs, strict=True)
            if last_test_passes(output) is not passes
        ]

    with ThreadPoolExecutor(2) as pool:
        return [command for found in pool.map(wrong, range(2)) for command in found]
