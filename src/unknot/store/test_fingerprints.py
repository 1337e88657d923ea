"""By what a later detection tells which tests have changed."""

from collections.abc import Mapping
from dataclasses import dataclass

from unknot.model.suite import TestId


@dataclass(frozen=True)
class Fingerprints:
    """`environment` changes with whatever may change every test, `tests[t]` with what may change t. Nothing is to be
    read from them but whether two are the same."""

    environment: str
    tests: Mapping[TestId, str]
