"""The texts that one test submits and mentions, as far as its code was followed."""

from dataclasses import dataclass, field

from unknot.model.candidates import Mention, StringUse
from unknot.model.recording import Frame
from unknot.web.readers.interpreter import values as v

_LONGEST_TEXT = 2_000
_MOST_TEXTS = 5_000

_SHORTEST_PART = 3
"""Of a partly known text, shorter parts identify nothing: a dash, a slash, a digit."""

_KINDS = ("@", ".")
"""Nor do parts that begin so: `@example.com` and `.png` are kinds of things."""


@dataclass(eq=False)
class StringTrace:
    """Texts by their first place, in the sequence in which they came up. A blank text is none; a very long one is data
    that no test types, and is left out. Nothing is kept of code that `is_silent`: what a module does when it is
    imported, which belongs to no test."""

    is_silent: bool = False
    used: dict[str, Frame | None] = field(default_factory=dict)
    submitted: dict[str, Frame | None] = field(default_factory=dict)
    gaps: dict[str, None] = field(default_factory=dict)

    def uses(self, value: v.Value) -> None:
        for text in v.texts_in(value):
            if text.is_text:
                self._keep(self.used, text.text, text.place)

    def uses_text(self, text: str, place: Frame) -> None:
        self._keep(self.used, text, place)

    def submits(self, value: v.Value) -> None:
        for lost in v.options(value):
            if isinstance(lost, v.UncountedRound) and lost.loop is not None:
                self.add_gap(
                    f"{lost.loop.file}:{lost.loop.line} types numbers of its rounds, and how many is not known"
                )
        for text in v.texts_in(value):
            self._keep(self.used, text.text, text.place)
            if text.text in self.used:
                self._keep(self.submitted, text.text, self.used[text.text])

    def submits_text(self, text: str, place: Frame) -> None:
        self._keep(self.used, text, place)
        self._keep(self.submitted, text, place)

    def add_gap(self, gap: str) -> None:
        if len(self.gaps) < _MOST_TEXTS:
            self.gaps.setdefault(gap)

    def _keep(self, texts: dict[str, Frame | None], text: str, place: Frame | None) -> None:
        is_kept = not self.is_silent and len(text) <= _LONGEST_TEXT and len(texts) < _MOST_TEXTS
        if is_kept and text not in texts and text.strip():
            texts[text] = place

    def merge(self, earlier: "StringTrace") -> None:
        for mine, other in ((self.used, earlier.used), (self.submitted, earlier.submitted)):
            for text, place in other.items():
                mine.setdefault(text, place)
        self.gaps.update(earlier.gaps)

    @staticmethod
    def texts_of(value: v.Value) -> list[str]:
        """The texts of one value that is no collection: itself, or its significant parts."""
        if isinstance(value, v.Text):
            return [value.text] if value.is_text else []
        return significant_parts(value.parts) if isinstance(value, v.PartialText) else []

    @property
    def as_use(self) -> StringUse:
        return StringUse(
            tuple(Mention(text, place) for text, place in self.submitted.items()),
            tuple(Mention(text, place) for text, place in self.used.items()),
            tuple(self.gaps),
        )


def significant_parts(parts: tuple[str, ...]) -> list[str]:
    return [text for text in map(str.strip, parts) if len(text) >= _SHORTEST_PART and not text.startswith(_KINDS)]
