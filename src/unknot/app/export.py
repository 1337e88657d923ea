"""Plans in the formats of other tools, for `unknot plan --export`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from unknot.model.dependencies import Dependencies
from unknot.model.plan import Plan
from unknot.model.recording import Recording, outside_shared
from unknot.model.sanitise import shown
from unknot.plan.constraints.components import blocks, components
from unknot.report.export.pytest_marks import MarkPlugin, pytest_order, xdist_groups
from unknot.report.export.shards import github_matrix, gitlab_job, id_lists, split_durations
from unknot.report.wording import counted
from unknot.store.atomic import write_atomically


@dataclass(frozen=True)
class ExportFormat:
    """`write` returns the text to print. `of_shards`: each lane of the plan is taken for a shard, so it makes sense
    only for a plan of shards."""

    help: str
    write: Callable[[Dependencies, Plan, Path | None, Recording | None], str]
    of_shards: bool = False


def export(
    name: str, dependencies: Dependencies, plan: Plan, path: Path | None, recording: Recording | None = None
) -> str:
    """Writes the plan in that format; returns the text for stdout, which ends with a newline: what was written and how
    it is used, or the export itself.

    `path` is a directory for formats of several files (`ids`: one file for each lane; `xdist-group` and `pytest-order`:
    a module and its table; the current directory unless given) and a file for the others. `github` and `gitlab` go to
    stdout unless it is given. `recording` tells which tests share files.
    Each file is written whole or not at all. Raises UsageError and StorageError.
    """
    return FORMATS[name].write(dependencies, plan, path, recording)


def _ids(_: Dependencies, plan: Plan, path: Path | None, __: Recording | None) -> str:
    directory = path or Path()
    texts = id_lists(plan)
    for name, text in texts.items():
        write_atomically(directory / name, text)
    if not texts:
        return "there are no tests: nothing was written\n"
    files = f"{len(texts)} files" if len(texts) > 1 else "1 file"
    first = shown(str(directory / next(iter(texts))))
    return (
        f"wrote {files}, one id on a line; with pytest 8.2 or later: pytest @{first}\n"
        f"any suite: unknot ask --order-file {first}\n"
    )


def _groups(dependencies: Dependencies, _: Plan, path: Path | None, recording: Recording | None) -> str:
    sharing = outside_shared(recording) if recording is not None else []
    written = _module(xdist_groups(components(dependencies, sharing)), path, "pytest -n 4 --dist loadgroup")
    if recording is None:
        return (
            f"{written}not safe: workers of pytest-xdist share files, and which tests use the same ones was not"
            " recorded; run `unknot detect --trace`, then export again\n"
        )
    together = counted(len(set().union(*sharing)), "test")
    return (
        f"{written}{together} use files, tables or ports of other tests, as recorded, and are in the group of these\n"
    )


def _order(dependencies: Dependencies, _: Plan, path: Path | None, __: Recording | None) -> str:
    return _module(pytest_order(dependencies.suite.tests), path, "pytest")


def _module(plugin: MarkPlugin, path: Path | None, command: str) -> str:
    directory = path or Path()
    # The table first: a module without one would stop pytest.
    write_atomically(directory / f"{plugin.name}.json", plugin.table)
    write_atomically(directory / f"{plugin.name}.py", plugin.code)
    module = shown(str(directory / plugin.name))
    return (
        f"wrote {module}.py and {module}.json; in the conftest.py beside them:\n"
        f'  pytest_plugins = ["{plugin.name}"]\n'
        f"then: {command}\n"
    )


def _split(dependencies: Dependencies, _: Plan, path: Path | None, __: Recording | None) -> str:
    file = path or Path(".test_durations")
    write_atomically(file, split_durations(blocks(dependencies), dependencies.seconds))
    option = "" if path is None else f" --durations-path {shown(str(file))}"
    return (
        f"wrote {shown(str(file))}: groups are cut only where no dependency is; never use it with least_duration,\n"
        "and write it again, rather than --store-durations, after `unknot detect`; a group may be empty: status 5\n"
        f"then: pytest --splits 6 --group 1{option}\n"
    )


def _github(dependencies: Dependencies, plan: Plan, path: Path | None, _: Recording | None) -> str:
    return _one(github_matrix(plan, dependencies.seconds), path)


def _gitlab(_: Dependencies, plan: Plan, path: Path | None, __: Recording | None) -> str:
    return _one(gitlab_job(plan), path)


def _one(text: str, path: Path | None) -> str:
    if path is None:
        return text
    write_atomically(path, text)
    return f"wrote {shown(str(path))}\n"


FORMATS: Mapping[str, ExportFormat] = {
    "ids": ExportFormat("one file of ids for each lane, for any runner", _ids),
    "xdist-group": ExportFormat("marks for pytest -n N --dist loadgroup", _groups),
    "pytest-order": ExportFormat("marks for pytest-order", _order),
    "pytest-split": ExportFormat("durations for pytest --splits N --group I", _split),
    "github": ExportFormat("a matrix of shards for GitHub Actions", _github, of_shards=True),
    "gitlab": ExportFormat("a job of shards for GitLab CI", _gitlab, of_shards=True),
}
