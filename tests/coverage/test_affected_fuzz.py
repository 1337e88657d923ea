"""Random packages, random changes: every test whose outcome really changes is among the affected."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from recorded_project import ENVIRONMENT, affected_now, record, write_files

pytestmark = pytest.mark.slow

MODULES = 4
FUNCTIONS = 5
TESTS = 14


def package(chance: random.Random) -> dict[str, str]:
    """Modules whose functions call functions of earlier modules, some at import, some behind a late import."""
    files = {"pytest.ini": "[pytest]\npythonpath = .\n", "made/__init__.py": ""}
    for module in range(MODULES):
        lines = [f"from made import m{earlier}" for earlier in range(module)]
        lines += [f"CONSTANT = {chance.randrange(9)}", "", "def helper(value):", "    return value + 1", ""]
        for function in range(FUNCTIONS):
            lines += [f"def f{function}(value, extra={chance.randrange(3)}):", *_body(chance, module, function), ""]
        lines += ["AT_IMPORT = helper(f0(1))", "", "class Thing:", f"    size = {chance.randrange(9)}", ""]
        lines += ["    def grow(self):", "        return self.size + CONSTANT", ""]
        files[f"made/m{module}.py"] = "\n".join(lines)
    files["made/late.py"] = f"from made import m0\nVALUE = m0.f1({chance.randrange(9)})\n"
    uses = "from made import m0\n\n@pytest.fixture(scope='session')\ndef shared():\n    return m0.f2(3)\n"
    files["tests/conftest.py"] = f"import pytest\n{uses}"
    for half in range(2):
        lines = [f"from made import m{module}" for module in range(half, MODULES)] + [""]
        for number in range(half, TESTS, 2):
            lines += _test(chance, number, half)
        files[f"tests/test_made_{half}.py"] = "\n".join(lines)
    return files


def _body(chance: random.Random, module: int, function: int) -> list[str]:
    value = f"value * {chance.randrange(1, 4)} + extra"
    if module and chance.random() < 0.6:
        value = f"m{chance.randrange(module)}.f{chance.randrange(FUNCTIONS)}({value})"
    elif function and chance.random() < 0.3:
        return ["    from made import late", f"    return {value} + late.VALUE"] if module else [f"    return {value}"]
    if chance.random() < 0.3:
        return [
            "    def inner(number):",
            f"        return number + {chance.randrange(5)}",
            f"    return inner({value})",
        ]
    if chance.random() < 0.3:
        return [
            f"    if value > {chance.randrange(4)}:",
            f"        return {value}",
            f"    return {chance.randrange(9)}",
        ]
    return [f"    return {value}"]


def _test(chance: random.Random, number: int, half: int) -> list[str]:
    """It passes as long as what it computes is what it was when it was first recorded: see `frozen`."""
    module = chance.randrange(half, MODULES)
    what = chance.choice(
        [
            f"m{module}.f{chance.randrange(FUNCTIONS)}({chance.randrange(5)})",
            f"m{module}.f{chance.randrange(FUNCTIONS)}({chance.randrange(5)})",
            f"m{module}.AT_IMPORT",
            f"m{module}.Thing().grow()",
            "shared",
        ]
    )
    argument = "shared" if what == "shared" else ""
    return [f"def test_{number}({argument}):", f"    found = {what}", "    assert found == EXPECTED, found", ""]


DRIVER = """
import json, os, sys
import pytest

for directory in json.load(sys.stdin):
    print("run", flush=True)
    child = os.fork()
    if child == 0:
        os.chdir(directory)
        status = pytest.main(["-q", "-rA", "--tb=short", "-p", "no:cacheprovider"])
        sys.stdout.flush()
        os._exit(int(status))
    os.waitpid(child, 0)
"""


def printed_in(*directories: Path) -> list[str]:
    """What pytest prints in each directory, in processes of their own, forked from one that has pytest imported."""
    done = subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=json.dumps([str(directory) for directory in directories]),
        env={**os.environ, **ENVIRONMENT},
        capture_output=True,
        text=True,
        check=True,
    )
    return re.split(r"^run\n", done.stdout, flags=re.MULTILINE)[1:]


def frozen(root: Path) -> None:
    """Puts what the tests compute where EXPECTED stands."""
    for path in sorted((root / "tests").glob("test_*.py")):
        text = path.read_text().replace("EXPECTED", "None")
        path.write_text(text)
    (printed,) = printed_in(root)
    found = dict(re.findall(r"_+ (test_\d+) _+.*?AssertionError: (-?\d+)", printed, flags=re.DOTALL))
    for path in sorted((root / "tests").glob("test_*.py")):
        text = path.read_text()
        for name, value in found.items():
            text = re.sub(rf"(def {name}\(.*?found == )None", rf"\g<1>{value}", text, flags=re.DOTALL)
        path.write_text(text)


def outcomes(printed: str) -> dict[str, str]:
    return {test: outcome for outcome, test in re.findall(r"^(PASSED|FAILED|ERROR) (\S+)", printed, re.MULTILINE)}


def mutated(chance: random.Random, files: dict[str, str]) -> tuple[str, str]:
    """A file and its new text: another number, another name, a line gone, a line doubled, a comment."""
    name = chance.choice([name for name in files if name.endswith(".py") and files[name]])
    lines = files[name].split("\n")
    kind = chance.choice(["number"] * 6 + ["comment", "double", "function"])
    fitting = r"\b\d\b" if kind == "number" else r"\S"
    place = chance.choice([number for number, line in enumerate(lines) if re.search(fitting, line)] or [0])
    line = lines[place]
    if kind == "number":
        lines[place] = re.sub(fitting, lambda match: str(int(match[0]) + 1), line)
    elif kind == "comment":
        lines.insert(place, " " * (len(line) - len(line.lstrip())) + "# Nothing.")
    elif kind == "double" and not line.endswith(":"):
        lines.insert(place, line)
    else:
        lines += ["", "def helper_of_nobody():", "    return 1", ""]
    return name, "\n".join(lines)


@pytest.mark.parametrize("seed", range(2))
def test_every_test_with_changed_behaviour_is_affected(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    root = tmp_path / "as_it_is"
    write_files(root, package(chance))
    frozen(root)
    files = {str(path.relative_to(root)): path.read_text() for path in root.rglob("*.py")}
    changes = [mutated(chance, files) for _ in range(10)]
    copies = [Path(shutil.copytree(root, tmp_path / f"changed_{number}")) for number in range(len(changes))]
    for copy, (name, text) in zip(copies, changes, strict=True):
        (copy / name).write_text(text)
    before, *afters = map(outcomes, printed_in(root, *copies))
    assert len(before) == TESTS
    assert set(before.values()) == {"PASSED"}
    record(root)

    spared = broken = 0
    for (name, text), after in zip(changes, afters, strict=True):
        (root / name).write_text(text)
        affected = set(affected_now(root).reasons)
        differing = {test for test in before if before[test] != after.get(test)}
        assert differing <= affected, f"{name} was changed"
        spared += len(before) - len(affected)
        broken += len(differing)
        (root / name).write_text(files[name])
    assert spared, "not everything is always affected"
    assert broken, "some changes did break something"
