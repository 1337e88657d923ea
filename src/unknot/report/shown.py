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


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
