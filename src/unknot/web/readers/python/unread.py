"""Code of other packages, which cannot be read: where it gets the browser and a text, it may type the text."""

from typing import TYPE_CHECKING

from unknot.web.readers.interpreter.unread import only_looks
from unknot.web.readers.python.arguments import Arguments
from unknot.web.readers.python.collected import laid_out
from unknot.web.readers.python.known_packages import is_known_package
from unknot.web.readers.python.things import BROWSER, UNKNOWN, Foreign, Thing, Values

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_NO_PACKAGES = frozenset({"browser", "builtins", "inherited", "request", "sb"})
"""What the reader calls things by that were not imported."""

_BROWSERS = frozenset({"Chrome", "ChromiumEdge", "Edge", "Firefox", "Ie", "Remote", "Safari", "WebKitGTK", "new_page"})
"""What Selenium's are called, and how Playwright makes one."""


def result(reader: "Interpreter", callee: Foreign, arguments: Arguments, *, is_heard: bool) -> Values:
    """What a call gives of which nothing else is known. One that may type a text, and cannot be read, is a gap, unless
    the text `is_heard` as typed already."""
    if callee.maker:
        if not is_heard:
            _note(reader, callee, f"{callee.last} of {callee.maker} cannot be read", arguments)
        return (Foreign(maker=callee.maker),)
    if callee.last in _BROWSERS:
        return BROWSER
    if not _is_unread(callee.path) or not any(_is_browser(thing) for values in arguments.all for thing in values):
        return UNKNOWN
    _note(reader, callee, f"{callee.path} gets the browser, and cannot be read", arguments)
    return (Foreign(maker=callee.path),)


def _note(reader: "Interpreter", callee: Foreign, what: str, arguments: Arguments) -> None:
    if not only_looks(callee.last) and any(laid_out(reader, values) for values in arguments.all):
        reader.misses(what, arguments.place)


def _is_unread(path: str) -> bool:
    """Whether it was imported, and from a package of which nothing is known."""
    package, dot, _ = path.partition(".")
    return bool(package and dot) and package not in _NO_PACKAGES and not is_known_package(package)


def _is_browser(thing: Thing) -> bool:
    return isinstance(thing, Foreign) and (thing in BROWSER or thing.path == "sb" or bool(thing.maker))
