"""Who does what in which process: alone, in pytest-xdist's controller, or in one of its workers."""

from pathlib import Path
from typing import Any

import pytest

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UnknotError
from unknot.pytest_plugin.messages import usage_error
from unknot.pytest_plugin.selection import LOCK_FOR_WORKERS, Selection
from unknot.store.lock_reader import read_lock

_LOCK = "unknot.lock.json"


def activate(config: pytest.Config) -> None:
    """Registers the plugins that this process needs. Raises pytest.UsageError if there is nothing to go by."""
    if hasattr(config, "workerinput"):
        _activate_worker(config, config.workerinput)
        return
    path = _lock_path(config)
    dependencies = _read(path)
    if not _is_distributed(config):
        config.pluginmanager.register(Selection(config, dependencies, path), "unknot-selection")
        return
    if config.getoption("dist") == "each":
        raise pytest.UsageError("--unknot shares tests out, --dist each does not: leave out one of them")
    # Only now: nobody else needs it.
    from unknot.pytest_plugin.distribution import Distribution

    config.pluginmanager.register(Distribution(config, dependencies, path), "unknot-distribution")


def _activate_worker(config: pytest.Config, given: dict[str, Any]) -> None:
    """A worker on another machine may have no lock file; it then runs what it is told and adds nothing."""
    path = Path(given.get(LOCK_FOR_WORKERS, ""))
    # The plan decides, not `--dist loadgroup`, which would also change the ids of tests.
    config.option.loadgroup = False
    if path.is_file():
        config.pluginmanager.register(Selection(config, _read(path), path), "unknot-selection")


def _is_distributed(config: pytest.Config) -> bool:
    """Whether pytest-xdist will hand out the tests: it does not where they are only to be listed."""
    return (
        config.getoption("dist", "no") != "no"
        and bool(config.getoption("tx", None))
        and not config.getoption("collectonly")
    )


def _lock_path(config: pytest.Config) -> Path:
    given = config.getoption("unknot_lock")
    here = config.invocation_params.dir
    if given is not None:
        return Path(here, given)
    beside = config.rootpath / _LOCK
    own: Path = here / _LOCK
    return beside if beside.is_file() and not own.is_file() else own


def _read(path: Path) -> Dependencies:
    try:
        return read_lock(path)
    except UnknotError as error:
        raise usage_error(error) from None
