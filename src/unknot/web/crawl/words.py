"""The words of labels that say what a field is for."""

import re

_WORD = re.compile("[a-z]{3,}")
_COMMON = frozenset({"new", "the", "your", "enter", "please", "old", "current", "first", "last"})


def words(label: str) -> frozenset[str]:
    """
    >>> sorted(words("new_list_name"))
    ['list', 'name']
    """
    return frozenset(_WORD.findall(label.lower())) - _COMMON
