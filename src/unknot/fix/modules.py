"""Which dotted names are modules, told by the files of a project."""

import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

_PACKAGE = "__init__"


@dataclass(frozen=True)
class Modules:
    """`files` are the project's Python files, from its root, with slashes. Nothing is imported to find out: that would
    run the project's code."""

    files: frozenset[str]

    @classmethod
    def of(cls, paths: Iterable[str]) -> "Modules":
        return cls(frozenset(path for path in paths if path.endswith(".py")))

    def longest_in(self, dotted: str) -> str:
        """The longest beginning of the name that is a module, or nothing."""
        parts = dotted.split(".")
        for end in range(len(parts), 0, -1):
            if (name := ".".join(parts[:end])) in self._by_name:
                return name
        return parts[0] if parts[0] in sys.stdlib_module_names else ""

    def file_of(self, module: str) -> str:
        """The project's file of a module, or nothing. Of several that end alike, the one nearest to the root."""
        return self._by_name.get(module, "")

    def name_of(self, path: str) -> str:
        """By which name pytest imports a file: from the first directory upwards that is no package."""
        directory, _, file = path.rpartition("/")
        parts = [file.removesuffix(".py")]
        while directory and f"{directory}/{_PACKAGE}.py" in self.files:
            directory, _, name = directory.rpartition("/")
            parts.insert(0, name)
        return ".".join(part for part in parts if part != _PACKAGE)

    @cached_property
    def _by_name(self) -> dict[str, str]:
        """A file may be known by any end of its path: the directory from which it is imported is not known."""
        found: dict[str, str] = {}
        for path in sorted(self.files, key=lambda path: (path.count("/"), path)):
            for name in _names(path.removesuffix(".py").split("/")):
                found.setdefault(name, path)
        return found


def _names(parts: Collection[str]) -> Iterable[str]:
    words = list(parts)
    if words[-1] == _PACKAGE:
        words.pop()
    for start in range(len(words)):
        if all(word.isidentifier() for word in words[start:]):
            yield ".".join(words[start:])
