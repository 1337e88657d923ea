"""Reads a JSON document that unknot wrote into the state directory and that may be damaged."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from unknot.model.errors import StorageError

_T = TypeVar("_T")


@dataclass(frozen=True)
class Stored(Generic[_T]):
    """`what` is the name of such a document in messages, `hint` says how to get a new one. `build` may trip over
    anything that is not what was written."""

    what: str
    format: int
    hint: str
    build: Callable[[dict[str, Any]], _T]

    def read(self, path: Path) -> _T:
        """Raises StorageError for a file that is missing, damaged or of another format."""
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            told = f"{path}: there is no {self.what} of the suite ({error.strerror})"
            raise StorageError(told, hint=self.hint, slug="state-missing") from None
        except (ValueError, RecursionError):
            raise self._damaged(path) from None
        if not isinstance(document, dict) or document.get("format") != self.format:
            raise StorageError(
                f"{path}: the {self.what} was written by another version", hint=self.hint, slug="state-other-version"
            )
        try:
            return self.build(document)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            raise self._damaged(path) from None

    def _damaged(self, path: Path) -> StorageError:
        return StorageError(f"{path}: the {self.what} is damaged", hint=self.hint, slug="state-damaged")
