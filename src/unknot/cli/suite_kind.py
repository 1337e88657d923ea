"""Which kind of suite this is: pytest's, or one that the configuration describes."""

import argparse

from unknot.cli.configuration import Configuration
from unknot.model.errors import UsageError
from unknot.runners.sut.spec import InstanceSpec

PYTEST = "pytest"
COMMAND = "command"
JUNIT = "junit"
MTR = "mtr"
_DESCRIBED = (COMMAND, JUNIT, MTR)


def kind_of(options: argparse.Namespace) -> str:
    """What was asked for by `--runner`, if the verb has it, else what the configuration describes, else pytest."""
    configuration: Configuration = options.configuration
    asked = getattr(options, "runner", "auto")
    if asked in ("fork", "fresh"):
        return PYTEST
    if asked in _DESCRIBED:
        return str(asked)
    described = [kind for kind in _DESCRIBED if kind in configuration.tables]
    if len(described) > 1:
        raise UsageError(
            f"{configuration.path} describes more than one suite: {', '.join(described)}",
            hint=f"say which, for example `--runner {described[0]}`",
        )
    return described[0] if described else PYTEST


def only_pytest(options: argparse.Namespace, verb: str) -> None:
    """Raises UsageError for a suite that is not pytest's."""
    if (kind := kind_of(options)) != PYTEST:
        raise UsageError(f"`{verb}` is for pytest suites, and this one is run by {kind}", hint="see docs/limits.md")


def instance_of(options: argparse.Namespace) -> InstanceSpec | None:
    """The system under test that each worker has a copy of, if the configuration describes one."""
    configuration: Configuration = options.configuration
    table = configuration.tables.get("instance")
    if table is None:
        return None
    from unknot.runners.sut.configured import instance_spec

    return instance_spec(table, configuration.place_of("instance"))
