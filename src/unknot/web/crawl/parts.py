"""What elements are for, by their roles."""

from unknot.model.web.element import CLICKABLE, COVERED, DISABLED, MODAL, READ_ONLY, Element

_BUTTONS = frozenset(
    {"button", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "switch", "tab", "treeitem"}
)
_FIELDS = frozenset(
    {
        *("textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "spinbutton", "slider"),
        # Chromium's own roles of inputs that ARIA has none for.
        *("Date", "DateTime", "InputTime", "ColorWell"),
    }
)

_LOOK_LIKE_FIELDS = frozenset({"combobox", "listbox", "spinbutton", "slider"})
_FIELD_TAGS = frozenset({"", "input", "select", "textarea"})

REPEATED = frozenset({"row", "listitem", "article", "gridcell", "treeitem"})
"""One of several of a kind: its texts are data."""

SHARED = frozenset({"navigation", "banner", "contentinfo", "menubar", "toolbar"})
"""On many pages: menus, headers, footers."""

TABLES = frozenset({"table", "grid", "treegrid"})

DIALOGS = frozenset({"dialog", "alertdialog"})
"""On top of a page: they are a part of it, not a page."""


def open_dialog(root: Element) -> Element | None:
    """The one that has to be answered before anything else can be used; of several, the last one. Others, such as a
    question about cookies, are a part of the page."""
    return next((each for each in reversed(list(root.walk())) if MODAL in each.states), None)


def is_field(element: Element) -> bool:
    """A field to upload files has the role of a button. What only looks like a field, such as a box made of a button
    and a list, is none: it is clicked."""
    if element.role in _LOOK_LIKE_FIELDS and element.tag not in _FIELD_TAGS:
        return element.attribute("contenteditable") not in ("", "false")
    return element.role in _FIELDS or element.attribute("type") == "file"


def is_usable_field(element: Element) -> bool:
    return is_field(element) and not element.states & {DISABLED, READ_ONLY}


def is_button(element: Element) -> bool:
    """Whether a click on it does something."""
    clickable = element.role in _BUTTONS or element.role == "combobox" or CLICKABLE in element.states
    return clickable and not is_field(element) and not element.states & {DISABLED, COVERED}
