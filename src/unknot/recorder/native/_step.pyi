from collections.abc import Callable
from types import FrameType

from unknot.recorder.inside.stack import Frame

class Steps:
    def __new__(
        cls,
        is_users: Callable[[str], bool],
        take: Callable[[FrameType, int], list[Frame] | None],
        own_file: str,
        fingerprints: tuple[Callable[[], object], ...],
        most_lines: int,
        /,
    ) -> Steps: ...
    def install(self) -> None: ...
    def finish(self) -> list[list[Frame] | None]: ...
    def __call__(self, frame: FrameType, event: str, argument: object, /) -> Steps | None: ...
    @property
    def effort(self) -> str: ...
