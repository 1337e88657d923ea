"""Suites that are run by commands: the user's own, JUnit's, mtr's."""

import fnmatch
from dataclasses import replace

from unknot.app.configuration import COMMAND, MTR
from unknot.app.options import RunnerOptions
from unknot.app.session.session import ask_command, describe_resets, on_system, with_files
from unknot.app.session.slots import RunnerSetup
from unknot.model.errors import NoTestsError, UsageError
from unknot.model.suite import Suite, TestId
from unknot.runners.command.config import command_spec
from unknot.runners.command.listing import list_tests
from unknot.runners.command.slot import CommandSlotSpec
from unknot.runners.command.spec import CommandSpec
from unknot.runners.junit.config import junit_spec
from unknot.runners.mtr.config import mtr_spec
from unknot.runners.protocol import Listing
from unknot.runners.settings import Settings
from unknot.runners.sut.spec import InstanceSpec


def command_setup(settings: Settings, options: RunnerOptions) -> RunnerSetup:
    """Raises UsageError for a configuration that is wrong, and what listing a suite raises."""
    command, instance = _specs(settings, options)
    listing = chosen(list_tests(command, settings), settings.paths)
    settings = replace(settings, instance=None)
    slot = CommandSlotSpec(command, instance, settings)
    reset_by = describe_resets(settings, instance)
    listing = on_system(listing, options, reset_by)
    if instance is not None and instance.files:
        listing = with_files(listing, instance.files)
    return RunnerSetup(slot, listing, settings, ask_command(options), reset_by=reset_by)


def _specs(settings: Settings, options: RunnerOptions) -> tuple[CommandSpec, InstanceSpec | None]:
    configuration = options.configuration
    kind = options.kind
    where = configuration.place_of(kind)
    table = configuration.tables.get(kind, {})
    if options.suite and kind != MTR:
        raise UsageError("the option `suite` is for mtr", hint="Choose the runner `mtr`.", slug="option-not-applicable")
    match kind:
        case "command" if not table:
            raise UsageError(
                f"the configuration has no [{COMMAND}] table that says how to run the tests",
                hint="See docs/reference/command.md for what to write into unknot.toml.",
                slug="command-missing",
            )
        case "command":
            return command_spec(table, where), settings.instance
        case "junit":
            return junit_spec(table, settings.directory, where), settings.instance
        case _:
            if settings.instance is not None:
                raise UsageError(
                    f"{configuration.place_of('instance')}: mtr has servers of its own",
                    hint="Remove the table.",
                    slug="instance-not-applicable",
                )
            return mtr_spec(table, list(options.suite), where, settings.directory)


def chosen(listing: Listing, patterns: tuple[str, ...]) -> Listing:
    """The tests that these name: by id, or by a pattern with `*` and `?`. All of them if there are none."""
    if not patterns:
        return listing
    tests = listing.suite.tests
    kept: set[TestId] = set()
    for pattern in patterns:
        found = {TestId(pattern)} if pattern in listing.suite.index else {t for t in tests if _fits(t, pattern)}
        if not found:
            raise NoTestsError(
                f"no test of the suite is called `{pattern}`",
                hint="Ids may contain the wildcards * and ?.",
                slug="no-such-test",
            )
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
