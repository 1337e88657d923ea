"""A text that may be long, kept at a bounded length while it comes in."""

STORY_LIMIT = 20_000
_HALF = STORY_LIMIT // 2
_WAITING_LIMIT = 4 * STORY_LIMIT


class StoryExcerpt:
    """Keeps the beginning and the end: the cause stands in either. Cost: a bounded number of characters, and time in
    proportion to what is added, however it is cut into pieces."""

    __slots__ = ("_head", "_left_out", "_tail", "_waiting", "_waiting_length")

    def __init__(self) -> None:
        self._head = self._tail = ""
        self._left_out = 0
        self._waiting: list[str] = []
        self._waiting_length = 0

    def add(self, text: str) -> None:
        self._waiting.append(text)
        # One for itself: a million empty pieces take room too.
        self._waiting_length += len(text) + 1
        if self._waiting_length > _WAITING_LIMIT:
            self._settle()

    def add_line(self, line: str) -> None:
        self.add(line + "\n")

    def text(self) -> str:
        self._settle()
        middle = f"\n[… {self._left_out:,} characters left out …]\n" if self._left_out else ""
        return self._head + middle + self._tail

    def _settle(self) -> None:
        text = "".join(self._waiting)
        self._waiting, self._waiting_length = [], 0
        room = _HALF - len(self._head)
        self._head += text[:room]
        tail = self._tail + text[room:]
        self._tail = tail[-_HALF:]
        self._left_out += len(tail) - len(self._tail)


def excerpt(*parts: str) -> str:
    """These texts that are not empty, one below the other, at a bounded length."""
    if not any(parts):
        return ""
    kept = StoryExcerpt()
    for part in filter(None, parts):
        kept.add_line(part.strip("\n"))
    return kept.text().rstrip("\n")
