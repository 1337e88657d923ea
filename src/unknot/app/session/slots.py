"""Suites that are run on worker slots: pytest suites on instances or a cluster, and all other suites."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from unknot.app.configuration import PYTEST
from unknot.app.options import RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.session.session import Session, fork_wanted, is_import_problem, note_fresh_processes, pytest_session
from unknot.model.errors import CollectionError
from unknot.model.sanitise import shown_lines
from unknot.runners.command.listing import project_files
from unknot.runners.dispatch.reset_measure import described
from unknot.runners.dispatch.slot_oracle import SlotOracle
from unknot.runners.protocol import Listing
from unknot.runners.pytest.collection import Collected
from unknot.runners.pytest.pytest_slot import PrestartedSlots, PytestSlotSpec, prestart_slots
from unknot.runners.settings import Settings
from unknot.runners.sut.spec import InstanceSpec
from unknot.runners.workers.local import LocalWorkers
from unknot.runners.workers.slot import SlotSpec, Workers


@dataclass(frozen=True)
class RunnerSetup:
    """How the suite will be run: what opens a slot, and the tests that can be run there."""

    spec: SlotSpec
    listing: Listing
    settings: Settings
    invocation: tuple[str, ...]
    is_warm: bool = False
    reset_by: str = ""


def with_system(listing: Listing, options: RunnerOptions, reset_by: str) -> Listing:
    """The listing, distinct from one whose tests ran on another system or were reset in another way. The system is
    described in the user's words: the parsed description may hold paths of this machine."""
    system = f"instance {options.configuration.tables.get('instance')!r}"
    return replace(listing, plugins=(*listing.plugins, system, f"put back by {reset_by}"))


def with_files(listing: Listing, globs: Sequence[str]) -> Listing:
    """The listing with these files of the project, or all, as files that all tests share."""
    more = project_files(listing.root, globs)
    return replace(listing, modules=tuple(dict.fromkeys((*listing.modules, *more))))


def describe_resets(settings: Settings, instance: InstanceSpec | None) -> str:
    ways = ["the working copy"] if settings.workdir == "copy" else []
    if settings.reset:
        ways.append(settings.reset)
    if instance is not None:
        ways.append(described(instance.reset))
    return " and ".join(ways) or "nothing"


def ask_command(options: RunnerOptions) -> tuple[str, ...]:
    """The command that runs an order as the detection did, without the ids of its tests."""
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


def open_slot_session(
    settings: Settings, options: RunnerOptions, listener: ProgressListener, *, all_workers: bool = False
) -> Session:
    with ExitStack() as stack:
        if options.kind == PYTEST and not options.cluster:
            prestarted = settings.workers if all_workers else 1
            opened, settings = _open_pytest_slots(settings, options.runner, prestarted, stack)
            if options.runner == "auto":
                note_fresh_processes(opened.listed.why_fresh, listener)
            setup = _pytest_setup(opened.spec, opened.listed.collected, settings, options)
            oracle = SlotOracle(setup.spec, setup.listing, opened.workers, opened.session)
        else:
            setup = runner_setup(settings, options, listener)
            oracle = stack.enter_context(
                SlotOracle(setup.spec, setup.listing, _workers(options.cluster, setup.settings.workers))
            )

        def pass_notes(kind: type[BaseException] | None, *_: object) -> None:
            if kind is None:
                for note in oracle.notes:
                    listener.note(shown_lines(note))

        # At the end of a session that was not broken off.
        stack.push(pass_notes)
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


def _open_pytest_slots(
    settings: Settings, runner: str, prestarted: int, stack: ExitStack
) -> tuple[PrestartedSlots, Settings]:
    spec = PytestSlotSpec(settings, None, fork_wanted(runner))
    try:
        return stack.enter_context(prestart_slots(spec, settings.workers, ahead=prestarted)), settings
    except CollectionError as problem:
        if settings.python_m or not is_import_problem(problem):
            raise
        try:
            return _open_pytest_slots(replace(settings, python_m=True), runner, prestarted, stack)
        except CollectionError:
            raise problem from None


def runner_setup(settings: Settings, options: RunnerOptions, listener: ProgressListener) -> RunnerSetup:
    """Raises UsageError for a configuration that is wrong, and what listing a suite raises."""
    if options.kind == PYTEST:
        with pytest_session(replace(settings, workers=1), options.runner, listener) as session:
            assert isinstance(session.listing, Collected)
            settings = replace(session.settings, workers=settings.workers)
            spec = PytestSlotSpec(settings, session.listing.suite, session.is_warm)
            return _pytest_setup(spec, session.listing, settings, options)
    # Most suites are pytest's, and need not wait for what the others import.
    from unknot.app.session.command_setup import command_setup

    return command_setup(settings, options)


def _pytest_setup(
    spec: PytestSlotSpec, collected: Collected, settings: Settings, options: RunnerOptions
) -> RunnerSetup:
    is_warm = bool(spec.fork)
    if settings.instance is None:
        invocation = (*settings.invocation, *collected.by_hand, *settings.options)
        return RunnerSetup(spec, collected, settings, invocation, is_warm)
    reset_by = describe_resets(settings, settings.instance)
    # What pytest has imported is known; the system may be made of any other file.
    listing = with_files(with_system(collected, options, reset_by), settings.instance.files)
    # A plain pytest has no system to run on.
    return RunnerSetup(spec, listing, settings, ask_command(options), is_warm, reset_by)


def with_instance(spec: SlotSpec, instance: InstanceSpec) -> SlotSpec:
    """The same slot with another instance."""
    if isinstance(spec, PytestSlotSpec):
        return replace(spec, settings=replace(spec.settings, instance=instance))
    from unknot.runners.command.slot import CommandSlotSpec

    assert isinstance(spec, CommandSlotSpec)
    return replace(spec, instance=instance)


def _workers(cluster: str, count: int) -> Workers:
    if not cluster:
        return LocalWorkers(count)
    from unknot.runners.workers.cluster import connect  # an extra that may not be installed

    workers: Workers = connect(cluster)
    return workers
