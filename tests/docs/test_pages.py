"""The README and ARCHITECTURE stay short, and every unknot command in the documents is one that the parser accepts."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from unknot.cli.arguments import verb_parser
from unknot.cli.main import build_parser
from unknot.cli.pytest_words import split_words
from unknot.model.errors import UsageError

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
_SHOWN = re.compile(r"^(?:\$ |    |  +- run: |    - )(unknot [a-z].*?)(?:\s{2,}#.*|\s+# .*)?$", re.MULTILINE)
_INLINE = re.compile(r"`(unknot [a-z][^`]*)`")
_PLACEHOLDERS = {"REV": "main", "NAME": "sieve", "1/K": "1/2", "WORDS": "strings", "SECONDS": "5", "N": "2", "K": "2"}


def commands(text: str) -> Iterator[str]:
    """Of lines that show a command, and of code within a sentence; without what follows in a shell."""
    for command in [*_SHOWN.findall(text), *_INLINE.findall(text)]:
        if "…" in command or "[" in command or command.endswith("\\"):
            continue
        yield re.split(r" && | \| | > |\)", command)[0].strip()


def command_words(command: str) -> list[str]:
    """Without the program and what is for pytest; CI variables and placeholders as a value."""
    filled = re.sub(r"\$\{\{[^}]*\}\}|\$\w+", "1", command)
    words = shlex.split(filled)[1:]
    words = words[: words.index("--")] if "--" in words else words
    return [_PLACEHOLDERS.get(word, word) for word in words]


@pytest.mark.parametrize(("name", "most"), [("README.md", 700), ("ARCHITECTURE.md", 900)])
def test_a_page_is_short(name: str, most: int) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").split()) <= most


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_command_of_a_page_is_accepted_by_the_parser(page: Path) -> None:
    for command in commands(page.read_text(encoding="utf-8")):
        words = command_words(command)
        try:
            parser = build_parser(words[:1])
            if words[0] == "run":
                words = ["run", *split_words(verb_parser(parser, "run"), words[1:])[0]]
            parser.parse_args(words)
        except UsageError as error:
            # A sentence may name a verb, or an option at its end, without the argument.
            if "required" not in error.message and not error.message.endswith("expected one argument"):
                pytest.fail(f"{command}: {error.message}")
