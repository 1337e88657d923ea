"""Documents as the published abstractions compare them: the DOM as a string without scripts, or its elements as a tree.

Reference
    Crawljax 4.2 strips white space and `script` elements from what the browser serialises, and compares strings, or
    the element trees below `body`. Observations have this document if the application was asked to keep it; others
    are compared by their elements in view.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

from unknot.model.web.element import Element
from unknot.web.application.observation import Observation

_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_LEFT_OUT = frozenset({"script", "noscript"})


@dataclass
class TagTree:
    """An element by its tag."""

    label: str
    children: "list[TagTree]" = field(default_factory=list)

    def walk(self) -> "Iterator[TagTree]":
        """In document order."""
        waiting = [self]
        while waiting:
            each = waiting.pop()
            yield each
            waiting.extend(reversed(each.children))


def document_text(observation: Observation) -> str:
    """Cost: linear in the document."""
    return "".join(_Stripped(document_of(observation)).text)


def tag_tree(observation: Observation) -> TagTree:
    """The elements below `body`."""
    return _Stripped(document_of(observation)).body


def document_of(observation: Observation) -> str:
    return observation.html or "".join(_markup(observation.root))


def _markup(root: Element) -> Iterator[str]:
    waiting: list[Element | str] = [root]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
            continue
        tag = "body" if each is root else each.tag or each.role
        attributes = "".join(f' {name}="{escape(value)}"' for name, value in each.attributes)
        yield f"<{tag}{attributes}>{escape(each.text or ('' if each.children else each.name))}"
        waiting.append(f"</{tag}>" if tag not in _VOID else "")
        waiting.extend(reversed(each.children))


class _Stripped(HTMLParser):
    """What is left of a document. Browsers write well-formed documents, so that nothing needs to be repaired."""

    def __init__(self, document: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.body = TagTree("body")
        self._open: list[TagTree] = []
        self._skips = 0
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _LEFT_OUT:
            self._skips += 1
        if self._skips:
            return
        attributes = "".join(f' {name}="{value or ""}"' for name, value in attrs)
        self.text.append(f"<{tag}{attributes}>")
        if tag == "body":
            self._open = [self.body]
        elif self._open:
            made = TagTree(tag)
            self._open[-1].children.append(made)
            if tag not in _VOID:
                self._open.append(made)

    def handle_endtag(self, tag: str) -> None:
        if tag in _LEFT_OUT:
            self._skips = max(0, self._skips - 1)
        elif not self._skips:
            self.text.append(f"</{tag}>")
            if tag not in _VOID and any(each.label == tag for each in self._open):
                while self._open and self._open.pop().label != tag:
                    pass

    def handle_data(self, data: str) -> None:
        if not self._skips:
            self.text.append(" ".join(data.split()))
