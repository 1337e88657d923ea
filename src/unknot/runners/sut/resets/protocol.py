"""How a system under test is brought back to a state that it had before."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

CLEAN = "clean"
"""The name of the first state kept: what every order starts from."""


class Reset(Protocol):
    """Keeps states of one instance under names, and puts them back.

    A name is made of letters, digits, `-` and `_`; the first one kept is `CLEAN`. Keeping a name a second time
    replaces what was kept. `needs_stop` says that the system must not run while a state is kept, put back or
    forgotten. `can_fork` says that states can be kept under several names; where it is false only `CLEAN` is ever kept,
    and for some kinds keeping does nothing, because they make the state anew. `keep` may cut connections to the system,
    `put_back` too. All of them raise RunnerError when they cannot do what they say; the state is unknown then.
    """

    @property
    def needs_stop(self) -> bool: ...

    @property
    def can_fork(self) -> bool: ...

    def keep(self, name: str) -> None: ...

    def put_back(self, name: str) -> None: ...

    def forget(self, name: str) -> None: ...


@dataclass(frozen=True)
class ResetContext:
    """The instance that a reset is for.

    `directory` is its private directory, `work` the working directory of commands. `store` is a private directory for
    kept states, outside `directory` and on the same file system. `environment` is the whole environment of what is
    started. `placeholders` are the names that options may use: dir, worker, port0, port1, …
    """

    directory: Path
    work: Path
    store: Path
    environment: Mapping[str, str]
    placeholders: Mapping[str, str]
