"""Random packages, random changes: every test whose outcome really changes is among the affected."""

import random
import re
from pathlib import Path

import pytest
from recorded_project import command, judged, record, write_files

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


def frozen(root: Path) -> None:
    """Puts what the tests compute where EXPECTED stands."""
    for path in sorted((root / "tests").glob("test_*.py")):
        text = path.read_text().replace("EXPECTED", "None")
        path.write_text(text)
    printed = command(root, "pytest", "-q", "--tb=short").stdout
    found = dict(re.findall(r"_+ (test_\d+) _+.*?AssertionError: (-?\d+)", printed, flags=re.DOTALL))
    for path in sorted((root / "tests").glob("test_*.py")):
        text = path.read_text()
        for name, value in found.items():
            text = re.sub(rf"(def {name}\(.*?found == )None", rf"\g<1>{value}", text, flags=re.DOTALL)
        path.write_text(text)


def outcomes(root: Path) -> dict[str, str]:
    printed = command(root, "pytest", "-q", "-rA", "--tb=no").stdout
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
    write_files(tmp_path, package(chance))
    frozen(tmp_path)
    before = outcomes(tmp_path)
    assert len(before) == TESTS
    assert set(before.values()) == {"PASSED"}
    record(tmp_path)
    files = {str(path.relative_to(tmp_path)): path.read_text() for path in tmp_path.rglob("*.py")}

    spared = broken = 0
    for _ in range(10):
        name, text = mutated(chance, files)
        (tmp_path / name).write_text(text)
        after = outcomes(tmp_path)
        affected = set(judged(tmp_path).reasons)
        differing = {test for test in before if before[test] != after.get(test)}
        assert differing <= affected, f"{name} was changed"
        spared += len(before) - len(affected)
        broken += len(differing)
        (tmp_path / name).write_text(files[name])
    assert spared, "not everything is always affected"
    assert broken, "some changes did break something"
