"""Every error has a slug, and docs/reference/messages.md has an entry for each slug and no other."""

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from unknot.model.errors import CollectionError, ExitCode, RunnerError, UnknotError

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "unknot").rglob("*.py"))
PAGE = (ROOT / "docs" / "reference" / "messages.md").read_text(encoding="utf-8")
ENTRIES = re.findall(r"^### (\S+)\n\nCause: (.+)\n\nFix: (.+)$", PAGE, re.MULTILINE)
_PRINTED = re.compile(r"(?:\berror|^(?=\[[a-z-]+\] [a-z]))\[([a-z0-9-]+)\]")


def slugs_in(tree: ast.AST) -> Iterator[str]:
    """Of `slug="…"` in calls, of alternatives in it, and of errors and notes that are printed as text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "slug":
            constants = [part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant)]
            yield from (value for value in constants if isinstance(value, str))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _PRINTED.findall(node.value)


def test_every_slug_in_the_code_has_an_entry_and_every_entry_is_in_the_code() -> None:
    used = {slug for path in SOURCES for slug in slugs_in(ast.parse(path.read_text(encoding="utf-8")))}
    assert used == {slug for slug, _, _ in ENTRIES}


def test_every_heading_is_a_complete_entry_and_unique() -> None:
    headings = re.findall(r"^### (.*)$", PAGE, re.MULTILINE)
    assert headings == [slug for slug, _, _ in ENTRIES]
    assert len(set(headings)) == len(headings)


@pytest.mark.parametrize("slug", [slug for slug, _, _ in ENTRIES])
def test_a_slug_is_lower_case_words_with_hyphens(slug: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)


@pytest.mark.parametrize(
    "error",
    [
        RunnerError("it broke", slug="worker-failed", hint="Mend it."),
        CollectionError("no", slug="collection-failed", exit_code=ExitCode.USAGE),
    ],
)
def test_an_error_crosses_process_borders_unchanged(error: UnknotError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), vars(copy)) == (str(error), vars(error))
