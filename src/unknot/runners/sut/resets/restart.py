"""The way back that is always right: nothing is kept, all is made anew."""

from unknot.runners.sut.resets.options import ResetOptions
from unknot.runners.sut.resets.protocol import ResetContext


class RestartReset:
    """Whoever owns the instance stops it, empties its directory, prepares and starts it again, so the clean state is as
    good as the last two. Cost: whatever they take."""

    needs_stop = True
    can_fork = False

    def __init__(self, options: ResetOptions, placed: ResetContext) -> None:
        pass

    def keep(self, name: str) -> None:
        pass

    def put_back(self, name: str) -> None:
        raise AssertionError(f"{name} was not kept: it is made anew")

    def forget(self, name: str) -> None:
        pass
