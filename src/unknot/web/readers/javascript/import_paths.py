"""Which file an import means: beside the importing one, or through the `paths` of a tsconfig.json."""

import json
import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING = re.compile(r",(\s*[}\]])")


@dataclass(frozen=True)
class Aliases:
    """`base` is where plain paths start, or None; `patterns` are pairs such as `@pages/*` and `src/pages/*`."""

    base: str | None
    patterns: tuple[tuple[str, str], ...]


class Resolver:
    """`files` are the project's; `read` also gives JSON files beside them."""

    def __init__(self, files: Iterable[str], read: Callable[[str], str | None]) -> None:
        self._files = frozenset(files)
        self._read = read
        self._aliases: dict[str, Aliases | None] = {}

    def found(self, source: str, importer: str) -> str | None:
        """The path of the file; None if it is a library's, or missing."""
        return next((path for path in self._candidates(source, importer) if path), None)

    def is_own(self, source: str, importer: str) -> bool:
        """Whether an import means a file of the project, be it there or not."""
        return source.startswith((".", "/")) or any(
            _matched(source, pattern) is not None and target.count("node_modules") == 0
            for aliases in self._around(importer)
            for pattern, target in aliases.patterns
            if pattern != "*"
        )

    def _candidates(self, source: str, importer: str) -> Iterable[str | None]:
        if source.startswith("."):
            yield self._file(posixpath.join(posixpath.dirname(importer), source))
            return
        for aliases in self._around(importer):
            for pattern, target in aliases.patterns:
                part = _matched(source, pattern)
                if part is not None:
                    yield self._file(target.replace("*", part, 1))
            if aliases.base is not None:
                yield self._file(posixpath.join(aliases.base, source))
        if source.startswith("/"):
            yield self._file(source.lstrip("/"))

    def _file(self, path: str) -> str | None:
        path = posixpath.normpath(path)
        stem, ending = posixpath.splitext(path)
        swapped = [stem + other for other in ENDINGS] if ending in (".js", ".mjs", ".cjs", ".jsx") else []
        indices = [posixpath.join(path, "index" + other) for other in ENDINGS]
        for candidate in (path, *(path + other for other in ENDINGS), *swapped, *indices):
            if candidate in self._files:
                return candidate
        for candidate in (path, path + ".json") if not path.startswith("..") else ():
            if candidate.endswith(".json") and self._read(candidate) is not None:
                return candidate
        return None

    def _around(self, importer: str) -> Iterable[Aliases]:
        """Of the directories above the importing file, the nearest first."""
        directory = posixpath.dirname(importer)
        while True:
            if directory not in self._aliases:
                self._aliases[directory] = self._read_aliases(directory)
            aliases = self._aliases[directory]
            if aliases is not None:
                yield aliases
            if not directory:
                return
            directory = posixpath.dirname(directory)

    def _read_aliases(self, directory: str) -> Aliases | None:
        for name in ("tsconfig.json", "jsconfig.json"):
            text = self._read(posixpath.join(directory, name))
            if text is not None:
                return _aliases(text, directory)
        return None


def _aliases(text: str, directory: str) -> Aliases | None:
    """Comments and trailing commas are allowed there."""
    plain = _TRAILING.sub(r"\1", _COMMENT.sub(lambda found: found.group(1) or "", text[:200_000]))
    try:
        options = json.loads(plain).get("compilerOptions", {})
        given = options.get("baseUrl")
        base = posixpath.normpath(posixpath.join(directory, given)) if isinstance(given, str) else None
        start = base if base is not None else directory
        pairs = [
            (str(pattern), posixpath.normpath(posixpath.join(start, str(target))))
            for pattern, targets in options.get("paths", {}).items()
            for target in targets
        ]
    except (ValueError, AttributeError, TypeError, RecursionError):
        return None
    return Aliases(base, tuple(pairs))


def _matched(source: str, pattern: str) -> str | None:
    """What stands for the star; an empty text for a pattern without one."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if source == pattern else None
    is_match = source.startswith(before) and source.endswith(after) and len(source) >= len(before) + len(after)
    return source[len(before) : len(source) - len(after)] if is_match else None
