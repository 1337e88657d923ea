"""Which functions of others only look at a page, by their names: what they are told ends up in no page."""

import re

_LOOKING = re.compile(
    r"assert|expect|verif|should|snapshot|screenshot|^(?:step|attach|log|info|warn|debug|error|trace)$", re.I
)


def only_looks(name: str) -> bool:
    """
    >>> only_looks("percySnapshot"), only_looks("login")
    (True, False)
    """
    return _LOOKING.search(name) is not None
