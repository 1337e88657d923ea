"""The pytest plugin with which unknot listens from inside.

Loaded with `-p`; does nothing unless the environment names a pipe to answer on. Two roles: *trunk* collects once and
then forks for each tree of tests it is sent; *fresh* runs the one order it is given and ends as pytest ends.
"""

import atexit
import contextlib
import gc
import json
import os
import sys
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import pytest

from unknot.runners.pytest.inside import measuring
from unknot.runners.pytest.inside.channel import Channel
from unknot.runners.pytest.inside.descriptors import connections
from unknot.runners.pytest.inside.footprint import Footprint
from unknot.runners.pytest.inside.forked_workers import ForkedWorkers, cannot_be_taken
from unknot.runners.pytest.inside.options import neutralise, same_by_hand
from unknot.runners.pytest.inside.process_setup import fill_caches, hold, release
from unknot.runners.pytest.inside.reports import ReportCollector
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
WORKER = "UNKNOT_WORKER"
REPORTS = "UNKNOT_REPORTS"
SELECTS = "UNKNOT_SELECTS"


def _start_footprint() -> Footprint:
    """Collecting is part of the clean state: what it writes, a conftest.py too, is undone only in the end."""
    footprint = Footprint(SharedPlaces.from_text(os.environ[PLACES]), Originals(os.environ[COLLECTING]))
    footprint.install()
    footprint.start()
    return footprint


class _WorkerNumber:
    """Whether the suite has read its worker's number while it was collected: what it made of that is in modules."""

    def __init__(self) -> None:
        self.was_read = False
        self._listings = 0
        self._encode, self._decode = os.environ.encodekey, os.environ.decodekey
        os.environ.encodekey, os.environ.decodekey = self._read, self._listed

    def _listed(self, name: Any) -> Any:
        """A copy of the whole environment lists all names before it reads their values: that does not count."""
        found = self._decode(name)
        self._listings += found == WORKER
        return found

    def _read(self, name: Any) -> Any:
        if name == WORKER:
            self.was_read |= not self._listings
            self._listings = max(0, self._listings - 1)
        return self._encode(name)

    def stop(self) -> None:
        os.environ.encodekey, os.environ.decodekey = self._encode, self._decode


class _QuickEnd:
    """Spares the interpreter to take its memory apart, once pytest has ended its session: what was registered with
    `atexit` later has run by then."""

    def __init__(self) -> None:
        self.is_due = False
        atexit.register(self._end)

    def _end(self) -> None:
        if self.is_due:
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(Exception):
                    stream.flush()
            os._exit(0)


_footprint: Footprint | None = None
_number: _WorkerNumber | None = None
_quick_end: _QuickEnd | None = None
_collects_garbage = False
_descriptors: list[str] = []
"""Those that were open before anything of the suite was."""
_thread_starts = ThreadStarts()

if ANSWERS in os.environ:
    # Now: plugins that are loaded next may import numeric libraries, write files, and start threads.
    hold()
    # Collecting makes many objects and hardly any garbage.
    _collects_garbage = gc.isenabled()
    gc.disable()
    _quick_end = _QuickEnd()
    _descriptors = cannot_be_taken()
    _number = _WorkerNumber()
    _footprint = _start_footprint()
    _thread_starts.watch()


