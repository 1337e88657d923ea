"""How to list and run a suite by commands: the user's configuration as one value."""

from dataclasses import dataclass
from typing import Literal

from unknot.runners.command.placeholders import TEST, placeholders

Format = Literal["junit", "tap", "lines", "exit-status"]


@dataclass(frozen=True)
class ResultsSpec:
    """How outcomes are read.

    `file` is where the command writes them, with placeholders, from the working directory; empty for its standard
    output. `id` makes a test's id from what a JUnit file says: `{classname}`, `{name}`, `{file}`, `{suite}`,
    `{combinations}`. `pattern` is for `lines`, matched from the start of a line, with the groups `test` and `outcome`,
    and perhaps `seconds` or `milliseconds` and `story`; `words` says what its outcomes mean. `checks_order` refuses
    results that come in another sequence than the order's.
    """

    format: Format
    file: str = ""
    id: str = "{classname}.{name}"
    pattern: str = ""
    words: tuple[tuple[str, str], ...] = ()
    checks_order: bool = True


@dataclass(frozen=True)
class CommandSpec:
    """`run` are the words of the command, never given to a shell. A word that is `{tests}` becomes one word for each
    test; inside a longer word, the tests joined by `separator`. `{tests_file}` is a file with one id a line,
    `{results}` a file for the outcomes that does not exist before, `{dir}` the slot's private directory, `{worker}`
    its number, `{port0}`, `{port1}`, … the instance's ports. `{test}` makes it a command for one test: a process for
    each, one after another on the same clean state.

    `list` are the words of the command that prints one id a line (`list_pattern`, with the group `test` and perhaps
    `file`, picks them out of other output); or the tests are named in `tests`. `files` are globs of what the suite is
    made of: when one of them changes, tests are run again; none means every file of the project. `environment` is
    added to the user's. `statuses` are exit statuses of a run that has done its work, also if tests failed; none means
    any.
    """

    run: tuple[str, ...]
    results: ResultsSpec
    list: tuple[str, ...] = ()
    list_pattern: str = ""
    tests: tuple[str, ...] = ()
    separator: str = ","
    files: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    statuses: tuple[int, ...] = ()
    versions: tuple[str, ...] = ()
    """Words for what else could change a result; only compared, never shown."""
    known_by: tuple[str, ...] = ()
    """What is compared instead of `run`, where that holds paths of this machine: another one may know the answers."""
    start_seconds: float = 0.0
    """What the command takes before its first test, for predictions: a constant, not a measurement."""

    @property
    def one_by_one(self) -> bool:
        """Whether each test has a process of its own."""
        return TEST in placeholders(self.run)
