"""Text of pages as Python literals. It is hostile: nothing of it gets into code in another way."""

from collections.abc import Sequence
from textwrap import wrap

from unknot.model.sanitise import shown


def literal(text: str) -> str:
    r"""A string as formatters leave it, that evaluates to the text.

    >>> print(literal('a "b"'), literal("it's"), literal("a\n"))
    'a "b"' "it's" "a\n"
    """
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + "".join(_escaped(char, quote) for char in text) + quote


def docstring(texts: Sequence[str], width: int) -> list[str]:
    r"""The lines of a docstring of these paragraphs, none longer than the width if its words are not. What does not
    print is shown as an escape, double quotes as single ones. Never empty: it may be all that a class has."""
    paragraphs = [wrap(_sentence(each), width - 6, break_long_words=False) for each in texts if each.strip()]
    lines = [line for paragraph in paragraphs for line in (*paragraph, "")][:-1] or ["Without a name."]
    if len(lines) == 1:
        return [f'"""{lines[0]}"""']
    return [f'"""{lines[0]}', *lines[1:], '"""']


def _sentence(text: str) -> str:
    one_line = shown(" ".join(text.split()))
    one_line = f"{one_line[:1].upper()}{one_line[1:]}{'' if one_line[-1:] in '.!?)' else '.'}"
    return one_line.replace("\\", "\\\\").replace('"', "'")


def _escaped(char: str, quote: str) -> str:
    if char == quote or char == "\\":
        return f"\\{char}"
    if char.isprintable():
        return char
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
