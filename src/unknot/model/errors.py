"""What can go wrong that is not a test's failure. Each is printed without a traceback."""

from enum import IntEnum


class ExitCode(IntEnum):
    """As pytest's for 0 to 5; our own from 10."""

    CLEAN = 0
    FOUND = 1
    INTERRUPTED = 2
    INTERNAL = 3
    USAGE = 4
    NO_TESTS = 5
    INCOMPLETE = 10
    RUNNER = 12
    STORAGE = 13


class UnknotError(Exception):
    """`message` says what happened and names the thing; `hint` says what to do. `slug` identifies the kind of error: it
    is stable between versions and has an entry in docs/reference/messages.md."""

    exit_code = ExitCode.INTERNAL

    def __init__(self, message: str, *, slug: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.slug = slug
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        """Errors cross process borders; the usual way would call `__init__` without its keywords."""
        return Exception.__new__, (type(self), *self.args), self.__dict__


class UsageError(UnknotError):
    """A wrong option, value, path or configuration key."""

    exit_code = ExitCode.USAGE


class NoTestsError(UnknotError):
    """Nothing was collected."""

    exit_code = ExitCode.NO_TESTS


class CollectionError(UnknotError):
    """pytest could not collect the suite; its own exit code is kept."""

    def __init__(self, message: str, *, slug: str, hint: str = "", exit_code: ExitCode = ExitCode.INTERRUPTED) -> None:
        super().__init__(message, slug=slug, hint=hint)
        self.exit_code = exit_code


class RunnerError(UnknotError):
    """A run gave no verdict, for a reason that is not the test's."""

    exit_code = ExitCode.RUNNER


class StorageError(UnknotError):
    """The journal, the lock file or a report cannot be read or written."""

    exit_code = ExitCode.STORAGE


class NewerFormatError(StorageError):
    """A file that a later version has written: not damaged, and not ours to replace."""


class BudgetExhausted(Exception):
    """A signal, not an error: run no more orders; what is known so far is the result."""
