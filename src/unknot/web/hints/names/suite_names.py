"""What the names of a whole suite say."""

from collections.abc import Callable
from dataclasses import replace

from unknot.model.suite import Suite
from unknot.web.hints.names.named import NamedTest, named

Naming = Callable[[str], NamedTest]


def suite_names(suite: Suite, naming: Naming = named) -> tuple[NamedTest, ...]:
    """In reference order. Nouns that every name has tell no test from another (the application's name before each, as
    in PasswordManagerAddEntry), and are left out."""
    found = [naming(test) for test in suite.tests]
    everywhere = frozenset.intersection(*(each.nouns for each in found)) if found else frozenset()
    return tuple(replace(each, nouns=each.nouns - everywhere) for each in found)
