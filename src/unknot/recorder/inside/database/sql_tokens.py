"""Cuts SQL into tokens, nested by parentheses."""

from typing import NamedTuple

from unknot.recorder.inside.database.sql_words import BEFORE_A_BRACKETED_NAME

WORD, NAME, STRING, SIGN, GROUP = "word", "name", "string", "sign", "group"

MOST_CHARACTERS = 200_000
"""What comes after is not looked at: by then it is data."""

_MOST_DEEP = 60
"""Parentheses inside of so many others make no group of their own; whoever walks the groups needs the stack."""


class Token(NamedTuple):
    kind: str
    text: str
    """Words in capitals, as the language does not care; quoted names as they are; signs are one character."""
    inside: "tuple[Token, ...]" = ()
    """Of a group: what stands between the parentheses."""


_QUOTES = {'"': NAME, "`": NAME, "'": STRING}


def tokens(sql: str, *, mysql: bool = False) -> tuple[Token, ...]:
    """Never raises, whatever the text: what is not closed ends where the text does.

    A backslash escapes in strings of MySQL, and in PostgreSQL's `E'…'`; `#` begins a comment in MySQL only, where
    `/*! … */` is code.

    >>> [token.text for token in tokens("SELECT 'it''s' -- from x")]
    ['SELECT', "it's"]
    """
    stack: list[list[Token]] = [[]]
    text = sql[:MOST_CHARACTERS]
    place, end, too_deep = 0, len(text), 0
    while place < end:
        character = text[place]
        if character.isspace():
            place += 1
        elif (character == "-" and text.startswith("--", place)) or (character == "#" and mysql):
            place = _after(text, "\n", place)
        elif character == "/" and text.startswith("/*", place):
            place = place + 3 if mysql and text.startswith("/*!", place) else _after_comment(text, place)
        elif character in _QUOTES:
            name, place = _quoted(text, place, escapes=mysql and character != "`")
            stack[-1].append(Token(_QUOTES[character], name))
        elif character == "[" and _is_bracketed_name(stack[-1]):
            closing = _find(text, "]", place)
            stack[-1].append(Token(NAME, text[place + 1 : closing]))
            place = closing + 1
        elif character == "$" and (tag := _dollar_tag(text, place)):
            closing = _find(text, tag, place + len(tag))
            stack[-1].append(Token(STRING, text[place + len(tag) : closing]))
            place = closing + len(tag)
        elif character.isalpha() or character == "_":
            stop = _word_end(text, place)
            word = text[place:stop].upper()
            if word == "E" and text.startswith("'", stop):
                name, place = _quoted(text, stop, escapes=True)
                stack[-1].append(Token(STRING, name))
            else:
                stack[-1].append(Token(WORD, word))
                place = stop
        elif character in ":@$?" or character.isdigit():
            # A parameter or a number; the word in it is no keyword. One colon only: `x::text` ends in a word.
            place = _word_end(text, place + 1)
            stack[-1].append(Token(SIGN, character))
        elif character == "(":
            if len(stack) > _MOST_DEEP:
                too_deep += 1
            else:
                stack.append([])
            place += 1
        elif character == ")":
            if too_deep:
                too_deep -= 1
            else:
                _close(stack)
            place += 1
        else:
            stack[-1].append(Token(SIGN, character))
            place += 1
    while len(stack) > 1:
        _close(stack)
    return tuple(stack[0])


def _close(stack: list[list[Token]]) -> None:
    if len(stack) > 1:
        inside = tuple(stack.pop())
        stack[-1].append(Token(GROUP, "(", inside))


def _find(text: str, what: str, start: int) -> int:
    found = text.find(what, start)
    return len(text) if found < 0 else found


def _after(text: str, what: str, start: int) -> int:
    return _find(text, what, start) + len(what)


def _after_comment(text: str, start: int) -> int:
    return _after(text, "*/", start + 2)


def _quoted(text: str, start: int, *, escapes: bool) -> tuple[str, int]:
    """What stands between quotes, and where it goes on. A doubled quote is one of the text's own."""
    quote = text[start]
    parts = []
    place = start + 1
    while True:
        closing = _find(text, quote, place)
        if escapes and (slash := text.find("\\", place, closing)) >= 0:
            parts.append(text[place:slash] + text[slash + 1 : slash + 2])
            place = slash + 2
            continue
        parts.append(text[place:closing])
        if not text.startswith(quote, closing + 1):
            return "".join(parts), closing + 1
        parts.append(quote)
        place = closing + 2


def _word_end(text: str, place: int) -> int:
    while place < len(text) and (text[place].isalnum() or text[place] in "_$"):
        place += 1
    return place


def _dollar_tag(text: str, start: int) -> str:
    """`$$` or `$tag$`, by which PostgreSQL quotes; empty for `$1`."""
    stop = start + 1
    while stop < len(text) and (text[stop].isalnum() or text[stop] == "_"):
        stop += 1
    if text.startswith("$", stop) and not text[start + 1 : stop][:1].isdigit():
        return text[start : stop + 1]
    return ""


def _is_bracketed_name(before: list[Token]) -> bool:
    """Not where it picks an element of an array, as in `prices[1]` and `ARRAY[1, 2]`."""
    if not before:
        return True
    last = before[-1]
    if last.kind == WORD:
        return last.text in BEFORE_A_BRACKETED_NAME
    return last.kind == SIGN and last.text in ",.=<>+-*/|"
