"""What following one test has brought to light so far."""

from dataclasses import dataclass, field

from unknot.model.candidates import Mention, StringUse
from unknot.model.recording import Frame
from unknot.web.readers.interpreter.values import Text, Uncounted, Value, options, texts_in

LONGEST_TEXT = 2_000
MOST_SAID = 5_000


@dataclass(eq=False)
class StringTrace:
    """Texts by their first place, in the sequence in which they came up. A blank text is none; a very long one is data
    that nobody types, and is left out."""

    used: dict[str, Frame | None] = field(default_factory=dict)
    submitted: dict[str, Frame | None] = field(default_factory=dict)
    gaps: dict[str, None] = field(default_factory=dict)

    def uses(self, value: Value) -> None:
        for text in texts_in(value):
            if text.is_text:
                self._keep(self.used, text)

    def submits(self, value: Value) -> None:
        for lost in (option for option in options(value) if isinstance(option, Uncounted)):
            self.misses(f"{lost.loop.file}:{lost.loop.line} types numbers of its rounds, and how many is not known")
        for text in texts_in(value):
            self._keep(self.used, text)
            if text.text in self.used:
                self._keep(self.submitted, Text(text.text, self.used[text.text]))

    def misses(self, gap: str) -> None:
        if len(self.gaps) < MOST_SAID:
            self.gaps.setdefault(gap)

    def _keep(self, texts: dict[str, Frame | None], text: Text) -> None:
        if text.text.strip() and len(text.text) <= LONGEST_TEXT and len(texts) < MOST_SAID:
            texts.setdefault(text.text, text.place)

    def again(self, earlier: "StringTrace") -> None:
        for mine, other in ((self.used, earlier.used), (self.submitted, earlier.submitted)):
            for text, place in other.items():
                mine.setdefault(text, place)
        self.gaps.update(earlier.gaps)

    @property
    def as_use(self) -> StringUse:
        return StringUse(
            tuple(Mention(text, place) for text, place in self.submitted.items()),
            tuple(Mention(text, place) for text, place in self.used.items()),
            tuple(self.gaps),
        )
