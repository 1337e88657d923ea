"""Uploads in Java and JavaScript: beside the path that a test has, the name that a page shows."""

from collections.abc import Sequence

from unknot.web.readers.syntax.values import Text, Value, texts_in
from unknot.web.readers.syntax.words import words
from unknot.web.readers.uploads import base_name, looks_like_a_file

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
