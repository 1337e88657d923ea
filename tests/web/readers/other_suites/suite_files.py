"""Suites as the readers of test code get them: from a directory of this one, or written down in a test."""

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

from unknot.model.candidates import StringUse

HERE = Path(__file__).parent
ENDINGS = (".java", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts")

Files = tuple[list[str], Callable[[str], str | None]]
"""The paths of a project's source files, and what reads any of its files."""


def kept(name: str) -> Files:
    root = HERE / name

    def read(path: str) -> str | None:
        file = root / path
        return file.read_text() if file.is_file() else None

    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.suffix in ENDINGS), read


def written(sources: Mapping[str, str]) -> Files:
    texts = {path: dedent(text) for path, text in sources.items()}
    return [path for path in texts if path.endswith(ENDINGS)], texts.get


def submitted(use: StringUse) -> set[str]:
    return {mention.text for mention in use.submitted}


def used(use: StringUse) -> set[str]:
    return {mention.text for mention in use.used}
