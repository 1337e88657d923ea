"""Suites that are run on seats: by commands, JUnit, mtr; and pytest suites on a cluster."""

import argparse
import fnmatch
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace

from rich.console import Console

from unknot.cli.configuration import Configuration
from unknot.cli.suite_kind import COMMAND, MTR, PYTEST, kind_of
from unknot.cli.workplace import Workplace, either_way, pytest_workplace, tell_if_fresh, wanted_fork
from unknot.model.errors import NoTestsError, UsageError
from unknot.model.suite import Suite, TestId
from unknot.report.shown import shown_lines
from unknot.run.collected import Collected
from unknot.run.command.configured import command_spec
from unknot.run.command.listing import list_tests
from unknot.run.command.project_files import project_files
from unknot.run.command.seat import CommandSeatSpec
from unknot.run.command.spec import CommandSpec
from unknot.run.instance.measure import described
from unknot.run.instance.spec import InstanceSpec
from unknot.run.junit.configured import junit_spec
from unknot.run.listing import Listing
from unknot.run.mtr.configured import mtr_spec
from unknot.run.seats.ahead import OpenedAhead, opened_ahead
from unknot.run.seats.local import LocalWorkers
from unknot.run.seats.oracle import SeatOracle
from unknot.run.seats.protocol import SeatSpec
from unknot.run.seats.pytest_seat import PytestSeatSpec
from unknot.run.seats.workers import Workers
from unknot.run.settings import Settings


@dataclass(frozen=True)
class Seating:
    """How the suite is run, before anything is: what opens a seat, and what can be run there."""

    spec: SeatSpec
    listing: Listing
    settings: Settings
    invocation: tuple[str, ...]
    is_warm: bool = False
    put_back_by: str = ""


@contextmanager
def seated(
    settings: Settings, options: argparse.Namespace, console: Console, *, at_once: bool = False
) -> Iterator[Workplace]:
    with ExitStack() as stack:
        if kind_of(options) == PYTEST and not options.cluster:
            ahead = settings.workers if at_once else 1
            opened, settings = either_way(
                settings, lambda tried: stack.enter_context(_opened(tried, options.runner, ahead))
            )
            if options.runner == "auto":
                tell_if_fresh(opened.listed.why_fresh, console)
            found = _pytest_seating(opened.spec, opened.listed.collected, settings, options)
            oracle = SeatOracle(found.spec, found.listing, opened.workers, opened.session)
        else:
            found = seating(settings, options, console)
            oracle = stack.enter_context(
                SeatOracle(found.spec, found.listing, _workers(options.cluster, found.settings.workers))
            )
        settings = replace(found.settings, workers=oracle.price.workers)
        yield Workplace(
            oracle,
            found.listing,
            settings,
            kind_of(options),
            found.invocation,
            found.is_warm,
            put_back_by=found.put_back_by,
        )
        for note in oracle.notes:
            console.print(f"note: {shown_lines(note)}", markup=False)


def _opened(settings: Settings, runner: str, ahead: int) -> AbstractContextManager[OpenedAhead]:
    return opened_ahead(PytestSeatSpec(settings, None, wanted_fork(runner)), settings.workers, ahead=ahead)


def seating(settings: Settings, options: argparse.Namespace, console: Console) -> Seating:
    """Raises UsageError for a configuration that is wrong, and what listing a suite raises."""
    if kind_of(options) == PYTEST:
        with pytest_workplace(replace(settings, workers=1), options.runner, console) as (oracle, collected, tried):
            settings = replace(tried, workers=settings.workers)
            spec = PytestSeatSpec(settings, collected.suite, oracle.forks)
        return _pytest_seating(spec, collected, settings, options)
    command, instance = _described(settings, options)
    listing = chosen(list_tests(command, settings), settings.paths)
    settings = replace(settings, instance=None)
    seat = CommandSeatSpec(command, instance, settings)
    put_back_by = _put_back_by(settings, instance)
    listing = _on_ground(listing, options, put_back_by)
    if instance is not None and instance.files:
        listing = _with_files(listing, instance.files)
    return Seating(seat, listing, settings, _by_hand(options), put_back_by=put_back_by)


