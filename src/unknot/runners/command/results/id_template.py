"""Makes a test's id from what a JUnit document says of it."""

import re
from collections.abc import Mapping

from unknot.model.errors import UsageError

PLACEHOLDERS = ("classname", "name", "file", "suite", "combinations")
"""`suite` is the path of the suites around a test, joined by ` > `; the others are attributes of the test."""

_FIELD = re.compile(r"\{([^{}]*)\}")


class IdTemplate:
    """`{classname}.{name}`: text between two placeholders is their separator, and vanishes with an empty part."""

    def __init__(self, template: str) -> None:
        """Raises UsageError for a placeholder that no document can fill."""
        pieces = _FIELD.split(template)
        self._fields = tuple(pieces[1::2])
        self._prefix, *self._separators = pieces[0::2]
        self._suffix = self._separators.pop() if self._separators else ""
        wrong = [field for field in self._fields if field not in PLACEHOLDERS]
        if wrong or not self._fields:
            what = f"`{{{wrong[0]}}}`, which is unknown" if wrong else "no placeholder"
            raise UsageError(
                f"the id `{template}` of the results has {what}",
                hint="use " + ", ".join(f"{{{known}}}" for known in PLACEHOLDERS) + ", as in {classname}.{name}",
            )

    @property
    def wants_suite(self) -> bool:
        return "suite" in self._fields

    def fill(self, values: Mapping[str, str]) -> str:
        """Empty if all parts are empty."""
        text = ""
        for separator, field in zip(("", *self._separators), self._fields, strict=True):
            if value := values.get(field, ""):
                text += separator + value if text else value
        return self._prefix + text + self._suffix if text else ""
