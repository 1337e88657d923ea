"""A page taken apart: what tests of pages ask about."""

from html.parser import HTMLParser

_VOID = {"meta"}


class Page(HTMLParser):
    """Checks that tags are balanced; keeps the text, the tags and their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    @property
    def attributes(self) -> list[tuple[str, str]]:
        return [attribute for _, attributes in self.elements for attribute in attributes.items()]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
