"""Labels of boxes: names on at most two lines."""

import re

from rich.cells import cell_len, set_cell_size

from unknot.model.sanitise import shown
from unknot.model.suite import TestId

_MOST_CELLS, _GROUP_CELLS = 17, 26
_PLACES = re.compile(r"(?<=[_\W])")
"""Where a name is broken."""


def test_label(test: TestId) -> str:
    """The last part of the id, without `test_`, on at most two lines of about the same length.

    >>> test_label(TestId("test_shop.py::test_order_is_audited")).splitlines()
    ['order_is_', 'audited']
    """
    name = shown(test).rpartition("::")[2] or shown(test)
    return two_lines(name.removeprefix("test_") or name)


def two_lines(text: str) -> str:
    """Broken at the best of its words' ends, or anywhere in a word that is too long; what does not fit is cut off.

    >>> two_lines("cart"), two_lines("open_account"), two_lines("a" * 40)
    ('cart', 'open_\\naccount', 'aaaaaaaaaaaaaaaaa\\naaaaaaaaaaaaaaaa…')
    """
    if cell_len(text) <= _MOST_CELLS // 2:
        return text
    places = [match.start() for match in _PLACES.finditer(text) if 0 < match.start() < len(text)]
    fitting = [place for place in places if cell_len(text[:place]) <= _MOST_CELLS]
    if fitting:
        place = min(fitting, key=lambda place: max(cell_len(text[:place]), cell_len(text[place:])))
    else:
        place = len(set_cell_size(text, _MOST_CELLS).rstrip()) if cell_len(text) > _MOST_CELLS else len(text)
    return "\n".join(_cut(line) for line in (text[:place], text[place:]) if line)


def _cut(line: str) -> str:
    return line if cell_len(line) <= _MOST_CELLS else f"{set_cell_size(line, _MOST_CELLS - 1).rstrip()}…"


def group_label(name: str, note: str) -> str:
    """The end of the name tells most.

    >>> group_label("tests/accounts/test_accounts_0.py", "20 tests")
    '…test_accounts_0.py\\n20 tests'
    """
    name = shown(name)
    if cell_len(name) > _GROUP_CELLS:
        name = name.rpartition("/")[2] if "/" in name else name
        while cell_len(name) >= _GROUP_CELLS:
            name = name[1:]
        name = f"…{name}"
    return f"{name}\n{note}"
