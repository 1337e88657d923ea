"""The system under test of a suite that needs one, under unknot and without it."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count, takewhile
from pathlib import Path

import pytest

from unknot.app.configuration import read_configuration
from unknot.model.errors import UnknotError, UsageError
from unknot.runners.sut.config import instance_spec
from unknot.runners.sut.instance import SandboxedInstance

_PORT = "UNKNOT_PORT_"


@contextmanager
def ports_of_instance(root: Path) -> Iterator[tuple[int, ...]]:
    """Those of the instance that unknot has started for these tests; without one, an instance of the configuration is
    started, and ended at the end. Fails the tests if that cannot be done."""
    if f"{_PORT}0" in os.environ:
        yield _ports(os.environ)
        return
    try:
        instance = _started(root)
    except UnknotError as problem:
        pytest.fail("\n".join(filter(None, [problem.message, problem.hint])), pytrace=False)
    try:
        yield _ports(instance.variables)
    finally:
        instance.close()


def _started(root: Path) -> SandboxedInstance:
    configuration = read_configuration(root)
    table = configuration.tables.get("instance")
    if table is None:
        raise UsageError(
            f"{configuration.path} describes no instance of the application",
            hint="Add a table [tool.unknot.instance]: see docs/reference/instance.md.",
            slug="instance-missing",
        )
    return SandboxedInstance(instance_spec(table, configuration.place_of("instance")), configuration.path.parent)


def _ports(variables: Mapping[str, str]) -> tuple[int, ...]:
    names = takewhile(variables.__contains__, (f"{_PORT}{number}" for number in count()))
    return tuple(int(variables[name]) for name in names)
