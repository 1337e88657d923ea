"""The pytest plugin with which unknot listens from inside.

Loaded with `-p`; does nothing unless the environment names a pipe to answer on. Two roles: *trunk* collects once and
then forks for each tree of tests it is sent; *fresh* runs the one order it is given and ends as pytest ends.
"""

import gc
import json
import os
import sys
from collections.abc import Generator, Sequence
from typing import Any

import pytest

from unknot.runners.pytest.inside.channel import Channel
from unknot.runners.pytest.inside.descriptors import connections
from unknot.runners.pytest.inside.footprint import Footprint
from unknot.runners.pytest.inside.options import neutralise, same_by_hand
from unknot.runners.pytest.inside.process_setup import fill_caches, hold, release
from unknot.runners.pytest.inside.threads import ThreadStarts
from unknot.runners.pytest.inside.tree import TreeRunner
from unknot.runners.sandbox.branch_layers import BranchLayers, LayeredPlaces
from unknot.runners.sandbox.lifeline import die_with_parent
from unknot.runners.sandbox.originals import Originals, SharedPlaces

ANSWERS = "UNKNOT_ANSWERS"
COMMANDS = "UNKNOT_COMMANDS"
SCRATCH = "UNKNOT_SCRATCH"
PARENT = "UNKNOT_PARENT"
PLACES = "UNKNOT_PLACES"
LAYERS = "UNKNOT_LAYERS"
ORIGINALS = "UNKNOT_ORIGINALS"
COLLECTING = "UNKNOT_COLLECTING"


def _start_footprint() -> Footprint:
    """Collecting is part of the clean state: what it writes, a conftest.py too, is undone only in the end."""
    footprint = Footprint(SharedPlaces.from_text(os.environ[PLACES]), Originals(os.environ[COLLECTING]))
    footprint.install()
    footprint.start()
    return footprint


_footprint: Footprint | None = None
_thread_starts = ThreadStarts()

if ANSWERS in os.environ:
    # Now: plugins that are loaded next may import numeric libraries, write files, and start threads.
    hold()
    _footprint = _start_footprint()
    _thread_starts.watch()


class Inside:
    """One per process; registered by the module's `pytest_configure`."""

    def __init__(self, channel: Channel, commands: str, scratch: str, by_hand: Sequence[str]) -> None:
        self._channel = channel
        self._commands = commands
        self._scratch = scratch
        self._by_hand = by_hand
        assert _footprint is not None
        self._footprint = _footprint
        self._footprint.paths.discard(channel.path)
        self._layers = BranchLayers(LayeredPlaces.from_text(os.environ[LAYERS]))
        self._runner: TreeRunner | None = None
        self._collection_problems: list[str] = []

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._collection_problems.append(f"{report.nodeid}: {report.longreprtext}")

    def pytest_runtest_logreport(self, report: Any) -> None:
        if self._runner is not None and self._runner.current is not None:
            self._runner.current.add(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        # Tests started by a test (pytester) must not find our pipes.
        self._footprint.stop()
        _thread_starts.stop()
        self._footprint.originals = Originals(os.environ[ORIGINALS])
        for name in (ANSWERS, COMMANDS, SCRATCH, PARENT, PLACES, LAYERS, ORIGINALS, COLLECTING):
            os.environ.pop(name, None)
        release()
        self._announce(session)
        if self._collection_problems:
            return True
        self._serve(session)
        return True

    def _announce(self, session: Any) -> None:
        root = str(session.config.rootpath)
        numbers: dict[Any, int] = {}
        tests = [
            _describe(item, name, numbers) for item, name in zip(session.items, unique_ids(session.items), strict=True)
        ]
        message: dict[str, Any] = {
            "event": "collected",
            "tests": tests,
            "root": root,
            "inipath": str(session.config.inipath or ""),
            "problems": self._collection_problems,
            "threads": _thread_starts.lost_by_fork(session.config),
            "connections": connections(),
            "wrote": sorted(self._footprint.paths),
            "started_process": self._footprint.started_process,
            "cuda": _uses_cuda(),
            "modules": sorted(_project_modules(root)),
            "plugins": sorted(f"{dist.project_name}=={dist.version}" for _, dist in _distributions(session.config)),
            "pytest": pytest.__version__,
            "by_hand": self._by_hand,
        }
        self._channel.send(message)

    def _serve(self, session: Any) -> None:
        with open(self._commands, encoding="utf-8") as commands:
            command = json.loads(commands.readline() or '{"do": "stop"}')
            if command["do"] == "here":
                by_id = dict(zip(unique_ids(session.items), session.items, strict=True))
                self._runner = self._runner_for([by_id[name] for name in command["ids"]])
                self._runner.run_here(command["tree"])
                return
            self._runner = self._runner_for(session.items)
            # Objects moved out of the collector's sight are not touched by it, so their pages stay shared after a fork.
            fill_caches()
            gc.collect()
            gc.freeze()
            while command["do"] == "fork":
                self._runner.run_forked(command["tree"])
                command = json.loads(commands.readline() or '{"do": "stop"}')

    def _runner_for(self, items: Sequence[Any]) -> TreeRunner:
        return TreeRunner(items, self._channel, self._footprint, self._layers, self._scratch)


def unique_ids(items: Sequence[Any]) -> list[str]:
    """Node ids; where pytest gives two tests the same one, the later ones get a number."""
    seen: dict[str, int] = {}
    names: list[str] = []
    for item in items:
        count = seen[item.nodeid] = seen.get(item.nodeid, 0) + 1
        names.append(item.nodeid if count == 1 else f"{item.nodeid}#{count}")
    return names


def _describe(item: Any, name: str, numbers: dict[Any, int]) -> dict[str, Any]:
    """`chain` numbers the collectors from the session down: two items share set-ups as far as their chains agree."""
    chain = [numbers.setdefault(collector, len(numbers)) for collector in item.listchain()]
    return {"id": name, "file": str(item.path), "chain": chain}


def _uses_cuda() -> bool:
    torch = sys.modules.get("torch")
    return bool(torch is not None and torch.cuda.is_initialized())


def _project_modules(root: str) -> Generator[str, None, None]:
    """Source files of the project that were imported so far; a change in them may change any test."""
    for module in list(sys.modules.values()):
        name = getattr(module, "__file__", None)
        if isinstance(name, str) and name.startswith(root + os.sep) and "site-packages" not in name:
            yield name


def _distributions(config: Any) -> list[tuple[Any, Any]]:
    return list(config.pluginmanager.list_plugin_distinfo())


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: Any) -> None:
    """pytest-cov starts to measure here already, before any configuration hook could stop it."""
    if ANSWERS in os.environ and hasattr(early_config.known_args_namespace, "no_cov"):
        early_config.known_args_namespace.no_cov = True
        early_config.known_args_namespace.cov_source = []


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: Any) -> None:
    if ANSWERS not in os.environ:
        return
    die_with_parent(int(os.environ[PARENT]))
    by_hand = same_by_hand(config.option)
    neutralise(config)
    # Also where the user named one: two workers would empty it under each other's hands.
    config.option.basetemp = scratch = os.environ[SCRATCH]
    inside = Inside(Channel(os.environ[ANSWERS]), os.environ[COMMANDS], os.path.realpath(scratch), by_hand)
    config.pluginmanager.register(inside, "unknot-inside")
