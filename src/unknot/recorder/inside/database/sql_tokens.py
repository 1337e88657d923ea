"""Splits SQL into tokens, nested by parentheses, and finds the names of tables among them."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

WORD, NAME, STRING, SIGN, GROUP = "word", "name", "string", "sign", "group"

MOST_CHARACTERS = 200_000
"""Longer text is cut off here: by then it is data."""

_MOST_DEPTH = 60
"""More deeply nested parentheses make no group of their own, since walking the groups is recursive."""


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NOT_NAMES = words("SELECT FROM WHERE SET VALUES INTO ON USING AS JOIN GROUP ORDER LIMIT UNION DEFAULT AND OR NOT WITH")
_BEFORE_BRACKETED_NAME = words(
    "SELECT DISTINCT ALL FROM JOIN INTO UPDATE TABLE ONLY EXISTS VIEW ON BY SET WHERE AND OR NOT AS USING HAVING WHEN "
    "THEN ELSE CASE RETURNING DELETE TRUNCATE INDEX COLUMN TO REFERENCES KEY ADD DROP ALTER BETWEEN LIKE IN IS"
)


class Token(NamedTuple):
    kind: str
    text: str
    """Words in capitals, since SQL ignores case; quoted names unchanged; signs are one character."""
    inside: "tuple[Token, ...]" = ()
    """Of a group: the tokens between the parentheses."""


_QUOTES = {'"': NAME, "`": NAME, "'": STRING}


def tokens(sql: str, *, mysql: bool = False) -> tuple[Token, ...]:
    """Never raises, whatever the text: an unclosed quote, comment or parenthesis ends where the text does.

    A backslash escapes in strings of MySQL, and in PostgreSQL's `E'…'`. In MySQL only, `#` begins a comment and
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
            if len(stack) > _MOST_DEPTH:
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
    """The text between quotes, and the position after it. A doubled quote is part of the text."""
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
    """`$$` or `$tag$`, the quotes of PostgreSQL; empty for `$1`."""
    stop = start + 1
    while stop < len(text) and (text[stop].isalnum() or text[stop] == "_"):
        stop += 1
    if text.startswith("$", stop) and not text[start + 1 : stop][:1].isdigit():
        return text[start : stop + 1]
    return ""


def _is_bracketed_name(before: list[Token]) -> bool:
    """False for brackets that select an element of an array, as in `prices[1]` and `ARRAY[1, 2]`."""
    if not before:
        return True
    last = before[-1]
    if last.kind == WORD:
        return last.text in _BEFORE_BRACKETED_NAME
    return last.kind == SIGN and last.text in ",.=<>+-*/|"


def name_at(part: Sequence[Token], place: int) -> tuple[str, int]:
    """The name that begins at this position, in lower case, and the position after it; empty if none begins there.

    Accepts all quotes, even those of strings: SQLite accepts them where only a name is possible.
    """
    pieces = []
    while place < len(part) and _is_part_of_name(part[place]):
        pieces.append(part[place].text.lower())
        place += 1
        if not is_sign(part, place, "."):
            break
        place += 1
    return ".".join(pieces), place


def names_at(part: Sequence[Token], place: int) -> Iterator[str]:
    """A list of names separated by commas."""
    while True:
        name, place = name_at(part, place)
        if not name:
            return
        yield name
        if not is_sign(part, place, ","):
            return
        place = skip_words(part, place + 1, {"ONLY"})


def skip_words(part: Sequence[Token], place: int, skipped: Collection[str]) -> int:
    while place < len(part) and part[place].kind == WORD and part[place].text in skipped:
        place += 1
    return place


def is_sign(part: Sequence[Token], place: int, sign: str) -> bool:
    return place < len(part) and part[place].kind == SIGN and part[place].text == sign


def _is_part_of_name(token: Token) -> bool:
    return token.kind in (NAME, STRING) or (token.kind == WORD and token.text not in _NOT_NAMES)