def _pytest_seating(
    spec: PytestSeatSpec, collected: Collected, settings: Settings, options: argparse.Namespace
) -> Seating:
    is_warm = bool(spec.fork)
    if settings.instance is None:
        by_hand = (*settings.invocation, *collected.by_hand, *settings.options)
        return Seating(spec, collected, settings, by_hand, is_warm)
    put_back_by = _put_back_by(settings, settings.instance)
    # What pytest has imported is known; what the system is made of may be any other file.
    listing = _with_files(_on_ground(collected, options, put_back_by), settings.instance.files)
    # A plain pytest has no system to run on.
    return Seating(spec, listing, settings, _by_hand(options), is_warm, put_back_by)


def with_reset(spec: SeatSpec, instance: InstanceSpec) -> SeatSpec:
    """The same seat with another instance."""
    if isinstance(spec, PytestSeatSpec):
        return replace(spec, settings=replace(spec.settings, instance=instance))
    assert isinstance(spec, CommandSeatSpec)
    return replace(spec, instance=instance)


def _on_ground(listing: Listing, options: argparse.Namespace, put_back_by: str) -> Listing:
    """The listing, told apart from one whose tests ran on another system or were put back otherwise. As the user wrote
    it: what is made of that may hold paths of this machine."""
    configuration: Configuration = options.configuration
    system = f"instance {configuration.tables.get('instance')!r}"
    return replace(listing, plugins=(*listing.plugins, system, f"put back by {put_back_by}"))


def _with_files(listing: Listing, globs: Sequence[str]) -> Listing:
    """The listing with these files of the project, or all, as files that all tests share."""
    more = project_files(listing.root, globs)
    return replace(listing, modules=tuple(dict.fromkeys((*listing.modules, *more))))


def _put_back_by(settings: Settings, instance: InstanceSpec | None) -> str:
    ways = ["the working copy"] if settings.workdir == "copy" else []
    if settings.reset:
        ways.append(settings.reset)
    if instance is not None:
        ways.append(described(instance.reset))
    return " and ".join(ways) or "nothing"


def _described(settings: Settings, options: argparse.Namespace) -> tuple[CommandSpec, InstanceSpec | None]:
    configuration: Configuration = options.configuration
    kind = kind_of(options)
    where = configuration.place_of(kind)
    table = configuration.tables.get(kind, {})
    if options.suite and kind != MTR:
        raise UsageError("--suite is for mtr", hint="add `--runner mtr`")
    match kind:
        case "command" if not table:
            raise UsageError(
                f"there is no [{COMMAND}] in the configuration that says how the tests are run",
                hint="docs/reference/command.md shows what to write into unknot.toml",
            )
        case "command":
            return command_spec(table, where), settings.instance
        case "junit":
            return junit_spec(table, settings.directory, where), settings.instance
        case _:
            if settings.instance is not None:
                raise UsageError(
                    f"{configuration.place_of('instance')}: mtr has servers of its own", hint="leave it out"
                )
            return mtr_spec(table, options.suite, where, settings.directory)


def _by_hand(options: argparse.Namespace) -> tuple[str, ...]:
    """What must be typed before an order's ids to have it run as the detection did."""
    words = ["unknot", "ask"]
    if options.runner != "auto":
        words += ["--runner", options.runner]
    if options.workdir != "auto":
        words += ["--workdir", options.workdir]
    for suite in options.suite:
        words += ["--suite", suite]
    if options.reset:
        words += ["--reset", options.reset]
    return tuple(words)


def chosen(listing: Listing, patterns: tuple[str, ...]) -> Listing:
    """The tests that these name: by id, or by a pattern with `*` and `?`. All of them if there are none."""
    if not patterns:
        return listing
    tests = listing.suite.tests
    kept: set[TestId] = set()
    for pattern in patterns:
        found = {TestId(pattern)} if pattern in listing.suite.index else {t for t in tests if _fits(t, pattern)}
        if not found:
            raise NoTestsError(f"no test of the suite is called `{pattern}`", hint="ids may have * and ? in them")
        kept |= found
    places = [place for place, test in enumerate(tests) if test in kept]
    return replace(
        listing,
        suite=Suite(tuple(tests[place] for place in places)),
        files=tuple(listing.files[place] for place in places),
    )


def _fits(test: TestId, pattern: str) -> bool:
    # Brackets are part of ids more often than they are meant as sets.
    return fnmatch.fnmatchcase(test, pattern.replace("[", "[[]"))


def _workers(cluster: str, count: int) -> Workers:
    if not cluster:
        return LocalWorkers(count)
    from unknot.run.seats.cluster import connect  # an extra, which not everybody has

    workers: Workers = connect(cluster)
    return workers
