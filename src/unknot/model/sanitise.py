"""Text from a suite, made safe to show."""


def shown(text: str) -> str:
    r"""The text on one line, every character visible: what does not print (control characters, bidirectional
    overrides, lone surrogates, exotic spaces) becomes its Python escape. A backslash stays as it is, so that an id
    looks as pytest prints it. Guarantee: the result can be encoded as UTF-8 and sends no command to a terminal.

    >>> shown("a\x1b[31m b\n")
    'a\\x1b[31m b\\n'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def shown_lines(text: str) -> str:
    r"""The same for a text of many lines: its lines stay lines, and tabs become blanks.

    >>> shown_lines("a\x1b[31m\n\tb")
    'a\\x1b[31m\n        b'
    """
    if text.isprintable():
        return text
    return "\n".join(shown(line.expandtabs()) for line in text.splitlines())


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
