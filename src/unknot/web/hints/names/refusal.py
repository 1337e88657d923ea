"""Whether a name says that what its verb would do is refused: `cannot delete folder`, `AddWrongEmailUser`.

Such a test leaves nothing behind that another could need. Only plain words count. `Denied`, `Empty`, `Negative` or
`Duplicate` may just as well say what is written: of the suites looked at, one adds a course that denies enrolment, one
a room whose name is cut because it is too long, one an empty folder.
"""

from collections.abc import Sequence

from unknot.web.hints.names.function_words import CONJUNCTIONS
from unknot.web.hints.names.grammar import Role, Word
from unknot.web.hints.names.word_list import word_list

_NEGATIONS = word_list("cannot never not")
_UNACCEPTABLE = word_list("forbidden incorrect insufficient invalid unauthorised unauthorized wrong")
_DEALS_WITH_SUCH = word_list("clean clear correct delete discard drop erase fix purge reject remove replace report")
"""What is done to things that are wrong, and works."""


def is_refused(phrase: Sequence[Word], place: int) -> bool:
    """Of the verb at this place."""
    if _is_negated(phrase[:place]):
        return True
    unacceptable = any(word.text in _UNACCEPTABLE for word in phrase)
    return unacceptable and phrase[place].base not in _DEALS_WITH_SUCH


def _is_negated(before: Sequence[Word]) -> bool:
    """By a word that only auxiliaries and other verbs separate from it."""
    for word in reversed(before):
        if word.text in _NEGATIONS:
            return True
        if word.role not in (Role.LINK, Role.VERB) or word.text in CONJUNCTIONS - {"or"}:
            return False
    return False
