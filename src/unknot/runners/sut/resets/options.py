"""What the user said about one reset, with placeholders filled."""

import os
import shlex
from pathlib import Path

from unknot.model.errors import UsageError
from unknot.runners.sut.placeholders import filled, unknown_names
from unknot.runners.sut.resets.protocol import ResetContext
from unknot.runners.sut.spec import ResetSpec


class ResetOptions:
    """Values by name. A value that cannot be meant is a UsageError that names the kind and the option."""

    def __init__(self, spec: ResetSpec, placed: ResetContext) -> None:
        self._kind = spec.kind
        self._given = dict(spec.options)
        self._placed = placed

    def has(self, name: str) -> bool:
        return bool(self._given.get(name))

    def text(self, name: str, default: str = "") -> str:
        value = self._given.get(name, default)
        if not isinstance(value, str):
            raise self.wrong(name, f"is one text, not {len(value)}")
        return self._filled(name, value)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._given.get(name, ())
        return tuple(self._filled(name, text) for text in ((value,) if isinstance(value, str) else value))

    def words(self, name: str) -> tuple[str, ...]:
        """A command. One string is split as a shell would; placeholders are filled after that, so that a directory
        with a space in its name stays one word."""
        value = self._given.get(name, ())
        try:
            words = shlex.split(value) if isinstance(value, str) else value
        except ValueError as problem:
            raise self.wrong(name, f"cannot be split into words: {problem}") from problem
        return tuple(self._filled(name, word) for word in words)

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.text(name, "true" if default else "false").lower()
        if value not in ("true", "false"):
            raise self.wrong(name, f"is true or false, not {value!r}")
        return value == "true"

    def path(self, name: str, text: str) -> Path:
        """A file or directory that belongs to this instance alone. Anything else is refused: it would be shared by all
        workers, and it would be written over."""
        path = Path(os.path.realpath(self._placed.work / text))
        homes = [Path(os.path.realpath(home)) for home in (self._placed.directory, self._placed.work)]
        if path == homes[1] or not any(path.is_relative_to(home) for home in homes):
            raise self.wrong(
                name,
                f"is {path}, which is not below the instance's own directory {homes[0]}",
                hint="let the system keep its data below {dir} (UNKNOT_DIR), so that each worker has its own",
            )
        return path

    def wrong(self, name: str, why: str, *, hint: str = "") -> UsageError:
        return UsageError(
            f"reset {self._kind!r}: the option {name!r} {why}", hint=hint or "see docs/reference/resets.md"
        )

    def _filled(self, name: str, text: str) -> str:
        values = self._placed.placeholders
        for unknown in unknown_names(text, values):
            known = ", ".join(f"{{{each}}}" for each in values)
            raise self.wrong(name, f"has the unknown placeholder {unknown}", hint=f"there are {known}")
        return filled(text, values)
