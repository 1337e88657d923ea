"""Values that imply no dependency although tests share them: named in the options, or reviewed once and kept."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from unknot.model.candidates import StringUse
from unknot.report.wording import counted
from unknot.store.atomic import write_atomically
from unknot.store.state_directory import StateDirectory
from unknot.store.typed_json import (
    ErrorTemplate,
    JsonReader,
    explained,
    load,
)
from unknot.web.hints.strings import FEWEST_TESTS, rank_values

_FORMAT = 1
_COMMON = 0.8
_LONGEST_SHOWN = 200
_MOST_NOTED = 5
_UNREADABLE = ErrorTemplate(
    slug="file-unreadable",
    hint="Remove it and run `unknot candidates --review` again.",
    message="{path} cannot be read: {fault}",
)


@dataclass(frozen=True)
class ReviewedValues:
    """The answers of a review: values that are free, and values that are not."""

    free: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def notes_on_dropped(everywhere: Collection[str]) -> list[str]:
    """Values that were dropped without a review: otherwise a small suite in which every test uses the same value looks
    as if it had none. At most one note."""
    dropped = sorted(everywhere)
    if not dropped:
        return []
    named = ", ".join(f"`{shortened(value)}`" for value in dropped[:_MOST_NOTED])
    more = f" and {len(dropped) - _MOST_NOTED} more" if len(dropped) > _MOST_NOTED else ""
    return [f"every test uses {named}{more}: such values make no candidates"]


def notes_on_common(uses: Sequence[StringUse], free: Collection[str]) -> list[str]:
    """Values that nearly all tests use and that are not known to be free: mostly they imply no dependency, and most
    pairs rest on them."""
    least = max(FEWEST_TESTS, _COMMON * len(uses))
    common = [value for value in rank_values(uses, free) if value.only and value.tests >= least]
    if not common:
        return []
    named = ", ".join(f"`{shortened(value.text)}` ({counted(value.only, 'pair')})" for value in common[:_MOST_NOTED])
    return [
        f"pairs rest on values that nearly all tests use: {named}; drop free ones with `unknot candidates --review`"
    ]


def read_reviewed(state: Path) -> ReviewedValues:
    """Empty if there was no review. Raises StorageError for a file that is not ours."""
    path = StateDirectory(state).free_values
    if not path.exists():
        return ReviewedValues()
    with explained(path, {"unreadable": _UNREADABLE, "damaged": _UNREADABLE}):
        document = load(path, known_format=_FORMAT)
        return JsonReader(required={ReviewedValues: ("free", "kept")}).read(ReviewedValues, document)


def write_reviewed(state: Path, reviewed: ReviewedValues) -> None:
    document = {"format": _FORMAT, "free": list(reviewed.free), "kept": list(reviewed.kept)}
    write_atomically(StateDirectory(state).free_values, json.dumps(document, indent=1) + "\n")


def shortened(value: str) -> str:
    return value if len(value) <= _LONGEST_SHOWN else value[: _LONGEST_SHOWN - 1] + "…"
