"""What is in view, from two answers of the browser: its document snapshot, and its accessibility tree.

The page cannot change what they say: no script runs in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unknot.web.application.element import (
    CHECKED,
    CLICKABLE,
    COVERED,
    DISABLED,
    EXPANDED,
    INVALID,
    READ_ONLY,
    REQUIRED,
    TEXT,
    Element,
)

SNAPSHOT_OPTIONS = {"computedStyles": ["pointer-events"], "includePaintOrder": True}
"""For DOMSnapshot.captureSnapshot."""

_ELEMENT_NODE, _TEXT_NODE = 1, 3

_NO_MEANING = frozenset(
    {"", "generic", "none", "presentation", "LabelText", "strong", "emphasis", "paragraph", "Section", "StaticText"}
)
"""Roles of elements that only group others: what is in them is shown in their place."""

_NAMES = {"RootWebArea": "document", "Iframe": "iframe", "DisclosureTriangle": "button", "PopUpButton": "combobox"}
"""Chromium's own names of roles."""

_ATTRIBUTES = frozenset(
    {
        "id", "class", "name", "type", "href", "title", "placeholder", "autocomplete", "min", "max", "step", "pattern",
        "maxlength", "minlength", "accept", "multiple", "action", "method", "data-testid", "data-name", "value",
        "target",
    }
)  # fmt: skip

_FLAGS = {"disabled": DISABLED, "required": REQUIRED, "expanded": EXPANDED, "readonly": READ_ONLY}

Json = Mapping[str, Any]


def element_tree(snapshot: Json, accessibility: Json) -> Element:
    """The main document as a tree; elements that are not displayed, or hidden from assistive technology, are left out,
    unless they can be clicked. Cost: linear in the document, and in its boxes for each element that can be clicked."""
    return _Document(snapshot, accessibility).tree()


