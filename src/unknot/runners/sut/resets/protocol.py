"""How a system under test is brought back to a state that it had before."""

import os
import shlex
from pathlib import Path
from typing import ClassVar

from unknot.model.errors import UsageError
from unknot.runners.sut.commands import InstanceContext
from unknot.runners.sut.placeholders import filled, names_in
from unknot.runners.sut.spec import ResetSpec

CLEAN = "clean"
"""The name of the first state kept: what every order starts from."""


class ResetOptions:
    """Values by name. A value that cannot be meant is a UsageError that names the kind and the option."""

    def __init__(self, spec: ResetSpec, context: InstanceContext) -> None:
        self._kind = spec.kind
        self._given = dict(spec.options)
        self._context = context

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

    def flag(self, name: str) -> bool:
        value = self.text(name, "false").lower()
        if value not in ("true", "false"):
            raise self.wrong(name, f"is true or false, not {value!r}")
        return value == "true"

    def path(self, name: str, text: str) -> Path:
        """A file or directory that belongs to this instance alone. Anything else is refused: it would be shared by all
        workers, and it would be written over."""
        path = Path(os.path.realpath(self._context.work / text))
        homes = [Path(os.path.realpath(home)) for home in (self._context.directory, self._context.work)]
        if path == homes[1] or not any(path.is_relative_to(home) for home in homes):
            raise self.wrong(
                name,
                f"is {path}, which is not below the instance's own directory {homes[0]}",
                hint="let the system keep its data below {dir} (UNKNOT_DIR), so that each worker has its own",
            )
        return path

    def wrong(self, name: str, why: str, *, hint: str = "see docs/reference/resets.md") -> UsageError:
        return UsageError(f"reset {self._kind!r}: the option {name!r} {why}", hint=hint, slug="reset-config")

    def _filled(self, name: str, text: str) -> str:
        values = self._context.placeholders
        for each in names_in(text):
            if each not in values:
                known = ", ".join(f"{{{value}}}" for value in values)
                raise self.wrong(name, f"has the unknown placeholder {{{each}}}", hint=f"there are {known}")
        return filled(text, values)


class Reset:
    """Keeps states of one instance under names, and puts them back.

    A name is made of letters, digits, `-` and `_`; the first one kept is `CLEAN`. Keeping a name a second time replaces
    what was kept. `needs_stop` says that the system must not run while a state is kept, put back or forgotten.
    `can_fork` says that states can be kept under several names; where it is false only `CLEAN` is ever kept, and for
    some kinds keeping does nothing, because they make the state from scratch. `keep` may cut connections to the system,
    `put_back` too. All of them raise RunnerError when they cannot do what they say; the state is unknown then.

    `OPTIONS` are the names of a kind's options, `REQUIRED` those that it cannot do without.
    """

    OPTIONS: ClassVar[frozenset[str]] = frozenset()
    REQUIRED: ClassVar[tuple[str, ...]] = ()
    needs_stop = False
    can_fork = False

    def __init__(self, options: ResetOptions, context: InstanceContext) -> None:
        """Does nothing to the instance yet. Raises UsageError."""

    def keep(self, name: str) -> None:
        pass

    def put_back(self, name: str) -> None:
        raise NotImplementedError

    def forget(self, name: str) -> None:
        pass
