"""Example suites, kept as texts so that they are not collected as tests; and what is read of them."""

import ast
from collections.abc import Mapping
from pathlib import Path

from unknot.model.candidates import StringUse
from unknot.model.suite import TestId
from unknot.web.readers.python.suite import string_uses

_HERE = Path(__file__).parent
_HEADING = "=== "


def suite(name: str) -> dict[str, str]:
    """The files of an example by path. Each begins with a line that names it."""
    files: dict[str, str] = {}
    path = ""
    for line in (_HERE / f"{name}.txt").read_text().splitlines(keepends=True):
        if line.startswith(_HEADING):
            path = line.removeprefix(_HEADING).strip()
            files[path] = ""
        else:
            files[path] += line
    return files


def use(files: Mapping[str, str] | str, test: str) -> StringUse:
    """What is read of one test; a text alone is a file called test_it.py."""
    project = {"test_it.py": files} if isinstance(files, str) else files
    return string_uses([TestId(test)], project.get, project)[TestId(test)]


def submitted(files: Mapping[str, str] | str, test: str) -> list[str]:
    return [mention.text for mention in use(files, test).submitted]


def used(files: Mapping[str, str] | str, test: str) -> list[str]:
    return [mention.text for mention in use(files, test).used]


def all_tests(files: Mapping[str, str]) -> list[TestId]:
    """The tests of an example, without their cases."""
    found = []
    for path, text in files.items():
        for owner in ast.parse(text).body:
            inner = owner.body if isinstance(owner, ast.ClassDef) else [owner]
            prefix = f"{path}::{owner.name}" if isinstance(owner, ast.ClassDef) else path
            functions = [each for each in inner if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
            found += [TestId(f"{prefix}::{each.name}") for each in functions if each.name.startswith("test")]
    return found
