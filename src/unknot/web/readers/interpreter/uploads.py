"""Uploaded files: beside the path that a test has, the name that a page shows."""

import re
from collections.abc import Sequence

from unknot.web.readers.interpreter.values import Text, Value, texts_in, words

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


_UPLOADING = words(
    "setInputFiles setFiles setFilesToUpload selectFile attachFile uploadFile uploadFromClasspath",
)


def with_base_names(method: str, values: Sequence[Value]) -> list[Value]:
    """What the method submits, and the names of the files that it uploads. WebDriver types paths to upload files, so
    of its `sendKeys` that is what looks like one."""
    texts = [text for value in values for text in texts_in(value)]
    if method not in _UPLOADING:
        texts = [text for text in texts if method == "sendKeys" and looks_like_a_file(text.text)]
    return [*values, *(Text(base_name(text.text), text.place) for text in texts)]
