"""The user's word on dependency-free values: in options and configuration, or said in the terminal and remembered."""

import argparse
import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from unknot.model.candidates import StringUse
from unknot.model.errors import StorageError
from unknot.model.sanitise import shown
from unknot.report.wording import counted
from unknot.store.atomic import write_atomically
from unknot.store.cursor import Cursor, Fault
from unknot.store.json_document import parsed
from unknot.web.hints.free_values import FEWEST_TESTS, RankedValue, in_every_test, ranked

_FILE = "free-values.json"
_FORMAT = 1
_COMMON = 0.8
_LARGEST_SHORT = 0xFFFF
_LONGEST_TOLD = 200
_MOST_NOTED = 5


@dataclass(frozen=True)
class Said:
    """What was answered so far: values that are free, and values that are not."""

    free: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def named_free(options: argparse.Namespace) -> frozenset[str]:
    """What the options and the configuration name, and what was said in a review."""
    return frozenset(options.free_values) | frozenset(read_said(options.state_dir).free)


def notes_on_dropped(everywhere: Collection[str]) -> list[str]:
    """What nobody was asked about: else a small suite of which every test uses the same value looks as if it had none.
    At most one note."""
    dropped = sorted(everywhere)
    if not dropped:
        return []
    told = ", ".join(f"`{_shortened(value)}`" for value in dropped[:_MOST_NOTED])
    more = f" and {len(dropped) - _MOST_NOTED} more" if len(dropped) > _MOST_NOTED else ""
    return [f"every test uses {told}{more}: nobody is suspected by that"]


def notes_on_common(uses: Sequence[StringUse], free: Collection[str]) -> list[str]:
    """The values that nearly all tests use and nobody called free: mostly they say nothing, and most pairs rest on
    them."""
    least = max(FEWEST_TESTS, _COMMON * len(uses))
    common = [value for value in ranked(uses, free) if value.only and value.tests >= least]
    if not common:
        return []
    named = ", ".join(f"`{_shortened(value.text)}` ({counted(value.only, 'pair')})" for value in common[:_MOST_NOTED])
    return [f"pairs rest on values that nearly all tests use: {named}; `unknot suspects --review` drops what is free"]


def read_said(state: Path) -> Said:
    """Nothing if nobody was asked. Raises StorageError for a file that is not ours."""
    path = state / _FILE
    try:
        root = Cursor(parsed(path.read_text(encoding="utf-8")))
        if root.member("format").count() != _FORMAT:
            raise root.fault("another format")
        return Said(_texts(root.member("free")), _texts(root.member("kept")))
    except FileNotFoundError:
        return Said()
    except (OSError, UnicodeDecodeError, Fault) as problem:
        hint = "remove it, and say `unknot suspects --review` again"
        raise StorageError(f"{path} cannot be read: {problem}", hint=hint) from problem


def review(
    uses: Sequence[StringUse],
    options: argparse.Namespace,
    console: Console,
    answer: Callable[[str], str],
) -> None:
    """Asks about each value on which edges rest, those of most tests first, until the user has enough; what was said is
    kept after every answer. `answer` puts a question and gives what was typed, and raises EOFError at the end."""
    said = read_said(options.state_dir)
    everywhere = in_every_test(uses)
    known = {*everywhere, *options.free_values, *said.free}
    asked = [value for value in ranked(uses, known) if value.text not in said.kept]
    for automatic in sorted(everywhere):
        console.print(f"`{_shortened(shown(automatic))}` is in every test: dropped", markup=False)
    console.print(_introduction(asked), markup=False)
    for value in asked:
        try:
            word = _answered(value, answer)
        except (EOFError, KeyboardInterrupt):
            # The question stands without an answer on its line.
            console.print()
            break
        if word == "q":
            break
        said = Said((*said.free, value.text), said.kept) if word == "y" else Said(said.free, (*said.kept, value.text))
        _write(options.state_dir, said)
    console.print(_closing(said, options.free_values), markup=False)


def _introduction(asked: Sequence[RankedValue]) -> str:
    if not asked:
        return "no value is left to ask about"
    return (
        f"{counted(len(asked), 'value')} on which suspicions rest, those of most tests first. A value is free if no"
        " test has to run before another because of it: a login that is there from the start, a word of the page.\n"
        "y: free, its suspicions are dropped. n: not free. q: enough."
    )


def _answered(value: RankedValue, answer: Callable[[str], str]) -> str:
    told = f"`{_shortened(shown(value.text))}`: in {counted(value.tests, 'test')}, {counted(value.edges, 'suspicion')}"
    question = f"{told}, {value.only:,} of them by nothing else. Free? [y/n/q] "
    while True:
        word = answer(question).strip().lower()[:1]
        if word in ("y", "n", "q"):
            return word


def _shortened(value: str) -> str:
    return value if len(value) <= _LONGEST_TOLD else value[: _LONGEST_TOLD - 1] + "…"


def _closing(said: Said, configured: Iterable[str]) -> str:
    free = dict.fromkeys((*configured, *said.free))
    if not free:
        return "no other value is free"
    kept = "kept in the state directory. " if said.free else ""
    listed = ", ".join(map(_toml, filter(_is_whole, free)))
    return f"{kept}To share it, put this into the configuration:\nfree-values = [{listed}]"


def _toml(text: str) -> str:
    r"""As a string of TOML, in which every character is visible.

    >>> print(_toml('a "b"\n\x9b'))
    "a \"b\"\u000A\u009B"
    """
    return '"' + "".join(_toml_character(character) for character in text) + '"'


def _toml_character(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    return f"\\U{ord(character):08X}" if ord(character) > _LARGEST_SHORT else f"\\u{ord(character):04X}"


def _is_whole(text: str) -> bool:
    """Half a character cannot be written in TOML."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _write(state: Path, said: Said) -> None:
    document = {"format": _FORMAT, "free": list(said.free), "kept": list(said.kept)}
    write_atomically(state / _FILE, json.dumps(document, indent=1) + "\n")


def _texts(items: Cursor) -> tuple[str, ...]:
    return tuple(item.text() for item in items.items())
