"""The applications that are crawled, each described in a directory: what to install, an instance, a login, and the
navigation graph that a person has written."""

import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.crawl.reference import Reference, read_reference
from bench.kit.environment import Environment, environment
from unknot.app.crawl.login import login_function
from unknot.runners.sut.config import instance_spec
from unknot.runners.sut.instance import SandboxedInstance
from unknot.runners.sut.spec import InstanceSpec

APPLICATIONS = Path(__file__).parent / "applications"


@dataclass(frozen=True)
class Subject:
    """An application, by its directory."""

    directory: Path

    @property
    def name(self) -> str:
        return self.directory.name

    def spec(self) -> InstanceSpec:
        """Raises UsageError if it cannot be used."""
        file = self.directory / "unknot.toml"
        return instance_spec(tomllib.loads(file.read_text(encoding="utf-8"))["instance"], file.name)

    def reference(self) -> Reference:
        return read_reference(self.directory / "reference.json")

    def login(self) -> Callable[[Any], None]:
        return login_function("login.py::login", self.directory)

    def installed(self, cache: Path) -> Environment:
        """Its virtual environment, made once for each list of requirements."""
        lines = (self.directory / "requirements.txt").read_text(encoding="utf-8").splitlines()
        wanted = [line for line in lines if line and not line.startswith("#")]
        return environment(cache / "crawl" / self.name, wanted)

    @contextmanager
    def instance(self, cache: Path) -> Iterator[SandboxedInstance]:
        """Running and measured, with the `python` of its environment first on the path."""
        before = os.environ["PATH"]
        os.environ["PATH"] = self.installed(cache).variables()["PATH"]
        try:
            running = SandboxedInstance(self.spec(), self.directory, measured=True)
        finally:
            os.environ["PATH"] = before
        try:
            yield running
        finally:
            running.close()


SUBJECTS = tuple(map(Subject, sorted(file.parent for file in APPLICATIONS.glob("*/unknot.toml"))))


def subject_of(name: str) -> Subject:
    return next(each for each in SUBJECTS if each.name == name)
