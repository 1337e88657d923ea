"""The layout that ARCHITECTURE.md promises: small folders, one name for one thing, plain words."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "unknot"
MOST_MODULES = 28

# Words of an older vocabulary, most of which speak of tests as if they were people.
OLD_WORDS = re.compile(r"\b(whoever|whom|nobody|somebody|dear|dearer|anew)\b", re.IGNORECASE)
OLD_OPTION = "anew"


def _modules() -> Iterator[Path]:
    return SOURCE.rglob("*.py")


def test_no_folder_holds_too_many_modules() -> None:
    counts = Counter(module.parent for module in _modules())

    assert {str(folder): count for folder, count in counts.items() if count > MOST_MODULES} == {}


def test_a_public_class_name_is_used_once() -> None:
    places: defaultdict[str, set[str]] = defaultdict(set)
    for module in _modules():
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(str(module.relative_to(SOURCE)))

    assert {name: sorted(where) for name, where in places.items() if len(where) > 1} == {}


@pytest.mark.parametrize("name", ["utils", "common", "helpers", "misc"])
def test_no_module_is_a_drawer_for_everything(name: str) -> None:
    assert list(SOURCE.rglob(f"{name}.py")) + list(SOURCE.rglob(f"{name}/__init__.py")) == []


@pytest.mark.parametrize("folder", ["src", "docs"])
def test_tests_are_not_spoken_of_as_people(folder: str) -> None:
    texts = [path for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".md", ".js", ".java", ".c", ".h"}]

    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in texts
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if OLD_WORDS.search(line) and f'"{OLD_OPTION}": "full"' not in line
    ]

    assert found == []
