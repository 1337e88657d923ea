"""What an instance is called in words and in environments."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from unknot.runners.sut.placeholders import filled


def placeholders(directory: Path, ports: Sequence[int], worker: int) -> dict[str, str]:
    """For words of the configuration: `{dir}`, `{worker}`, `{port0}`, …"""
    numbered = {f"port{index}": str(port) for index, port in enumerate(ports)}
    return {"dir": str(directory), "worker": str(worker), **numbered}


def variables(directory: Path, ports: Sequence[int], worker: int) -> dict[str, str]:
    """For the environment of tests, and of everything that belongs to the instance."""
    numbered = {f"UNKNOT_PORT_{index}": str(port) for index, port in enumerate(ports)}
    return {"UNKNOT_DIR": str(directory), "UNKNOT_WORKER": str(worker), **numbered}


def own_environment(
    base: Mapping[str, str],
    chosen: Sequence[tuple[str, str]],
    values: Mapping[str, str],
    always: Mapping[str, str],
) -> dict[str, str]:
    """For what belongs to the instance: what was there, what the user chose with placeholders filled, and what nobody
    may change."""
    return {**base, **{name: filled(value, values) for name, value in chosen}, **always}