class Inside:
    """One per process; registered by the module's `pytest_configure`."""

    def __init__(
        self,
        channel: Channel,
        commands: str,
        scratch: str,
        by_hand: Sequence[str],
        *,
        reports: ReportCollector | None,
        is_measured: bool,
    ) -> None:
        self._channel = channel
        self._before_exit = measuring.save if is_measured else lambda: None
        self._reports = reports
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
        for name in (ANSWERS, COMMANDS, SCRATCH, PARENT, PLACES, LAYERS, ORIGINALS, COLLECTING, REPORTS, SELECTS):
            os.environ.pop(name, None)
        measuring.hide()
        release()
        if _collects_garbage:
            gc.enable()
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
            "of_one_worker": self._of_one_worker(),
            "modules": sorted(_project_modules(root)),
            "plugins": sorted(f"{dist.project_name}=={dist.version}" for _, dist in _distributions(session.config)),
            "pytest": pytest.__version__,
            "by_hand": self._by_hand,
        }
        if self._reports is not None:
            message["details"] = self._reports.taken_of_collection(session)
        self._channel.send(message)

    def _of_one_worker(self) -> str:
        """What a process that is forked for another worker could not have of its own; empty if nothing."""
        assert _number is not None
        _number.stop()
        if _number.was_read:
            return f"{WORKER} was read while the suite was collected"
        more = [each for each in cannot_be_taken() if each not in _descriptors and not self._channel.leads_to(each)]
        return f"{more[0]} is open" if more else ""

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
            assert _quick_end is not None
            _quick_end.is_due = True
            workers = ForkedWorkers(lambda given, *own: self._serve_forked(session.items, given, *own))
            while command["do"] != "stop":
                if command["do"] == "worker":
                    workers.fork(command)
                else:
                    self._runner.run_forked(command["tree"])
                command = json.loads(commands.readline() or '{"do": "stop"}')

    def _serve_forked(
        self, items: Sequence[Any], given: Mapping[str, Any], channel: Channel, layers: BranchLayers
    ) -> None:
        """In a process that was forked for one worker."""
        self._channel, self._layers = channel, layers
        self._footprint.originals = Originals(given["originals"])
        self._runner = self._runner_for(items, given["mark"])
        with open(given["commands"], encoding="utf-8") as commands:
            while (command := json.loads(commands.readline() or '{"do": "stop"}'))["do"] == "fork":
                self._runner.run_forked(command["tree"])
        self._before_exit()

    def _runner_for(self, items: Sequence[Any], mark: str = "") -> TreeRunner:
        return TreeRunner(
            items,
            self._channel,
            self._footprint,
            self._layers,
            self._scratch,
            mark or f"TMPDIR={os.environ.get('TMPDIR', '')}",
            reports=self._reports,
            before_exit=self._before_exit,
        )


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


def _is_colour_free() -> bool:
    """Whether nothing but the terminal decides about colours."""
    decided = any(name in os.environ for name in ("PY_COLORS", "NO_COLOR", "FORCE_COLOR"))
    return not decided and os.environ.get("TERM") != "dumb"


def _distributions(config: Any) -> list[tuple[Any, Any]]:
    return list(config.pluginmanager.list_plugin_distinfo())


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: Any) -> Generator[None, object, object]:
    """pytest-cov starts to measure here already, before any configuration hook could stop it."""
    if ANSWERS in os.environ:
        options = early_config.known_args_namespace
        if measuring.MEASURE in os.environ:
            measuring.start(options)
        elif hasattr(options, "no_cov"):
            options.no_cov = True
            options.cov_source = []
        if REPORTS in os.environ and options.capture == "no":
            # What tests print goes to the terminal with their reports.
            options.capture = "fd"
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: Any) -> None:
    if ANSWERS not in os.environ:
        return
    die_with_parent(int(os.environ[PARENT]))
    by_hand = same_by_hand(config.option)
    is_measured = measuring.MEASURE in os.environ
    neutralise(config, selects=SELECTS in os.environ, measures=is_measured)
    if is_measured:
        measuring.follow_forks(config)
    reports = None
    if REPORTS in os.environ:
        reports = ReportCollector(config)
        if config.option.color == "auto" and os.environ[REPORTS] == "terminal" and _is_colour_free():
            # Comparisons of values are coloured where they are made.
            config.option.color = "yes"
        config.pluginmanager.register(reports, "unknot-reports")
    # Also where the user named one: two workers would empty it under each other's hands.
    config.option.basetemp = scratch = os.environ[SCRATCH]
    channel = Channel(os.environ[ANSWERS])
    scratch = os.path.realpath(scratch)
    inside = Inside(channel, os.environ[COMMANDS], scratch, by_hand, reports=reports, is_measured=is_measured)
    config.pluginmanager.register(inside, "unknot-inside")
