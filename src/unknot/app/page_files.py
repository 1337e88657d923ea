"""Writes page objects: base classes after each crawl, and the user's subclasses once."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import StorageError, UsageError
from unknot.model.sanitise import shown
from unknot.model.web.page_files import PageFiles
from unknot.model.web.web_model import WebModel
from unknot.store.atomic import check_link, write_atomically
from unknot.store.web_model_file import read_web_model
from unknot.web.pages.writing.class_code import BASE, GENERATED
from unknot.web.pages.writing.plan import PagePlan
from unknot.web.pages.writing.stamp import Stamp, is_as_written, is_same_code, stamp_of
from unknot.web.pages.writing.written import WrittenPages, written_pages


@dataclass(frozen=True)
class PageCode:
    """The page objects of a model, for a directory. `texts` are the files that are to be written there, by their paths;
    `files` says what becomes of all."""

    texts: Mapping[str, str]
    files: PageFiles
    plan: PagePlan

    def write(self, directory: Path) -> None:
        """Raises StorageError for what cannot be written. Each file is written whole or not at all."""
        check_link(directory)
        check_link(directory / GENERATED)
        for path in self.texts:
            check_link(directory / path)
        for path, text in self.texts.items():
            write_atomically(directory / path, text)


def write_page_objects(model_file: Path, directory: Path) -> PageFiles:
    """Writes the page objects of the model into the directory, and says what was written: see `page_code`. Raises
    UsageError for a model without pages, StorageError for what cannot be written."""
    code = page_code(read_model_with_pages(model_file), directory)
    code.write(directory)
    return code.files


def page_code(model: WebModel, directory: Path) -> PageCode:
    """What to write into the directory. Classes keep the names that they have there.

    Guarantee
        What a user has written is never replaced: their files are left alone, and a generated file that was changed by
        hand is an error. Where the page objects of the same model are, nothing is to be written.
    Raises UsageError for generated files that were changed, and for files of the user that lack their class;
    StorageError for what cannot be read.
    """
    present, stamps = _generated(directory)
    known = {each.made_for: each.name for each in stamps.values() if each.made_for and each.name}
    written = written_pages(model, known)
    old = {f"{GENERATED}/{name}": text for name, text in present.items()}
    changed = {path: text for path, text in written.generated.items() if not is_same_code(old.get(path, ""), text)}
    _check_generated(directory, [path for path in written.generated if path in old], old)
    missing = {path: text for path, text in written.own.items() if not (directory / path).exists()}
    _check_own(directory, written, missing)
    everything = [*written.generated, *written.own]
    files = PageFiles(
        tuple(sorted(changed)),
        tuple(sorted(missing)),
        tuple(sorted(path for path in everything if path not in changed and path not in missing)),
        tuple(f"{GENERATED}/{name}" for name in stamps if f"{GENERATED}/{name}" not in written.generated),
    )
    return PageCode({**changed, **missing}, files, written.plan)


def read_model_with_pages(file: Path) -> WebModel:
    """Raises UsageError for a model without pages, StorageError for one that cannot be read."""
    model = read_web_model(file)
    if not model.pages:
        raise UsageError(
            f"{shown(str(file))} has no pages",
            hint="Run `unknot crawl` again, for longer or with a login.",
            slug="pages-empty-model",
        )
    return model


def _generated(directory: Path) -> tuple[dict[str, str], dict[str, Stamp]]:
    """The texts and the stamps of the base classes that are there, by the names of their files."""
    present = {path.name: read_code(path) for path in sorted((directory / GENERATED).glob("*.py"))}
    return present, {name: stamp for name, text in present.items() if (stamp := stamp_of(text)) is not None}


def _check_generated(directory: Path, paths: list[str], old: dict[str, str]) -> None:
    for path in paths:
        if not is_as_written(old[path]):
            raise UsageError(
                f"{shown(str(directory / path))} was changed by hand, and would be written again",
                hint=f"Move the change into {shown(str(directory / path.removeprefix(f'{GENERATED}/')))},"
                " which is yours, then delete the changed file.",
                slug="pages-changed",
            )


def _check_own(directory: Path, written: WrittenPages, missing: dict[str, str]) -> None:
    """Base classes lead to the user's classes, so these have to be there."""
    wanted = {"base_page.py": BASE} | {f"{each.module}.py": each.name for each in written.plan.classes}
    for path, name in wanted.items():
        if path not in missing and name not in _classes(directory / path):
            raise UsageError(
                f"{shown(str(directory / path))} has no class {name}",
                hint="Give the class this name, rename the file, or choose another directory.",
                slug="pages-class-missing",
            )


def _classes(path: Path) -> set[str]:
    try:
        tree = ast.parse(read_code(path))
    except (SyntaxError, ValueError, RecursionError) as problem:
        raise UsageError(
            f"{shown(str(path))} is no valid Python: {shown(str(getattr(problem, 'msg', problem)))}",
            hint="Correct the file.",
            slug="pages-not-python",
        ) from problem
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def read_code(path: Path) -> str:
    """A file with page objects or tests. Raises StorageError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise StorageError(
            f"{shown(str(path))} cannot be read: {shown(getattr(problem, 'strerror', None) or 'it is not UTF-8')}",
            hint="Check the file and its permissions.",
            slug="pages-unreadable",
        ) from problem