class _Document:
    def __init__(self, snapshot: Json, accessibility: Json) -> None:
        self._strings: Sequence[str] = snapshot["strings"]
        document = snapshot["documents"][0]
        self._nodes: Json = document["nodes"]
        self._parents: Sequence[int] = self._nodes["parentIndex"]
        self._children: dict[int, list[int]] = {}
        for index, parent in enumerate(self._parents):
            self._children.setdefault(parent, []).append(index)
        self._clickable = frozenset(self._nodes["isClickable"]["index"])
        self._values = {**self._rare("textValue"), **self._rare("inputValue")}
        self._selected = frozenset(self._nodes["optionSelected"]["index"])
        self._roles = {
            node["backendDOMNodeId"]: node
            for node in accessibility["nodes"]
            if "backendDOMNodeId" in node and not node.get("ignored")
        }
        self._boxes = _Boxes(document["layout"], self._strings, self._parents)

    def tree(self) -> Element:
        found = [child for index in self._children.get(-1, []) for child in self._shown(index)]
        title = next((each.name for each in found if each.role == "document"), "")
        children = tuple(child for each in found for child in (each.children if each.role == "document" else (each,)))
        return Element("document", title, children=children)

    def _shown(self, root: int) -> list[Element]:
        """The element of a node, or what stands in its place. Without recursion: pages may be nested deeply."""
        done: dict[int, list[Element]] = {}
        waiting = [(root, False)]
        while waiting:
            index, is_ready = waiting.pop()
            if not is_ready:
                waiting.append((index, True))
                if self._nodes["nodeName"][index] < 0 or self._tag(index) != "select":
                    waiting.extend((child, False) for child in self._children.get(index, ()))
                continue
            below = [each for child in self._children.get(index, ()) for each in done.pop(child, [])]
            done[index] = self._made(index, below)
        return done[root]

    def _made(self, index: int, below: list[Element]) -> list[Element]:
        kind = self._nodes["nodeType"][index]
        known = self._roles.get(self._nodes["backendNodeId"][index])
        if kind == _TEXT_NODE:
            text = " ".join(self._name(known).split()) if known else ""
            return [Element(TEXT, text=text)] if text and self._boxes.has(index) else []
        role = _NAMES.get(known["role"]["value"], known["role"]["value"]) if known else ""
        # A click on a label is one on its field.
        can_be_clicked = index in self._clickable and self._boxes.has(index) and self._tag(index) != "label"
        if role in _NO_MEANING and not can_be_clicked:
            return below
        if role == "document":
            return [Element("document", self._name(known), children=tuple(below))]
        if kind != _ELEMENT_NODE or not (self._boxes.has(index) or self._is_upload(index)):
            return below
        return [
            Element(
                "generic" if role in _NO_MEANING else role,
                " ".join(self._name(known).split()),
                tag=self._tag(index),
                value=self._value(index),
                attributes=tuple(self._attributes(index)),
                options=tuple(self._options(index)),
                states=frozenset(self._states(index, known, can_be_clicked)),
                children=tuple(below),
            )
        ]

    def _states(self, index: int, known: Json | None, can_be_clicked: bool) -> Iterator[str]:
        if can_be_clicked:
            yield CLICKABLE
            if self._boxes.is_covered(index):
                yield COVERED
        for each in known.get("properties", ()) if known else ():
            value = each["value"].get("value")
            if each["name"] in _FLAGS and value is True:
                yield _FLAGS[each["name"]]
            elif each["name"] == "invalid" and value not in (None, "false", False):
                yield INVALID
            elif each["name"] == "checked" and value in ("true", True):
                yield CHECKED

    def _attributes(self, index: int) -> Iterator[tuple[str, str]]:
        for name, value in _pairs(self._nodes["attributes"][index]):
            if (text := self._text(name).lower()) in _ATTRIBUTES:
                yield text, self._text(value)

    def _options(self, index: int) -> Iterator[str]:
        """What a select offers, without what is disabled or stands for nothing."""
        if self._tag(index) != "select":
            return
        for option in self._below(index, "option"):
            attributes = self._nodes["attributes"][option]
            names = {self._text(name).lower(): self._text(value) for name, value in _pairs(attributes)}
            text = " ".join(self._text_below(option).split())
            if "disabled" not in names and names.get("value") != "" and text:
                yield names.get("label") or text

    def _value(self, index: int) -> str:
        if self._tag(index) == "select":
            chosen = (option for option in self._below(index, "option") if option in self._selected)
            return next((" ".join(self._text_below(option).split()) for option in chosen), "")
        return self._text(self._values.get(index, -1))

    def _below(self, index: int, tag: str) -> Iterator[int]:
        waiting = [index]
        while waiting:
            each = waiting.pop()
            waiting.extend(reversed(self._children.get(each, ())))
            if self._tag(each) == tag:
                yield each

    def _text_below(self, index: int) -> str:
        waiting, found = [index], []
        while waiting:
            each = waiting.pop()
            waiting.extend(reversed(self._children.get(each, ())))
            if self._nodes["nodeType"][each] == _TEXT_NODE:
                found.append(self._text(self._nodes["nodeValue"][each]))
        return "".join(found)

    def _is_upload(self, index: int) -> bool:
        return ("type", "file") in self._attributes(index)

    def _tag(self, index: int) -> str:
        return self._text(self._nodes["nodeName"][index]).lower()

    def _text(self, number: int) -> str:
        return self._strings[number] if number >= 0 else ""

    def _rare(self, name: str) -> dict[int, int]:
        values = self._nodes.get(name, {"index": [], "value": []})
        return dict(zip(values["index"], values["value"], strict=True))

    @staticmethod
    def _name(known: Json | None) -> str:
        return str(known.get("name", {}).get("value", "")) if known else ""


class _Boxes:
    """Where elements are painted, and what lies on top."""

    def __init__(self, layout: Json, strings: Sequence[str], parents: Sequence[int]) -> None:
        self._parents = parents
        self._bounds: dict[int, tuple[float, float, float, float]] = {}
        self._painted: list[tuple[int, int]] = []
        for place, index in enumerate(layout["nodeIndex"]):
            left, top, width, height = layout["bounds"][place]
            self._bounds[index] = (left, top, left + width, top + height)
            styles = layout["styles"][place]
            catches = not styles or strings[styles[0]] != "none"
            if catches and width > 0 and height > 0:
                self._painted.append((layout["paintOrders"][place], index))

    def has(self, index: int) -> bool:
        """Whether it takes room on the page."""
        if index not in self._bounds:
            return False
        left, top, right, bottom = self._bounds[index]
        return right > left and bottom > top and right > 0 and bottom > 0

    def is_covered(self, index: int) -> bool:
        """Whether a click on its middle would meet an element that is neither below nor above it in the document."""
        left, top, right, bottom = self._bounds[index]
        across, down = (left + right) / 2, (top + bottom) / 2
        topmost = -1, index
        for order, each in self._painted:
            box = self._bounds[each]
            if order >= topmost[0] and box[0] <= across < box[2] and box[1] <= down < box[3]:
                topmost = order, each
        return not (self._is_above(index, topmost[1]) or self._is_above(topmost[1], index))

    def _is_above(self, ancestor: int, index: int) -> bool:
        while index >= 0:
            if index == ancestor:
                return True
            index = self._parents[index]
        return False


def _pairs(flat: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(flat[::2], flat[1::2], strict=True)
