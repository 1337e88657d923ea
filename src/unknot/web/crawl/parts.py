"""Roles of elements, by what they are for."""

BUTTONS = frozenset({"button", "link", "menuitem", "tab", "switch", "treeitem"})
FIELDS = frozenset(
    {"textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "spinbutton", "slider", "Date", "DateTime"}
)

REPEATED = frozenset({"row", "listitem", "article", "gridcell", "treeitem"})
"""One of several of a kind: its texts are data."""

SHARED = frozenset({"navigation", "banner", "contentinfo", "menubar", "toolbar"})
"""On many pages: menus, headers, footers."""
