"""Splits SQL into tokens, nested by parentheses, and finds the names of tables among them."""

import re
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


def _quoted(quote: str, kind: str, *, escapes: bool = False) -> str:
    """A doubled quote is part of the text. With `escapes`, a backslash takes the next character literally."""
    inside = rf"[^{quote}\\]++|{quote}{quote}|\\.?" if escapes else f"[^{quote}]++|{quote}{quote}"
    return f"{quote}(?P<{kind}>(?:{inside})*+){quote}?"


def _pattern(*, mysql: bool) -> re.Pattern[str]:
    comments = [r"--[^\n]*+", *([r"#[^\n]*+", r"/\*!"] if mysql else []), r"/\*.*?(?:\*/|\Z)"]
    alternatives = [
        r"(?P<word>(?![eE]')[^\W\d][\w$]*+)",
        rf"(?P<skipped>{'|'.join(comments)})",
        _quoted("'", "string", escapes=mysql),
        _quoted('"', "name", escapes=mysql),
        _quoted("`", "tick"),
        "[eE]" + _quoted("'", "escaped", escapes=True),
        r"(?P<tag>\$(?:[^\W\d]\w*)?\$)(?P<dollar>.*?)(?:(?P=tag)|\Z)",
        # A parameter or a number; the word in it is no keyword. One colon only: `x::text` ends in a word.
        r"(?P<parameter>[:@$?\d])[\w$]*+",
        r"(?P<sign>.)",
    ]
    return re.compile(rf"\s*+(?:{'|'.join(alternatives)})", re.DOTALL)


_STANDARD, _MYSQL = _pattern(mysql=False), _pattern(mysql=True)
_KINDS = {"string": STRING, "escaped": STRING, "dollar": STRING, "name": NAME, "tick": NAME, "parameter": SIGN}
_QUOTES = {"string": "'", "escaped": "'", "name": '"', "tick": "`"}


def tokens(sql: str, *, mysql: bool = False) -> tuple[Token, ...]:
    """Never raises, whatever the text: an unclosed quote, comment or parenthesis ends where the text does.

    A backslash escapes in strings of MySQL, and in PostgreSQL's `E'…'`. In MySQL only, `#` begins a comment and
    `/*! … */` is code.

    >>> [token.text for token in tokens("SELECT 'it''s' -- from x")]
    ['SELECT', "it's"]
    """
    stack: list[list[Token]] = [[]]
    text = sql[:MOST_CHARACTERS]
    pattern = _MYSQL if mysql else _STANDARD
    place, too_deep = 0, 0
    while (found := pattern.match(text, place)) is not None:
        place, kind = found.end(), str(found.lastgroup)
        shown = found[kind]
        if kind == WORD:
            stack[-1].append(Token(WORD, shown.upper()))
        elif kind in _KINDS:
            stack[-1].append(Token(_KINDS[kind], _unquoted(shown, kind, mysql)))
        elif shown == "(" and len(stack) <= _MOST_DEPTH:
            stack.append([])
        elif shown == "(":
            too_deep += 1
        elif shown == ")" and too_deep:
            too_deep -= 1
        elif shown == ")":
            _close(stack)
        elif shown == "[" and _is_bracketed_name(stack[-1]):
            name, _, _ = text[place:].partition("]")
            stack[-1].append(Token(NAME, name))
            place += len(name) + 1
        elif kind == SIGN:
            stack[-1].append(Token(SIGN, shown))
    while len(stack) > 1:
        _close(stack)
    return tuple(stack[0])


def _unquoted(text: str, kind: str, mysql: bool) -> str:
    quote = _QUOTES.get(kind)
    if quote is None:
        return text
    if kind == "escaped" or (mysql and kind != "tick"):
        return re.sub(rf"\\(.?)|{quote}({quote})", r"\1\2", text, flags=re.DOTALL)
    return text.replace(quote * 2, quote)


def _close(stack: list[list[Token]]) -> None:
    if len(stack) > 1:
        inside = tuple(stack.pop())
        stack[-1].append(Token(GROUP, "(", inside))


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
    while word_at(part, place) in skipped:
        place += 1
    return place


def kind_at(part: Sequence[Token], place: int) -> str:
    """Empty outside of the part."""
    return part[place].kind if 0 <= place < len(part) else ""


def word_at(part: Sequence[Token], place: int) -> str:
    """Empty if there is no word."""
    return part[place].text if kind_at(part, place) == WORD else ""


def is_sign(part: Sequence[Token], place: int, sign: str) -> bool:
    return kind_at(part, place) == SIGN and part[place].text == sign


def _is_part_of_name(token: Token) -> bool:
    return token.kind in (NAME, STRING) or (token.kind == WORD and token.text not in _NOT_NAMES)
