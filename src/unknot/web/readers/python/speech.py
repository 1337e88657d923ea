"""What is heard of one test while its code is read."""

from dataclasses import dataclass, field

from unknot.model.candidates import Mention, StringUse
from unknot.model.recording import Frame
from unknot.web.readers.python.scope import Scope

_SHORTEST_PART = 3
"""Of a text that is known in parts, shorter ones say nothing: a dash, a slash, a digit."""

_KINDS = ("@", ".")
"""Nor do parts that begin so: `@example.com` and `.png` say what kind of thing it is, and not which."""

_LONGEST_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class Place:
    """A line in a scope."""

    scope: Scope
    line: int

    @property
    def shown(self) -> str:
        return f"{self.scope.module.path}:{self.line}"

    @property
    def frame(self) -> Frame:
        return Frame(self.scope.module.path, self.line, self.scope.function)


@dataclass(slots=True)
class Speech:
    """Each text counts at the first place that mentions it. Nothing is heard of code that is `silent`: what a module
    does when it is imported, which belongs to no test."""

    silent: bool = False
    submitted: dict[str, Frame] = field(default_factory=dict)
    used: dict[str, Frame] = field(default_factory=dict)
    gaps: dict[str, None] = field(default_factory=dict)

    def uses(self, text: str, place: Place) -> None:
        if not self.silent and text not in self.used and _is_telling(text):
            self.used[text] = place.frame

    def submits(self, text: str, place: Place) -> None:
        self.uses(text, place)
        if not self.silent and text not in self.submitted and _is_telling(text):
            self.submitted[text] = place.frame

    def misses(self, what: str) -> None:
        self.gaps.setdefault(what)

    @property
    def heard(self) -> StringUse:
        return StringUse(
            tuple(Mention(text, frame) for text, frame in self.submitted.items()),
            tuple(Mention(text, frame) for text, frame in self.used.items()),
            tuple(self.gaps),
        )


def telling_parts(parts: tuple[str, ...]) -> list[str]:
    return [text for text in map(str.strip, parts) if len(text) >= _SHORTEST_PART and not text.startswith(_KINDS)]


def _is_telling(text: str) -> bool:
    return len(text) <= _LONGEST_TEXT and not text.isspace() and text != ""
