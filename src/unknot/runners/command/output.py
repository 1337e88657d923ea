"""What a command printed and wrote: read with bounds, whatever it is."""

import os
import signal
from pathlib import Path

from unknot.model.errors import RunnerError

_MOST_RESULTS = 256 * 1024 * 1024
"""Of results. More is refused."""

_MOST_TALK = 16 * 1024 * 1024
"""Of what is only read when something goes wrong. More is thrown away while the command runs."""

_STORY = 8 * 1024


class Output:
    """The two files that a command prints into, `name` and something more. `is_results` says that outcomes are read
    from standard output; `together` that both go into one, as on a screen."""

    def __init__(self, name: Path, *, is_results: bool, together: bool) -> None:
        self.stdout = name.with_name(f"{name.name}-stdout")
        self.stderr = self.stdout if together else name.with_name(f"{name.name}-stderr")
        self._is_results = is_results

    def hold_down(self) -> None:
        """To be called now and then while the command runs. Raises RunnerError if results grow past all bounds."""
        for path in {self.stdout, self.stderr}:
            grown = _size(path)
            if path is self.stdout and self._is_results:
                if grown > _MOST_RESULTS:
                    raise RunnerError(
                        f"the command printed more than {_MOST_RESULTS // 1024 // 1024} MB where its results should be",
                        hint="let the tests print less, or the command write its results to a file: `results-file`",
                        slug="results-too-large",
                    )
            elif grown > _MOST_TALK:
                # The writer appends, so that this can be done under its hands.
                os.truncate(path, 0)

    def story(self) -> str:
        """The end of both, for a person."""
        paths = [self.stdout] if self.stderr is self.stdout else [self.stdout, self.stderr]
        return "\n".join(filter(None, (_tail(path) for path in paths)))


def in_words(status: int) -> str:
    """How a process ended."""
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"


def _size(path: Path) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def _tail(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _STORY))
            return file.read(_STORY).decode(errors="replace").strip()
    except OSError:
        return ""
