"""Suites that are run on other worker slots: suites run by commands, and pytest suites on a cluster."""

from contextlib import ExitStack
from dataclasses import dataclass, replace

from unknot.app.configuration import PYTEST
from unknot.app.options import RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.session.session import Session, pytest_session, with_system
from unknot.runners.dispatch.slot_runner import SlotRunner
from unknot.runners.protocol import Listing
from unknot.runners.pytest.slot import PytestSlotSpec
from unknot.runners.settings import Settings
from unknot.runners.sut.spec import InstanceSpec
from unknot.runners.workers.slot import SlotSpec, Workers
from unknot.runners.workers.threads import ThreadWorkers


@dataclass(frozen=True)
class RunnerSetup:
    """How the suite will be run: what opens a slot, and the tests that can be run there."""

    spec: SlotSpec
    listing: Listing
    settings: Settings
    invocation: tuple[str, ...]
    is_warm: bool = False
    reset_by: str = ""


def open_slot_session(settings: Settings, options: RunnerOptions, listener: ProgressListener) -> Session:
    setup = runner_setup(settings, options, listener)
    with ExitStack() as stack:
        workers = _workers(options.cluster, setup.settings.workers)
        oracle = stack.enter_context(SlotRunner(setup.spec, setup.listing, workers))
        return Session(
            oracle,
            setup.listing,
            replace(setup.settings, workers=oracle.price.workers),
            options.kind,
            setup.invocation,
            stack.pop_all(),
            setup.is_warm,
            setup.reset_by,
        )


def runner_setup(settings: Settings, options: RunnerOptions, listener: ProgressListener) -> RunnerSetup:
    """Raises UsageError for a configuration that is wrong, and what listing a suite raises."""
    if options.kind != PYTEST:
        # Most suites are pytest's, and need not wait for what the others import.
        from unknot.app.session.command_setup import command_setup

        return command_setup(settings, options)
    with pytest_session(replace(settings, workers=1), options.runner, listener) as session:
        found = with_system(session, options) if settings.instance is not None else session
    settings = replace(found.settings, workers=settings.workers)
    spec = PytestSlotSpec(settings, found.listing.suite, found.is_warm)
    return RunnerSetup(spec, found.listing, settings, found.invocation, found.is_warm, found.reset_by)


def with_instance(spec: SlotSpec, instance: InstanceSpec) -> SlotSpec:
    """The same slot with another instance."""
    if isinstance(spec, PytestSlotSpec):
        return replace(spec, settings=replace(spec.settings, instance=instance))
    from unknot.runners.command.slot import CommandSlotSpec

    assert isinstance(spec, CommandSlotSpec)
    return replace(spec, instance=instance)


def _workers(cluster: str, count: int) -> Workers:
    if not cluster:
        return ThreadWorkers(count)
    from unknot.runners.workers.cluster import connect  # an extra that may not be installed

    workers: Workers = connect(cluster)
    return workers
