"""A table of the configuration file, read key by key with its types checked."""

import difflib
import shlex
from collections.abc import Iterable, Mapping

from unknot.model.errors import UsageError

_MOST_SECONDS = 24 * 3600


class ConfigTable:
    """`where` names the file and the table. A value of a wrong type is a UsageError that names both and the key; a
    missing key has its default."""

    def __init__(self, table: Mapping[str, object], where: str) -> None:
        self._table = table
        self._where = where

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def check_keys(self, known: Iterable[str]) -> None:
        known = tuple(known)
        for key in self._table:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                raise UsageError(
                    f"{self._where}: unknown key `{key}`" + (f"; did you mean `{near[0]}`?" if near else ""),
                    hint=f"there are {', '.join(known)}",
                    slug="config-unknown-key",
                )

    def words(self, key: str) -> tuple[str, ...]:
        value = self._table.get(key)
        if value is None:
            return ()
        if isinstance(value, str):
            try:
                words = shlex.split(value)
            except ValueError as problem:
                raise self.wrong(key, f"cannot be split into words: {problem}", "or give a list of words") from problem
        elif isinstance(value, list) and all(isinstance(word, str) for word in value):
            words = value
        else:
            raise self.wrong(key, f"must be a command (text, or a list of words), not {value!r}")
        if not words or not words[0]:
            raise self.wrong(key, "is an empty command", "leave the key out if there is nothing to be run")
        if any("\0" in word for word in words):
            raise self.wrong(key, "has a NUL character, which no command can have")
        return tuple(words)

    def text(self, key: str) -> str:
        value = self._table.get(key, "")
        if not isinstance(value, str) or "\0" in value or (key in self._table and not value):
            raise self.wrong(key, f"must be text, not {value!r}")
        return value

    def texts(self, key: str, *, or_one: bool = False) -> tuple[str, ...]:
        """A list. With `or_one`, one text is a list of one."""
        value = self._table.get(key, [])
        if or_one and isinstance(value, str):
            value = [value]
        if not isinstance(value, list) or not all(isinstance(one, str) and one and "\0" not in one for one in value):
            raise self.wrong(key, f"must be a list of texts, not {value!r}", f'for example `{key} = ["…"]`')
        return tuple(value)

    def flag(self, key: str) -> bool:
        value = self._table.get(key, False)
        if not isinstance(value, bool):
            raise self.wrong(key, f"must be true or false, not {value!r}")
        return value

    def whole_number(self, key: str, *, most: int) -> int:
        value = self._table.get(key, 0)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
            raise self.wrong(key, f"must be a whole number from 0 to {most}, not {value!r}")
        return value

    def seconds(self, key: str, default: float) -> float:
        value = self._table.get(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= _MOST_SECONDS:
            raise self.wrong(key, f"must be a number of seconds above 0, at most {_MOST_SECONDS}, not {value!r}")
        return float(value)

    def environment(self, key: str) -> tuple[tuple[str, str], ...]:
        value = self._table.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, f"must be a table of variables, not {value!r}", 'write `env = { NAME = "value" }`')
        for name, text in value.items():
            if not isinstance(text, str) or "\0" in text:
                raise self.wrong(f"{key}.{name}", f"must be text, not {text!r}", f'write `{name} = "{text}"`')
            if not name or "=" in name or "\0" in name:
                raise self.wrong(f"{key}.{name}", "is not a name that a variable can have")
            if name == "TMPDIR" or name.startswith("UNKNOT_"):
                raise self.wrong(f"{key}.{name}", "is set by unknot for each instance", "choose another name")
        return tuple(value.items())

    def value(self, key: str, default: object) -> object:
        """As it was written, of whatever type."""
        return self._table.get(key, default)

    def wrong(self, key: str, why: str, hint: str = "") -> UsageError:
        return UsageError(f"{self.name(key)} {why}", hint=hint, slug="config-invalid-value")

    def name(self, key: str) -> str:
        return f"{self._where}: `{key}`"
