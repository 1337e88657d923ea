"""A change as a unified diff, exact to the byte."""

from difflib import unified_diff

_NO_NEWLINE = "\n\\ No newline at end of file\n"


def unified(path: str, before: bytes, after: bytes) -> bytes:
    """For `git apply` and `patch -p1`, in the directory that the path counts from. Nothing if nothing changes."""
    # Latin-1 maps every byte to a character and back; lines end where the tools that read this see them end.
    name = path.encode("utf-8", "surrogateescape").decode("latin-1")
    lines = unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else line + _NO_NEWLINE for line in lines).encode("latin-1")


def _lines(content: bytes) -> list[str]:
    *whole, last = content.decode("latin-1").split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
