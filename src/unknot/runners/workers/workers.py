"""Who runs the tasks: processes of this machine, or of many."""

from concurrent.futures import Executor
from typing import Protocol


class Workers(Protocol):
    """`executor` runs tasks at the same time, `count` of them at present; 0 if there is nobody now, which may change.
    `elsewhere` says that they may see other files than the caller does."""

    @property
    def executor(self) -> Executor: ...

    @property
    def count(self) -> int: ...

    @property
    def ahead(self) -> int:
        """Tasks to be submitted for each worker, so that none is idle while a reply is on its way and the caller
        thinks. More would make a stop slow."""
        ...

    @property
    def elsewhere(self) -> bool: ...

    def deaths(self, error: BaseException) -> int:
        """How many workers have died over a task that ended with this; 0 if it ended for another reason."""
        ...

    def close(self, session: str) -> None:
        """Ends the slots of this session, wherever they are, and whatever runs there. To be called once."""
        ...
