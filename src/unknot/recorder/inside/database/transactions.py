"""What of a connection's writes is there to stay."""

from typing import NamedTuple

from unknot.recorder.inside.database.statements import BEGIN, COMMIT, RELEASE, ROLLBACK, ROLLBACK_TO, SAVEPOINT
from unknot.recorder.inside.stack import Frame


class Write(NamedTuple):
    location: str
    stack: list[Frame]
    is_emptied: bool = False


class Transaction:
    """Holds back the writes of a connection until they are committed. Outside of a transaction each stays at once."""

    def __init__(self, *, is_open: bool = False) -> None:
        self._is_open = is_open
        self._pending: list[Write] = []
        self._savepoints: list[tuple[str, int]] = []
        self._handed_over: set[str] = set()

    def write(self, writes: list[Write]) -> list[Write]:
        """Which of them stay at once."""
        if not self._is_open:
            return writes
        self._pending += writes
        return []

    def turn(self, does: str, name: str, stack: list[Frame]) -> list[Write]:
        """BEGIN, COMMIT and so on: which writes are there to stay by it."""
        if does == BEGIN:
            self._is_open = True
        elif does == SAVEPOINT:
            # Outside of a transaction it begins one, which its release ends.
            self._savepoints.append((name, len(self._pending) if self._is_open else -1))
            self._is_open = True
        elif does == RELEASE:
            return self._release(name)
        elif does == ROLLBACK_TO:
            self._undo_to(name)
        elif does == ROLLBACK:
            return self._undo(stack)
        elif does == COMMIT:
            return self._commit()
        return []

    def hand_over(self) -> list[Write]:
        """What is neither committed nor undone when the test ends: its own connection shows it to later tests."""
        left, self._pending = self._pending, []
        self._handed_over.update(write.location for write in left)
        self._savepoints = [(name, min(place, 0)) for name, place in self._savepoints]
        return left

    def _commit(self) -> list[Write]:
        done, self._pending = self._pending, []
        self._savepoints, self._is_open, self._handed_over = [], False, set()
        return done

    def _undo(self, stack: list[Frame]) -> list[Write]:
        """Undoing what an earlier test has left is a change for those that come after."""
        undone = [Write(location, stack) for location in sorted(self._handed_over)]
        self._pending = []
        self._commit()
        return undone

    def _undo_to(self, name: str) -> None:
        for at in range(len(self._savepoints) - 1, -1, -1):
            if self._savepoints[at][0] == name:
                del self._pending[max(self._savepoints[at][1], 0) :]
                del self._savepoints[at + 1 :]
                return

    def _release(self, name: str) -> list[Write]:
        for at in range(len(self._savepoints) - 1, -1, -1):
            if self._savepoints[at][0] == name:
                began_it = self._savepoints[at][1] < 0
                del self._savepoints[at:]
                return self._commit() if began_it else []
        return []
