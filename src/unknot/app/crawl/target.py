"""Where the application of a worker is: on the user's server, or in an instance."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from unknot.model.errors import UsageError
from unknot.model.sanitise import shown
from unknot.runners.sut.instance import SandboxedInstance
from unknot.runners.sut.server_coverage import ServerCoverage
from unknot.runners.sut.spec import InstanceSpec

OF_INSTANCE = "http://127.0.0.1:{port0}/"
_PORT = "UNKNOT_PORT_"


class Target(Protocol):
    """`named` is the address as the user wrote it, with placeholders. `is_put_back`: `clean` does more than nothing."""

    named: str
    is_put_back: bool

    @property
    def coverage(self) -> ServerCoverage | None:
        """What its programs run; None if it is not measured, and as long as it is not started."""

    def clean(self) -> str:
        """Puts the application back to its clean state, and returns its address. Raises RunnerError."""

    def close(self) -> None: ...


class ServerTarget:
    """An application that runs somewhere, and is not ours to start or to put back."""

    is_put_back = False
    coverage = None

    def __init__(self, address: str) -> None:
        self.named = address

    def clean(self) -> str:
        return self.named

    def close(self) -> None:
        pass


class InstanceTarget:
    """A copy of its own, started when it is needed first."""

    is_put_back = True

    def __init__(self, spec: InstanceSpec, directory: Path, address: str = "", *, is_measured: bool = False) -> None:
        self.named = address or OF_INSTANCE
        self._spec = spec
        self._directory = directory
        self._is_measured = is_measured
        self._instance: SandboxedInstance | None = None

    @property
    def coverage(self) -> ServerCoverage | None:
        return self._instance.coverage if self._instance is not None else None

    def clean(self) -> str:
        if self._instance is None:
            self._instance = SandboxedInstance(self._spec, self._directory, measured=self._is_measured)
        self._instance.reset()
        return _filled(self.named, self._instance.variables)

    def close(self) -> None:
        if self._instance is not None:
            self._instance.close()


def host_of(address: str) -> str:
    """Host and port, or what stands for them."""
    return urlsplit(address).netloc


def _filled(address: str, variables: Mapping[str, str]) -> str:
    """With `{port0}` and the like as the instance has them now."""
    ports = {
        f"{{port{name.removeprefix(_PORT)}}}": value for name, value in variables.items() if name.startswith(_PORT)
    }
    for name, value in ports.items():
        address = address.replace(name, value)
    if "{" in address:
        raise UsageError(
            f"{shown(address)} has a placeholder that the instance does not fill",
            hint=f"There are {', '.join(ports)}." if ports else "Give the instance `ports = 1`.",
            slug="crawl-address",
        )
    return address
