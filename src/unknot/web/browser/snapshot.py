"""What is in view, from two answers of the browser: its document snapshot, and its accessibility tree.

The page cannot change what they say: no script runs in it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from unknot.model.web.element import (
    CHECKED,
    CLICKABLE,
    COVERED,
    DISABLED,
    ERROR,
    EXPANDED,
    HOVERED,
    INVALID,
    MODAL,
    READ_ONLY,
    REQUIRED,
    TEXT,
    VALIDATION,
    Element,
)

SNAPSHOT_OPTIONS = {"computedStyles": ["pointer-events", "cursor", "visibility"], "includePaintOrder": True}
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
        "target", "list", "aria-invalid", "aria-haspopup", "contenteditable",
    }
)  # fmt: skip

_ROLES_OF_TAGS = {"a": "link", "button": "button", "input": "button", "form": "form"}
_USABLE = frozenset({CLICKABLE, DISABLED})
_CONTROLS = frozenset({"link", "button", "textbox", "checkbox", "radio", "combobox", "menuitem", "tab", "option"})
_FLAGS = {"disabled": DISABLED, "required": REQUIRED, "expanded": EXPANDED, "readonly": READ_ONLY, "modal": MODAL}

_FIELD_TAGS = frozenset({"input", "select", "textarea"})
_CONTROL_TAGS = frozenset({"a", "button"})
"""What looks dangerous is no message."""

_IS_ERROR = re.compile(
    r"(?:^|[\s_-])(?:error|errors|errorlist|invalid|danger|alert|fail|failed|failure|problem)(?:$|[\s_-])"
)
_IS_NO_ERROR = re.compile(r"success|info|\bok\b")
_ERROR_STATES = frozenset({ERROR})
_ERROR_LEVELS = 4
"""So far above a text the page says that it is an error."""

_BAND, _MOST_BANDS = 64, 30
"""The height of a band of the page, in pixels, and how many of them a part may take before it is kept apart."""

Json = Mapping[str, Any]


def element_tree(snapshot: Json, accessibility: Json, objections: Mapping[int, str] | None = None) -> Element:
    """The main document as a tree; elements that are not displayed, or hidden from assistive technology, are left out,
    unless they can be clicked. `objections` are what the browser says of fields, by their number among all of the
    document. Cost: linear in the document; for each element that can be clicked, in the boxes at its height."""
    return _Document(snapshot, accessibility, objections or {}).tree()


class _Document:
    def __init__(self, snapshot: Json, accessibility: Json, objections: Mapping[int, str]) -> None:
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
        self._objections: dict[int, str] = {}
        if objections:
            fields = [index for index in range(len(self._parents)) if self._tag(index) in _FIELD_TAGS]
            self._objections = {fields[number]: text for number, text in objections.items() if number < len(fields)}
        self._errors: dict[int, bool] = {}
        self._datalists: dict[str, int] | None = None

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
                waiting.extend((child, False) for child in self._shown_children(index))
                continue
            below = [each for child in self._children.get(index, ()) for each in done.pop(child, [])]
            done[index] = self._made(index, below)
        return done[root]

    def _shown_children(self, index: int) -> Iterable[int]:
        tag = self._tag(index)
        if tag == "select":
            return ()
        children = self._children.get(index, ())
        if tag == "details" and "open" not in self._attribute_names(index):
            # The browser keeps the boxes of what it has shown before.
            return [child for child in children if self._tag(child) == "summary"][:1]
        return children

    def _attribute_names(self, index: int) -> frozenset[str]:
        return frozenset(self._text(name).lower() for name, _ in _pairs(self._nodes["attributes"][index]))

    def _made(self, index: int, below: list[Element]) -> list[Element]:
        kind = self._nodes["nodeType"][index]
        known = self._roles.get(self._nodes["backendNodeId"][index])
        if kind == _TEXT_NODE:
            text = " ".join(self._name(known).split()) if known else ""
            if not text or not self._boxes.has(index):
                return []
            return [Element(TEXT, text=text, states=_ERROR_STATES if self._is_error(index) else frozenset())]
        role = _NAMES.get(known["role"]["value"], known["role"]["value"]) if known else ""
        # A click on a label is one on its field.
        can_be_clicked = self._boxes.has(index) and self._tag(index) != "label"
        can_be_clicked = can_be_clicked and (index in self._clickable or self._invites(index, below))
        is_hidden = known is None and self._boxes.is_hidden(index)
        if is_hidden:
            role = _ROLES_OF_TAGS.get(self._tag(index), "") if can_be_clicked or self._tag(index) == "form" else ""
        is_upload = kind == _ELEMENT_NODE and self._is_upload(index)
        if role in _NO_MEANING and not (can_be_clicked or is_upload):
            return below
        if role == "document":
            return [Element("document", self._name(known), children=tuple(below))]
        if kind != _ELEMENT_NODE or not (self._boxes.has(index) or is_upload):
            return below
        return [
            Element(
                ("button" if is_upload else "generic") if role in _NO_MEANING else role,
                " ".join((self._hidden_name(index) if is_hidden else self._name(known)).split()),
                tag=self._tag(index),
                value=self._value(index),
                attributes=tuple(self._attributes(index)),
                options=tuple(self._options(index)),
                states=frozenset(self._states(index, known, can_be_clicked)),
                children=tuple(below),
            )
        ]

    def _invites(self, index: int, below: list[Element]) -> bool:
        """Whether the cursor says that it can be clicked, and nothing in it can: its listener is further up."""
        if not self._boxes.has_hand(index) or self._boxes.has_hand(self._parents[index]):
            return False
        return not any(each.states & _USABLE or each.role in _CONTROLS for top in below for each in top.walk())

    def _states(self, index: int, known: Json | None, can_be_clicked: bool) -> Iterator[str]:
        if can_be_clicked:
            yield CLICKABLE
            if self._boxes.is_covered(index):
                yield COVERED
            if known is None and self._boxes.is_hidden(index):
                yield HOVERED
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
        if objection := self._objections.get(index):
            yield VALIDATION, objection

    def _is_error(self, index: int) -> bool:
        """Whether a text stands in what the page calls an error, by its class or role."""
        for _ in range(_ERROR_LEVELS):
            index = self._parents[index]
            if index < 0:
                return False
            if index not in self._errors:
                names = {
                    self._text(name): self._text(value) for name, value in _pairs(self._nodes["attributes"][index])
                }
                words = f"{names.get('class', '')} {names.get('role', '')}".lower()
                self._errors[index] = bool(_IS_ERROR.search(words)) and not _IS_NO_ERROR.search(words)
            if self._errors[index] and self._tag(index) not in _CONTROL_TAGS:
                # A field that is wrong is no message.
                return self._tag(index) not in _FIELD_TAGS
        return False

    def _options(self, index: int) -> Iterator[str]:
        """What a select offers, without what is disabled or stands for nothing; what a field suggests."""
        if self._tag(index) != "select":
            index = self._suggestions(index)
            if index < 0:
                return
        for option in self._below(index, "option"):
            attributes = self._nodes["attributes"][option]
            names = {self._text(name).lower(): self._text(value) for name, value in _pairs(attributes)}
            text = " ".join(self._text_below(option).split())
            if self._tag(index) == "datalist":
                text = names.get("value", text)
            if "disabled" not in names and names.get("value") != "" and text:
                yield text if self._tag(index) == "datalist" else names.get("label") or text

    def _suggestions(self, index: int) -> int:
        """The datalist of a field; -1 if there is none."""
        if self._tag(index) != "input":
            return -1
        wanted = dict(self._attributes(index)).get("list")
        if not wanted:
            return -1
        if self._datalists is None:
            found = (each for each in range(len(self._parents)) if self._tag(each) == "datalist")
            self._datalists = {dict(self._attributes(each)).get("id", ""): each for each in found}
        return self._datalists.get(wanted, -1)

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

    def _hidden_name(self, index: int) -> str:
        """Of an element that assistive technology does not meet as long as it is hidden."""
        if self._tag(index) == "form":
            return ""
        attributes = dict(self._attributes(index))
        text = " ".join(self._text_below(index).split())
        return (
            text or attributes.get("title", "") or (attributes.get("value", "") if self._tag(index) == "input" else "")
        )

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
        self._bands: dict[int, list[tuple[int, int]]] = {}
        self._tall: list[tuple[int, int]] = []
        """What is painted, with its order, by the bands of the page that it takes part of; if these are many, apart."""
        self._hands: set[int] = set()
        self._hidden: set[int] = set()
        for place, index in enumerate(layout["nodeIndex"]):
            left, top, width, height = layout["bounds"][place]
            self._bounds[index] = (left, top, left + width, top + height)
            styles = layout["styles"][place]
            if len(styles) > 1 and strings[styles[1]] == "pointer":
                self._hands.add(index)
            if len(styles) > 2 and strings[styles[2]] == "hidden":
                self._hidden.add(index)
            catches = not styles or strings[styles[0]] != "none"
            if catches and width > 0 and height > 0:
                self._paint(layout["paintOrders"][place], index, top, top + height)

    def has(self, index: int) -> bool:
        """Whether it takes room on the page."""
        if index not in self._bounds:
            return False
        left, top, right, bottom = self._bounds[index]
        return right > left and bottom > top and right > 0 and bottom > 0

    def _paint(self, order: int, index: int, top: float, bottom: float) -> None:
        first, last = int(top) // _BAND, int(bottom) // _BAND
        if last - first > _MOST_BANDS:
            self._tall.append((order, index))
            return
        for band in range(first, last + 1):
            self._bands.setdefault(band, []).append((order, index))

    def is_hidden(self, index: int) -> bool:
        """Whether it takes room and cannot be seen."""
        return index in self._hidden

    def has_hand(self, index: int) -> bool:
        """Whether the cursor is a hand there."""
        return index in self._hands

    def is_covered(self, index: int) -> bool:
        """Whether a click on its middle would meet an element that is neither below nor above it in the document."""
        left, top, right, bottom = self._bounds[index]
        across, down = (left + right) / 2, (top + bottom) / 2
        topmost = -1, index
        for order, each in (*self._bands.get(int(down) // _BAND, ()), *self._tall):
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
