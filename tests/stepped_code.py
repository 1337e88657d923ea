"""Runs a piece of a user's code under a stepper, with `repr` as the fingerprint of its globals."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from unknot.recorder.inside.second_pass.stepping import Stepper
from unknot.recorder.inside.stack import Frame, Stacks

Found = dict[str, list[Frame]]


class UsersFile:
    """A module of the user's, below its root. `line("# mark")` is the line on which a comment stands."""

    def __init__(self, directory: Path, source: str) -> None:
        self._source = source
        self.path = str(directory / "shop.py")
        Path(self.path).write_text(source)
        self.names: dict[str, Any] = {"__name__": "shop"}
        exec(compile(source, self.path, "exec"), self.names)

    def line(self, mark: str) -> int:
        (found,) = [number for number, text in enumerate(self._source.splitlines(), 1) if text.endswith(mark)]
        return found

    def lines(self, stack: list[Frame]) -> list[int]:
        assert {file for file, _, _ in stack} == {self.path}
        return [line for _, line, _ in stack]

    def fingerprint(self, name: str) -> Callable[[], object]:
        return lambda: repr(self.names.get(name))


def stepper_for(directory: Path, most_lines: int = 200_000) -> Stepper[str]:
    return Stepper(Stacks((str(directory),)), most_lines)


def stepped(users: UsersFile, stepper: Stepper[str], *names: str, call: str = "test") -> Found:
    """Calls a function of the file; whatever it raises is its own affair."""
    stepper.start({name: users.fingerprint(name) for name in names})
    try:
        users.names[call]()
    except Exception:  # noqa: BLE001 - a failing test is stepped through like any other
        pass
    finally:
        found = stepper.stop()
    return found
