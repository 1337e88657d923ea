"""From the bytes of a source file to its text."""

import io
import tokenize


def decoded(data: bytes) -> str:
    """As Python would read it, line ends made one. What cannot be decoded is kept, one character for each byte, and
    will not parse any better than it does for Python."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        text = data.decode("latin-1") + "\n'"
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
