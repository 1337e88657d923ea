"""Elements from CSV: a row for each test and element that it covers."""

import csv
import io

from unknot.coverage.element_fault import ElementFault
from unknot.model.coverage import Coverage

_HEADERS = (["test", "element"], ["element", "test"])


def elements_from_csv(text: str) -> Coverage:
    """Rows `test,element`, in any sequence; a first row with just these two words says which is which. A row without
    a test names an element that perhaps nobody covers, one without an element a test that perhaps covers nothing.

    Raises ElementFault, which names the line.
    """
    covered: dict[str, dict[str, None]] = {}
    elements: dict[str, None] = {}
    test_first = True
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        for number, row in enumerate(reader):
            cells = [cell.strip() for cell in row]
            if number == 0 and [cell.lower() for cell in cells] in _HEADERS:
                test_first = cells[0].lower() == "test"
                continue
            if not any(cells):
                continue
            test, element = _pair(cells if test_first else cells[::-1], reader.line_num)
            found = covered.setdefault(test, {}) if test else {}
            if element:
                found[element] = elements[element] = None
    except csv.Error as error:
        raise ElementFault(f"line {reader.line_num}: not CSV ({error})") from error
    return Coverage.of(covered, elements)


def _pair(cells: list[str], line: int) -> tuple[str, str]:
    if len(cells) != 2:
        raise ElementFault(
            f"line {line}: must have two cells, test and element, has {len(cells)}",
            hint='a name with a comma in it stands in quotes: "test_a.py::test[1,2]",element' if len(cells) > 2 else "",
        )
    return cells[0], cells[1]
