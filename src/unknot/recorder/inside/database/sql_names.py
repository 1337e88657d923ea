"""Names of tables in a sequence of tokens."""

from collections.abc import Collection, Iterator, Sequence

from unknot.recorder.inside.database.sql_tokens import NAME, SIGN, STRING, WORD, Token
from unknot.recorder.inside.database.sql_words import NO_NAMES


def name_at(part: Sequence[Token], place: int) -> tuple[str, int]:
    """The name that begins at this place, in small letters, and where it goes on; an empty one if none begins there.

    All quotes are good, even those of strings: SQLite takes them where only a name can stand.
    """
    pieces = []
    while place < len(part) and _is_piece(part[place]):
        pieces.append(part[place].text.lower())
        place += 1
        if not is_sign(part, place, "."):
            break
        place += 1
    return ".".join(pieces), place


def names_at(part: Sequence[Token], place: int) -> Iterator[str]:
    """A list of names with commas between."""
    while True:
        name, place = name_at(part, place)
        if not name:
            return
        yield name
        if not is_sign(part, place, ","):
            return
        place = skip_words(part, place + 1, {"ONLY"})


def skip_words(part: Sequence[Token], place: int, words: Collection[str]) -> int:
    while place < len(part) and part[place].kind == WORD and part[place].text in words:
        place += 1
    return place


def is_sign(part: Sequence[Token], place: int, sign: str) -> bool:
    return place < len(part) and part[place].kind == SIGN and part[place].text == sign


def _is_piece(token: Token) -> bool:
    return token.kind in (NAME, STRING) or (token.kind == WORD and token.text not in NO_NAMES)
