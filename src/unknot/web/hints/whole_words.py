"""Whether a text contains a value as whole words, and not inside a longer word."""

from collections.abc import Callable


def contains_whole(text: str, value: str, is_word: Callable[[str], bool]) -> bool:
    """`is_word` says whether a character, or an empty text, is part of a word.

    >>> contains_whole("user_10, user_1", "user_1", str.isalnum), contains_whole("user_10", "user_1", str.isalnum)
    (True, False)
    """
    start = text.find(value) if value else -1
    while start >= 0:
        end = start + len(value)
        before, after = text[max(0, start - 1) : start], text[end : end + 1]
        if not (is_word(before) and is_word(value[0])) and not (is_word(after) and is_word(value[-1])):
            return True
        start = text.find(value, start + 1)
    return False
