"""What must stay the same for an old answer to stay true."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import StorageError
from unknot.model.suite import TestId
from unknot.store.test_source import divided

DIGEST_BYTES = 16
MISSING = "missing"

OWN_PART = "-"
"""Separates the part of a test's fingerprint that it shares with other tests from its own."""

_OWN_DIGITS = 16


@dataclass(frozen=True)
class Fingerprints:
    """By which a later detection sees which tests have changed: `environment` changes with whatever may change every
    test, `tests[t]` with what may change t."""

    environment: str
    tests: Mapping[TestId, str]


def file_digest(path: Path) -> str:
    """The digest of the content, not of the name: a moved checkout keeps its journal. A file that is not there gives
    `MISSING`, which no content gives. Raises StorageError for one that is there and cannot be read.

    Cost: reads the file once, in pieces.
    """
    try:
        with path.open("rb") as content:
            return hashlib.file_digest(content, lambda: hashlib.blake2b(digest_size=DIGEST_BYTES)).hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return MISSING
    except OSError as error:
        raise StorageError(
            f"{path} cannot be read: {error.strerror or error}",
            hint="unknot reads the files of a test to see whether it changed: make the file readable.",
            slug="file-unreadable",
        ) from error


def test_fingerprints(files: Mapping[TestId, Sequence[Path]]) -> dict[TestId, str]:
    """For each test the digest over the contents of its files, in the sequence given. Of the first, its own, only what
    can change the test counts, if it is in Python: then the fingerprint has a second part, of the test's own lines.

    Assumes that the files named are all that could change the test: its own and the conftest files on its way.
    Cost: each file is read twice, and the first ones are parsed, however many tests name them.
    """
    known: dict[Path, bytes] = {}
    for paths in files.values():
        for path in paths:
            if path not in known:
                known[path] = encoded(file_digest(path))
    sources = {path for paths in files.values() for path in paths[:1] if path.suffix == ".py" and path.exists()}
    parts = {path: divided(path.read_bytes()) for path in sources}
    shared = {path: digest_of(part.shared) for path, part in parts.items()}
    fingerprints: dict[TestId, str] = {}
    for test, paths in files.items():
        part = parts.get(paths[0]) if paths else None
        own = part.own.get(name_of_function(test.partition("::")[2])) if part else None
        if own is None:
            fingerprints[test] = digest_of(known[path] for path in paths).hex()
        else:
            others = digest_of([shared[paths[0]], *(known[path] for path in paths[1:])])
            fingerprints[test] = f"{others.hex()}{OWN_PART}{digest_of([own]).hex()[:_OWN_DIGITS]}"
    return fingerprints


def name_of_function(name: str) -> str:
    """The name of a test in its file, without its parameters."""
    return name.partition("[")[0]


def environment_fingerprint(parts: Iterable[str]) -> str:
    """The digest over everything outside the tests that could change an answer: interpreter, platform, options,
    installed packages. The sequence counts, so pass a sorted one where it has no meaning."""
    return digest_of(encoded(part) for part in parts).hex()


def encoded(text: str) -> bytes:
    """UTF-8 that also takes lone surrogates, which ids and captured output may hold; loses nothing."""
    return text.encode("utf-8", "surrogatepass")


def digest_of(parts: Iterable[bytes]) -> bytes:
    """Guarantees that two different sequences differ in digest: each part goes in with its length before it, so
    that ("ab", "c") is not ("a", "bc"). Cost: linear in the bytes.

    >>> digest_of([b"ab", b"c"]) == digest_of([b"a", b"bc"])
    False
    """
    hasher = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        hasher.update(len(part).to_bytes(8, "little"))
        hasher.update(part)
    return hasher.digest()
