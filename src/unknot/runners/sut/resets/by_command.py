"""A command of the user's that puts the system back while it runs."""

from unknot.runners.sut.resets.programs import run_program
from unknot.runners.sut.resets.protocol import CLEAN, ResetContext, ResetOptions


class RestartReset:
    """The instance is stopped, its owner empties its directory, prepares and starts it again, so the clean state is as
    good as the last two. Cost: whatever they take."""

    needs_stop = True
    can_fork = False

    def __init__(self, options: ResetOptions, placed: ResetContext) -> None:
        pass

    def keep(self, name: str) -> None:
        pass

    def put_back(self, name: str) -> None:
        raise AssertionError(f"{name} was not kept: it is made from scratch")

    def forget(self, name: str) -> None:
        pass


class CommandReset:
    """`run` must succeed. What it does, and that it is enough, is the user's to know. It knows one state: the clean
    one. Cost: the command."""

    needs_stop = False
    can_fork = False

    def __init__(self, options: ResetOptions, placed: ResetContext) -> None:
        self._words = options.words("run")
        self._placed = placed
        if not self._words:
            raise options.wrong("run", "is an empty command")

    def keep(self, name: str) -> None:
        pass

    def put_back(self, name: str) -> None:
        assert name == CLEAN, name
        run_program(self._words, self._placed, purpose="the reset command")

    def forget(self, name: str) -> None:
        pass
