"""Suites that are run on slots: pytest's on instances or a cluster, and all others."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace

from rich.console import Console

from unknot.app.configuration import PYTEST, Configuration, kind_of
from unknot.app.session.session import Workplace, either_way, pytest_workplace, tell_if_fresh, wanted_fork
from unknot.model.sanitise import shown_lines
from unknot.runners.command.project_files import project_files
from unknot.runners.dispatch.reset_measure import described
from unknot.runners.dispatch.slot_oracle import SlotOracle
from unknot.runners.protocol import Listing
from unknot.runners.pytest.collected import Collected
from unknot.runners.pytest.prestart import OpenedAhead, opened_ahead
from unknot.runners.pytest.pytest_slot import PytestSlotSpec
from unknot.runners.settings import Settings
from unknot.runners.sut.spec import InstanceSpec
from unknot.runners.workers.local import LocalWorkers
from unknot.runners.workers.slot import SlotSpec
from unknot.runners.workers.workers import Workers


# How a suite is run on slots, before anything is run; and what goes by it: keys of the journal, printed commands.
@dataclass(frozen=True)
class Seating:
    """How the suite is run, before anything is: what opens a slot, and what can be run there."""

    spec: SlotSpec
    listing: Listing
    settings: Settings
    invocation: tuple[str, ...]
    is_warm: bool = False
    put_back_by: str = ""


def on_ground(listing: Listing, options: argparse.Namespace, put_back_by: str) -> Listing:
    """The listing, told apart from one whose tests ran on another system or were put back otherwise. As the user wrote
    it: what is made of that may hold paths of this machine."""
    configuration: Configuration = options.configuration
    system = f"instance {configuration.tables.get('instance')!r}"
    return replace(listing, plugins=(*listing.plugins, system, f"put back by {put_back_by}"))


def with_files(listing: Listing, globs: Sequence[str]) -> Listing:
    """The listing with these files of the project, or all, as files that all tests share."""
    more = project_files(listing.root, globs)
    return replace(listing, modules=tuple(dict.fromkeys((*listing.modules, *more))))


def put_back_by_of(settings: Settings, instance: InstanceSpec | None) -> str:
    ways = ["the working copy"] if settings.workdir == "copy" else []
    if settings.reset:
        ways.append(settings.reset)
    if instance is not None:
        ways.append(described(instance.reset))
    return " and ".join(ways) or "nothing"


def by_hand_of(options: argparse.Namespace) -> tuple[str, ...]:
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
            oracle = SlotOracle(found.spec, found.listing, opened.workers, opened.session)
        else:
            found = seating(settings, options, console)
            oracle = stack.enter_context(
                SlotOracle(found.spec, found.listing, _workers(options.cluster, found.settings.workers))
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
    return opened_ahead(PytestSlotSpec(settings, None, wanted_fork(runner)), settings.workers, ahead=ahead)


def seating(settings: Settings, options: argparse.Namespace, console: Console) -> Seating:
    """Raises UsageError for a configuration that is wrong, and what listing a suite raises."""
    if kind_of(options) == PYTEST:
        with pytest_workplace(replace(settings, workers=1), options.runner, console) as (oracle, collected, tried):
            settings = replace(tried, workers=settings.workers)
            spec = PytestSlotSpec(settings, collected.suite, oracle.forks)
        return _pytest_seating(spec, collected, settings, options)
    # Most suites are pytest's, and need not wait for what the others import.
    from unknot.app.session.command_setup import command_seating

    return command_seating(settings, options)


def _pytest_seating(
    spec: PytestSlotSpec, collected: Collected, settings: Settings, options: argparse.Namespace
) -> Seating:
    is_warm = bool(spec.fork)
    if settings.instance is None:
        by_hand = (*settings.invocation, *collected.by_hand, *settings.options)
        return Seating(spec, collected, settings, by_hand, is_warm)
    put_back_by = put_back_by_of(settings, settings.instance)
    # What pytest has imported is known; what the system is made of may be any other file.
    listing = with_files(on_ground(collected, options, put_back_by), settings.instance.files)
    # A plain pytest has no system to run on.
    return Seating(spec, listing, settings, by_hand_of(options), is_warm, put_back_by)


def with_reset(spec: SlotSpec, instance: InstanceSpec) -> SlotSpec:
    """The same slot with another instance."""
    if isinstance(spec, PytestSlotSpec):
        return replace(spec, settings=replace(spec.settings, instance=instance))
    from unknot.runners.command.slot import CommandSlotSpec

    assert isinstance(spec, CommandSlotSpec)
    return replace(spec, instance=instance)


def _workers(cluster: str, count: int) -> Workers:
    if not cluster:
        return LocalWorkers(count)
    from unknot.runners.workers.cluster import connect  # an extra, which not everybody has

    workers: Workers = connect(cluster)
    return workers
