"""Lists of words that are written as running text."""


def word_list(text: str) -> frozenset[str]:
    """
    >>> sorted(word_list("view search"))
    ['search', 'view']
    """
    return frozenset(text.split())
