"""What must stay the same for an old answer to stay true, taken from the files of a collected suite."""

from pathlib import Path

from unknot.model.suite import TestId
from unknot.runners.listing import Listing
from unknot.store.fingerprint import environment_fingerprint, file_digest, test_fingerprints
from unknot.store.test_fingerprints import Fingerprints


def taken_from(listing: Listing, options: tuple[str, ...]) -> Fingerprints:
    """For a test its file and the conftest files on its way; for all of them the project's own modules, the plugins,
    the interpreter and the options. Paths count from the project's root: another checkout has the same."""
    own_files = set(listing.files)
    shared = [path for path in listing.modules if path not in own_files and path.name != "conftest.py"]
    environment = environment_fingerprint(
        [
            *listing.plugins,
            *options,
            *(f"{_from_root(path, listing.root)}:{file_digest(path)}" for path in shared),
        ]
    )
    by_file = {path: [path, *_conftests(path, listing.root)] for path in own_files}
    sources: dict[TestId, list[Path]] = {
        test: by_file[path] for test, path in zip(listing.suite.tests, listing.files, strict=True)
    }
    return Fingerprints(environment, test_fingerprints(sources))


def _from_root(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _conftests(path: Path, root: Path) -> list[Path]:
    parents = [parent for parent in path.parents if parent.is_relative_to(root)]
    return [parent / "conftest.py" for parent in parents if (parent / "conftest.py").exists()]
