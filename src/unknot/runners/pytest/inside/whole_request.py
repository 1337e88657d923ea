"""What every plugin for one whole run of the suite does before the first conftest is imported."""

import json
import os
from typing import Any

import pytest

from unknot.runners.pytest.inside.options import neutralise
from unknot.runners.sandbox.lifeline import die_with_parent

_SCRATCH = pytest.StashKey[str]()


def take_request(variable: str, early_config: Any) -> dict[str, Any] | None:
    """The request that the environment names, once: tests must not find it. None if it names none, and then nothing is
    done. Otherwise the process dies with whoever asked, and pytest-cov measures nothing: beside a plugin that measures
    itself it would disturb, beside any other it would cost time."""
    if variable not in os.environ:
        return None
    if hasattr(early_config.known_args_namespace, "no_cov"):
        early_config.known_args_namespace.no_cov = True
        early_config.known_args_namespace.cov_source = []
    with open(os.environ.pop(variable), encoding="utf-8") as file:
        request: dict[str, Any] = json.load(file)
    die_with_parent(request["parent"])
    early_config.stash[_SCRATCH] = request["scratch"]
    return request


def configure(config: Any) -> None:
    """The suite's own order, in the scratch directory of the request; nothing if there was none."""
    scratch = config.stash.get(_SCRATCH, None)
    if scratch is not None:
        neutralise(config)
        config.option.basetemp = scratch
