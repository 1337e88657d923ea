"""Which tests a suite has, by its own command, and which files they are made of."""

import contextlib
import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from unknot.model.errors import CollectionError, ExitCode, NoTestsError, RunnerError
from unknot.model.suite import Suite, TestId
from unknot.runners.command.launcher import LauncherLost
from unknot.runners.command.output import Output, in_words
from unknot.runners.command.placeholders import TESTS, fault, filled, joined, placeholders
from unknot.runners.command.results.ids import check_id, shown
from unknot.runners.command.spec import CommandSpec
from unknot.runners.command.workspace import CommandWorkspace
from unknot.runners.protocol import Listing
from unknot.runners.sandbox.sandbox import Sandbox, make_home
from unknot.runners.sandbox.tree import remove_if_possible
from unknot.runners.sandbox.working_copy import project_files, project_root
from unknot.runners.settings import Settings

_BORDER = re.compile(r"::|[:#/ \[]")
"""What may stand in an id behind the name of its file."""


def own_file(test: str, directory: Path, root: Path, known: frozenset[Path]) -> Path | None:
    """The longest beginning of a test's id that is one of the project's files. An id is only compared with their
    names: it leads nowhere else, whatever it looks like."""
    ends = [len(test), *(match.start() for match in reversed(list(_BORDER.finditer(test))))]
    for end in ends:
        for base in (directory, root):
            path = Path(os.path.normpath(base / test[:end])) if test[:end] else None
            if path in known:
                return path
    return None


_GLANCE = 0.1
_MOST_LISTED = 16 * 1024 * 1024
"""Bytes. No suite has so many tests; what prints more does not list them."""

_MAKE_IT_LIST = "run it by hand in the project directory; it must print one id a line and end with status 0"
_NO_SHELL = """; no shell reads it, so pipes, globs and variables need one: `list = ["sh", "-c", "…"]`"""
_FOR_A_SHELL = re.compile(r"\d*[|&;<>]+.*|[^ ]*[*?][^ ]*|\$\{?\w+\}?.*")
"""A word that says something only to a shell."""
_CONFIGURATIONS = ("unknot.toml", "pyproject.toml")


def list_tests(spec: CommandSpec, settings: Settings) -> Listing:
    """Runs the list command in a working copy: the user's own files are not written to. Raises CollectionError if that
    does not work or an id cannot be used, NoTestsError if there is nothing."""
    root, printed = _printed(spec, settings)
    listed = list(_listed(spec, printed))
    ids = [test for test, _ in listed]
    _check(spec, ids)
    try:
        found = project_files(root, spec.files)
    except OSError as problem:
        raise CollectionError(
            f"a file of the project cannot be read: {problem}", hint="make it readable", slug="file-unreadable"
        ) from problem
    known = frozenset(found)
    files = tuple(
        own_file(file or test, settings.directory, root, known) or _fallback(settings, root) for test, file in listed
    )
    own = frozenset(files)
    return Listing(
        suite=Suite(tuple(TestId(test) for test in ids)),
        files=files,
        root=root,
        modules=tuple(file for file in found if file not in own),
        plugins=_distinguishing(spec),
    )


def _printed(spec: CommandSpec, settings: Settings) -> tuple[Path, str]:
    """The project's root and what the list command prints, from where that reaches the user's own paths."""
    if not spec.list:
        return project_root(settings.directory), "".join(f"{test}\n" for test in spec.tests)
    # A value with ports or results in it is for a run.
    environment = tuple(one for one in spec.environment if not fault(one[1:], ("dir", "worker")))
    try:
        with contextlib.ExitStack() as closing:
            home = make_home()
            closing.callback(remove_if_possible, home)
            workspace = CommandWorkspace(replace(spec, environment=environment), None, settings, Sandbox(home, 0))
            closing.callback(workspace.close)
            output = Output(home / "list", is_results=True, together=False)
            workspace.start(filled(spec.list, workspace.values), output, sweeps=True)
            _wait(spec, settings, workspace, output)
            printed = output.stdout.read_bytes().decode(errors="surrogateescape")
        return workspace.files.root, workspace.files.original_id(printed)
    except LauncherLost as problem:
        raise RunnerError(
            f"`{' '.join(spec.list)}` was killed while it listed the tests", slug="list-command-failed"
        ) from problem
    except OSError as problem:
        raise RunnerError(
            f"the tests cannot be listed: {problem}", hint="see whether the disk is full", slug="list-command-failed"
        ) from problem


