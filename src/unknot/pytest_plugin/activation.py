"""Which plugins are registered in which process: plain pytest, pytest-xdist's controller, or one of its workers."""

from pathlib import Path
from typing import Any

import pytest

from unknot.model.dependencies import Dependencies
from unknot.model.errors import UnknotError
from unknot.pytest_plugin.messages import usage_error
from unknot.pytest_plugin.selection import LOCK_FOR_WORKERS, SelectionPlugin
from unknot.store.durations import with_assumed_durations
from unknot.store.known_result import read_known_result
from unknot.store.state_directory import STATE, StateDirectory

_LOCK = "unknot.lock.json"


def activate(config: pytest.Config) -> None:
    """Registers the plugins that this process needs. Raises pytest.UsageError if there is no usable lock file."""
    if hasattr(config, "workerinput"):
        _activate_worker(config, config.workerinput)
        return
    path = _lock_path(config)
    dependencies = _read(path)
    if not _is_distributed(config):
        config.pluginmanager.register(SelectionPlugin(config, dependencies, path), "unknot-selection")
        return
    if config.getoption("dist") == "each":
        raise pytest.UsageError(
            "--unknot distributes tests, --dist each runs all of them on every worker: use only one of the two"
        )
    # Imported only here: other processes do not need it.
    from unknot.pytest_plugin.distribution import DistributionPlugin
    from unknot.pytest_plugin.separate_files import SeparateFiles

    config.pluginmanager.register(DistributionPlugin(config, dependencies, path), "unknot-distribution")
    recording = StateDirectory(path.parent / STATE).recording
    config.pluginmanager.register(SeparateFiles(config, recording), "unknot-separate-files")


def _activate_worker(config: pytest.Config, given: dict[str, Any]) -> None:
    """A worker on another machine may have no lock file; it then runs what the controller sends and adds nothing."""
    path = Path(given.get(LOCK_FOR_WORKERS, ""))
    # The plan decides, not `--dist loadgroup`, which would also change the ids of tests.
    config.option.loadgroup = False
    if path.is_file():
        config.pluginmanager.register(SelectionPlugin(config, _read(path), path), "unknot-selection")


def _is_distributed(config: pytest.Config) -> bool:
    """Whether pytest-xdist will distribute the tests: it does not if they are only collected."""
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
        return with_assumed_durations(read_known_result(path, StateDirectory(path.parent / STATE)))
    except UnknotError as error:
        raise usage_error(error) from None
