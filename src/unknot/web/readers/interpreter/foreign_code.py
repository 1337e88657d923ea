"""What happens outside the project. Code of other packages cannot be read: if it gets the browser and a text, it may
type the text. Of an uploaded file, a page shows the name, and not the path that the test has."""

import re
from collections.abc import Sequence

from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.machine import Activation, Machine

_LOOKING = re.compile(
    r"assert|expect|verif|should|snapshot|screenshot|^(?:step|attach|log|info|warn|debug|error|trace)$", re.I
)


def only_looks(name: str) -> bool:
    """Whether a function of another package only inspects a page, judging by its name: its arguments are not typed.

    >>> only_looks("percySnapshot"), only_looks("login")
    (True, False)
    """
    return _LOOKING.search(name) is not None


def unread_call(machine: Machine, called: str, arguments: Sequence[v.Value], at: Activation, line: int) -> v.Value:
    """What a function or class of another package gives that is called by this name."""
    if not any(_is_browser(argument) for argument in arguments):
        return v.UNKNOWN
    if _has_text(arguments) and not only_looks(called.rpartition(".")[2]):
        machine.trace.add_gap(f"{at.file}:{line} hands the browser to {called}, whose code is not in the project")
    return v.Unknown(maker=called)


def call_of_unread(
    machine: Machine, receiver: v.Unknown, name: str, arguments: Sequence[v.Value], at: Activation, line: int
) -> v.Value:
    """What a method of such an object gives: mostly itself, or another page."""
    if _has_text(arguments) and not only_looks(name):
        machine.trace.add_gap(f"{at.file}:{line} calls {name} of {receiver.maker}, whose code is not in the project")
    return receiver


def _is_browser(value: v.Value) -> bool:
    parts = (*v.options(value), *(value.entries.values() if isinstance(value, v.Entries) else ()))
    return any(isinstance(part, v.Unknown) and part.is_browser for part in parts)


def _has_text(arguments: Sequence[v.Value]) -> bool:
    return any(text.is_text for argument in arguments for text in v.texts_in(argument))


_LAST = re.compile(r"[^/\\]*\Z")
_KIND = re.compile(r"(?:text|image|application|audio|video|font|multipart)/[\w.+-]+\Z")
"""The media type of an uploaded file."""

_ABSOLUTE = re.compile(r"(?:/|[A-Za-z]:[/\\])[^\n]*\.\w{1,5}")
_FILE = re.compile(
    r"[^\n:]*[/\\][^\n:/\\]+\.(?:png|jpe?g|gif|webp|svg|bmp|pdf|txt|csv|tsv|docx?|xlsx?|pptx?|zip|json|xml|mp[34]|html?)",
    re.IGNORECASE,
)


def base_name(path: str) -> str:
    """What comes last in a path. The kind of a file, `image/png`, is no path.

    >>> base_name("fixtures/photo.png"), base_name("C:\\\\up\\\\a.txt"), base_name("b.txt")
    ('photo.png', 'a.txt', 'b.txt')
    """
    found = _LAST.search(path)
    return path if found is None or _KIND.match(path) else found.group()


def looks_like_a_file(typed: str) -> bool:
    """Whether typing this uploads a file: an absolute path with an ending, or a path of a usual kind of file.

    >>> looks_like_a_file("/tmp/a.bin"), looks_like_a_file("up/a.png"), looks_like_a_file("https://x.org/a.png")
    (True, True, False)
    """
    return bool(_ABSOLUTE.fullmatch(typed) or _FILE.fullmatch(typed))


_UPLOADING = v.words(
    "setInputFiles setFiles setFilesToUpload selectFile attachFile uploadFile uploadFromClasspath",
)


def with_base_names(method: str, values: Sequence[v.Value]) -> list[v.Value]:
    """What the method submits, and the names of the files that it uploads. WebDriver types paths to upload files, so
    of its `sendKeys` that is what looks like one."""
    texts = [text for value in values for text in v.texts_in(value)]
    if method not in _UPLOADING:
        texts = [text for text in texts if method == "sendKeys" and looks_like_a_file(text.text)]
    return [*values, *(v.Text(base_name(text.text), text.place) for text in texts)]
