"""The directory of a generated suite: how its tests import what they use, and which files are ours to replace."""

import keyword
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from unknot.app.page_files import read_code
from unknot.model.errors import StorageError, UsageError
from unknot.model.sanitise import shown
from unknot.store.atomic import check_link, check_target
from unknot.web.pages.writing.class_code import GENERATED
from unknot.web.pages.writing.stamp import is_as_written, stamp_of
from unknot.web.suite.writing.fixtures_file import PACKAGE, LoginImport

INIT, CONFTEST = "__init__.py", "conftest.py"


@dataclass(frozen=True)
class SuiteDirectory:
    """`project` is the directory of the project, `path` that of the suite and `pages` that of its page objects."""

    project: Path
    path: Path
    pages: Path

    @property
    def page_package(self) -> str:
        """As tests import it: from the first directory above the suite that is no package, which pytest puts on the
        import path, or else from the project's directory. Raises UsageError if it is below neither, or if a directory
        has no name that can be imported."""
        for top in (self._top, self.project):
            if self.pages.is_relative_to(top) and self.pages != top:
                return _dotted(self.pages.relative_to(top))
        raise _not_importable(self.pages, f"it is neither below {shown(str(self._top))} nor below the project")

    def login_import(self, named: str, directory: Path) -> LoginImport | None:
        """For `FILE::FUNCTION`, where the file is given from this directory; None for an empty text."""
        file, _, function = named.partition("::")
        if not file:
            return None
        path = Path(os.path.abspath(directory / file))
        if not function.isidentifier() or keyword.iskeyword(function):
            raise _not_importable(path, f"{shown(function)} is no name of a function")
        if path.is_relative_to(self._top):
            return LoginImport(_dotted(path.relative_to(self._top).with_suffix("")), function)
        if not path.is_relative_to(self.project):
            raise _not_importable(path, "it is outside of the project")
        levels = len(self.path.relative_to(self.project).parts)
        return LoginImport(_dotted(path.relative_to(self.project).with_suffix("")), function, levels)

    def check(self) -> None:
        """Before anything is done, and again before anything is written: raises UsageError for a generated file that
        was changed by hand, and StorageError if nothing can be written there, or if a link leads out of the project."""
        if not self.path.is_relative_to(self.project) or self.path == self.project:
            raise UsageError(
                f"{shown(str(self.path))} is not a directory below the project {shown(str(self.project))}",
                hint="Name one with --out, for example tests/generated.",
                slug="generate-directory",
            )
        _dotted(self.path.relative_to(self.project))
        _ = self.page_package
        for path in (self.path, self.pages, self.pages / GENERATED):
            if not path.resolve().is_relative_to(self.project.resolve()):
                raise StorageError(
                    f"{shown(str(path))} leads out of the project, to {shown(str(path.resolve()))}",
                    hint="Remove the link, or choose another directory.",
                    slug="link-outside",
                )
        check_target(self.path / CONFTEST)
        for name, text in self.generated().items():
            if not is_as_written(text):
                raise UsageError(
                    f"{shown(str(self.path / name))} was changed by hand, and would be replaced",
                    hint="Rename the file to keep it, and delete its first two lines; or choose another directory.",
                    slug="generate-changed",
                )

    def check_names(self, names: Mapping[str, str]) -> None:
        """Raises UsageError if a file of the user has one of these names."""
        ours = self.generated()
        for name in names:
            check_link(self.path / name)
            if (self.path / name).exists() and name not in ours:
                raise UsageError(
                    f"{shown(str(self.path / name))} is yours, and a generated file needs its name",
                    hint="Rename the file, or choose another directory with --out.",
                    slug="generate-changed",
                )

    def generated(self) -> dict[str, str]:
        """The texts of the files of an earlier suite, by their names."""
        found = {path.name: read_code(path) for path in sorted(self.path.glob("test_*.py"))}
        return {name: text for name, text in found.items() if stamp_of(text) is not None}

    def own_files(self, fixtures: str) -> dict[str, str]:
        """Those of the user's files that are missing."""
        texts = {INIT: PACKAGE, CONFTEST: fixtures}
        return {name: text for name, text in texts.items() if not (self.path / name).exists()}

    @property
    def _top(self) -> Path:
        return next(
            (each for each in self.path.parents if not (each / INIT).exists()),
            self.project,
        )


def _dotted(path: Path) -> str:
    for part in path.parts:
        if not part.isidentifier() or keyword.iskeyword(part):
            raise _not_importable(path, f"{shown(part)} cannot be part of an import")
    return ".".join(path.parts)


def _not_importable(path: Path, why: str) -> UsageError:
    return UsageError(
        f"tests cannot import {shown(str(path))}: {why}",
        hint="Use names of letters, digits and underscores, and put suite and page objects side by side, such as"
        " tests/generated and tests/pages.",
        slug="generate-directory",
    )
