"""What pytest makes of words on its command line."""

import os
from collections.abc import Iterable, Mapping
from typing import Any

IN_ONE_PROCESS = frozenset(
    {
        *("--pdb", "--trace", "--setup-show", "--setupshow"),
        *("--sw", "--stepwise", "--sw-skip", "--stepwise-skip", "--sw-reset", "--stepwise-reset"),
    }
)
"""Options with which tests run one after another, in the process that has the terminal."""

WITHOUT_TESTS = frozenset(
    {
        *("--collect-only", "--collectonly", "--co", "--setup-only", "--setuponly", "--setup-plan", "--setupplan"),
        *("--fixtures", "--funcargs", "--fixtures-per-test", "--markers", "--cache-show"),
    }
)
"""Options with which pytest prints something and runs no test."""

QUIET = frozenset({"-q", "--quiet"})

FAILED_FIRST = frozenset({"--ff", "--failed-first"})

_REPORTING_FLAGS = frozenset({"-q", "--quiet", "-v", "--verbose", "-x", "--exitfirst", "--no-header", "--no-summary"})
FOR_ANY_SUITE = _REPORTING_FLAGS | frozenset(
    {
        *("--maxfail", "-r", "--color", "--code-highlight", "--show-capture"),
        *("--junitxml", "--junit-xml", "--junitprefix", "--junit-prefix", "--durations", "--durations-min"),
    }
)
"""Options that say how results are reported, whatever ran the tests."""

_FLAGS = ("HelpAction", "MoreQuietAction")
"""Classes of pytest for options without a value."""


class PytestOptions:
    """The options that pytest and its installed plugins know. Cost: pytest is imported; for an option that is not its
    own, the plugins too."""

    def __init__(self) -> None:
        from _pytest.config import get_config

        self._config: Any = get_config()
        self._has_plugins = bool(os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD"))
        self._takes_value = self._read()

    def knows(self, name: str) -> bool:
        if name not in self._takes_value and not self._has_plugins:
            self._has_plugins = True
            self._config.pluginmanager.load_setuptools_entrypoints("pytest11")
            self._takes_value = self._read()
        return name in self._takes_value

    def takes_value(self, name: str) -> bool:
        return self.knows(name) and self._takes_value[name]

    def _read(self) -> Mapping[str, bool]:
        parser = self._config._parser
        options = [option for group in (*parser._groups, parser._anonymous) for option in group.options]
        return {name: _takes_value(option.attrs()) for option in options for name in option.names()}


def _takes_value(attributes: Mapping[str, Any]) -> bool:
    """By the arguments of `addoption`, as older versions of pytest keep them, or those of the action made of them."""
    action = attributes.get("action")
    if attributes.get("nargs") == 0 or getattr(action, "__name__", "") in _FLAGS:
        return False
    return not isinstance(action, str) or action in ("store", "append")


def names_of(words: Iterable[str]) -> set[str]:
    """The options among the words, without their values: `--maxfail` of `--maxfail=1`, `-r` of `-rA`."""
    return {word.partition("=")[0] if word.startswith("--") else word[:2] for word in words if word.startswith("-")}


def only_report(words: Iterable[str]) -> bool:
    """Whether the words are options of FOR_ANY_SUITE and their values, and nothing else, such as a test."""
    is_value = False
    for word in words:
        name = word.partition("=")[0] if word.startswith("--") else word[:2]
        if not is_value and (not word.startswith("-") or name not in FOR_ANY_SUITE):
            return False
        is_value = not is_value and word == name and name not in _REPORTING_FLAGS
    return True
