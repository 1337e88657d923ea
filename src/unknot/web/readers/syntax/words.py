"""Sets of names, written as people write lists of words."""


def words(*lines: str) -> frozenset[str]:
    """
    >>> sorted(words("fill type", "select"))
    ['fill', 'select', 'type']
    """
    return frozenset(word for line in lines for word in line.split())