def _wait(spec: CommandSpec, settings: Settings, workspace: CommandWorkspace, output: Output) -> None:
    limit = time.monotonic() + settings.timeout
    while (status := workspace.wait(output, time.monotonic() + _GLANCE)) is None:
        _check_size(spec, output)
        if time.monotonic() > limit:
            raise _no_list(spec, f"did not end in {settings.timeout:g} s", output)
    _check_size(spec, output)
    if status != 0:
        raise _no_list(spec, in_words(status), output)


def _check_size(spec: CommandSpec, output: Output) -> None:
    if output.stdout.exists() and output.stdout.stat().st_size > _MOST_LISTED:
        raise CollectionError(
            f"the list command `{' '.join(spec.list)}` printed more than {_MOST_LISTED // 1024 // 1024} MB",
            hint=_MAKE_IT_LIST,
            exit_code=ExitCode.RUNNER,
            slug="list-too-long",
        )


def _no_list(spec: CommandSpec, ending: str, output: Output) -> CollectionError:
    return CollectionError(
        f"the list command `{' '.join(spec.list)}` {ending}:\n{output.story()}".strip(),
        hint=_how_to_list(spec),
        exit_code=ExitCode.RUNNER,
        slug="list-command-failed",
    )


def _how_to_list(spec: CommandSpec) -> str:
    """What was written for a shell works by hand, because there is one: so the hint names that too."""
    is_for_a_shell = any(_FOR_A_SHELL.fullmatch(word) for word in spec.list[1:])
    return _MAKE_IT_LIST + (_NO_SHELL if is_for_a_shell else "")


def _listed(spec: CommandSpec, printed: str) -> Iterator[tuple[str, str]]:
    """Ids, each with the name of its file if that is said."""
    pattern = re.compile(spec.list_pattern) if spec.list_pattern else None
    for raw in printed.split("\n"):
        line = raw.removesuffix("\r")
        if pattern is None:
            if line.strip():
                yield line, ""
        elif (found := pattern.search(line)) and found["test"]:
            yield found["test"], found.groupdict().get("file") or ""


def _check(spec: CommandSpec, ids: list[str]) -> None:
    source = f"the list command `{' '.join(spec.list)}`" if spec.list else "`tests`"
    if not ids:
        what = "no line that fits `list-pattern`" if spec.list_pattern else "no tests"
        raise NoTestsError(f"{source} gives {what}", hint=_how_to_list(spec), slug="no-tests")
    seen: set[str] = set()
    for test in ids:
        if problem := check_id(test):
            hint = "rename the test, or let `list-pattern` pick the ids out of what else is printed"
            raise CollectionError(f"{source} gives an id that cannot be used: {problem}", hint=hint, slug="id-unusable")
        if test in seen:
            raise CollectionError(
                f"{source} gives a test twice: {shown(test)}",
                hint="each test must have an id of its own",
                slug="id-duplicate",
            )
        seen.add(test)
    if any(word != "{tests}" and TESTS in placeholders([word]) for word in spec.run):
        joined(ids, spec.separator)


def _fallback(settings: Settings, root: Path) -> Path:
    """For a test whose id names no file: the configuration, which is at least where it is said how to run it."""
    places = [directory / name for directory in (settings.directory, root) for name in _CONFIGURATIONS]
    return next((path for path in places if path.is_file()), places[0])


def _distinguishing(spec: CommandSpec) -> tuple[str, ...]:
    return (
        "command " + repr((spec.known_by or spec.run, spec.separator, spec.results)),
        "environment " + repr(spec.environment) + repr(spec.statuses),
        "platform " + sys.platform + " " + os.uname().machine,
        *spec.versions,
    )
