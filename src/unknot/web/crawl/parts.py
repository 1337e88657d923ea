"""What elements are for, by their roles."""

from unknot.web.application.element import CLICKABLE, COVERED, DISABLED, READ_ONLY, Element

_BUTTONS = frozenset({"button", "link", "menuitem", "tab", "switch", "treeitem"})
_FIELDS = frozenset(
    {
        *("textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "spinbutton", "slider"),
        # Chromium's own roles of inputs that ARIA has none for.
        *("Date", "DateTime", "InputTime", "ColorWell"),
    }
)

REPEATED = frozenset({"row", "listitem", "article", "gridcell", "treeitem"})
"""One of several of a kind: its texts are data."""

SHARED = frozenset({"navigation", "banner", "contentinfo", "menubar", "toolbar"})
"""On many pages: menus, headers, footers."""


def is_field(element: Element) -> bool:
    """A field to upload files has the role of a button."""
    return element.role in _FIELDS or element.attribute("type") == "file"


def is_usable_field(element: Element) -> bool:
    return is_field(element) and not element.states & {DISABLED, READ_ONLY}


def is_button(element: Element) -> bool:
    """Whether a click on it does something."""
    clickable = element.role in _BUTTONS or CLICKABLE in element.states
    return clickable and not is_field(element) and not element.states & {DISABLED, COVERED}
