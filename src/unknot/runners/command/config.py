"""`[tool.unknot.command]`: what the user wrote, checked."""

import re
from collections.abc import Mapping
from typing import cast, get_args

from unknot.model.errors import UsageError
from unknot.runners.command.placeholders import RESULTS, TEST, TESTS, TESTS_FILE, fault, placeholders
from unknot.runners.command.results.formats import check_results
from unknot.runners.command.results.ids import check_id, shown
from unknot.runners.command.spec import CommandSpec, Format, ResultsSpec
from unknot.runners.config_table import ConfigTable

_KEYS = (
    "run",
    "list",
    "list-pattern",
    "tests",
    "separator",
    "results",
    "results-file",
    "id",
    "pattern",
    "words",
    "check-order",
    "files",
    "env",
    "statuses",
)
_FORMATS: tuple[str, ...] = get_args(Format)
_ONLY_FOR = {"id": "junit", "pattern": "lines", "words": "lines"}
_AROUND = ("dir", "worker", "port0")


def command_spec(table: Mapping[str, object], where: str) -> CommandSpec:
    """`where` names the file and the table, for errors. Raises UsageError for whatever cannot be meant. Reads no file
    and starts nothing."""
    written = ConfigTable(table, where)
    written.check_keys(_KEYS)
    run = written.words("run")
    if not run:
        raise written.wrong("run", "is missing", 'say how tests are run, for example `run = "./run-tests {tests}"`')
    _check_placeholders(written, "run", run, (TESTS, TESTS_FILE, TEST, RESULTS, *_AROUND))
    environment = written.environment("env")
    for name, value in environment:
        _check_placeholders(written, f"env.{name}", (value,), (RESULTS, *_AROUND))
    names = _check_tests_are_given(written, run)
    listing = written.words("list")
    _check_placeholders(written, "list", listing, ("dir", "worker"))
    tests = _tests(written)
    _check_listing(written, listing, tests)
    used = names | placeholders(value for _, value in environment)
    return CommandSpec(
        run=run,
        results=_results(written, is_single=TEST in names, writes_results=RESULTS in used),
        list=listing,
        list_pattern=_list_pattern(written, listing),
        tests=tests,
        separator=written.text("separator") or CommandSpec.separator,
        files=written.texts("files"),
        environment=environment,
        statuses=_statuses(written),
    )


def _check_placeholders(written: ConfigTable, key: str, words: tuple[str, ...], allowed: tuple[str, ...]) -> None:
    if problem := fault(words, allowed):
        raise written.wrong(key, f"cannot be filled: {problem}")


def _check_tests_are_given(written: ConfigTable, run: tuple[str, ...]) -> set[str]:
    names = placeholders(run)
    if TEST in names and names & {TESTS, TESTS_FILE}:
        raise written.wrong(
            "run", "has {test} and {tests}", "{test} is for a process for each test, {tests} for one for all of them"
        )
    if not names & {TEST, TESTS, TESTS_FILE}:
        raise written.wrong("run", "does not say which tests", "put in {tests}, {tests_file} or {test}")
    return names


def _check_listing(written: ConfigTable, listing: tuple[str, ...], tests: tuple[str, ...]) -> None:
    if listing and tests:
        raise written.wrong("tests", "and `list` are both given", "leave one of them out")
    if not listing and not tests:
        raise written.wrong(
            "list", "is missing", "say which tests there are: a command that prints one id a line, or `tests = [...]`"
        )


def _results(written: ConfigTable, *, is_single: bool, writes_results: bool) -> ResultsSpec:
    kind = written.text("results") or "exit-status"
    if kind not in _FORMATS:
        raise written.wrong("results", f"must be one of {', '.join(_FORMATS)}, not {kind!r}")
    if kind == "exit-status" and not is_single:
        problem = "exit-status reports only one test" if "results" in written else "is missing"
        raise written.wrong(
            "results", problem, "name a format (junit, tap, lines), or run tests one by one with {test}"
        )
    for key, wanted in _ONLY_FOR.items():
        if key in written and kind != wanted:
            raise written.wrong(key, f'means nothing with results = "{kind}"', f'it is for results = "{wanted}"')
    if kind == "lines" and "pattern" not in written:
        raise written.wrong(
            "pattern", 'is missing, and results = "lines" needs it', "name the groups: (?P<outcome>…) (?P<test>…)"
        )
    spec = ResultsSpec(
        format=cast(Format, kind),
        file=_results_file(written, kind, writes_results=writes_results),
        id=written.text("id") or ResultsSpec.id,
        pattern=written.text("pattern"),
        words=_words(written),
        checks_order=written.flag("check-order") if "check-order" in written else ResultsSpec.checks_order,
    )
    try:
        check_results(spec)
    except UsageError as problem:
        raise UsageError(
            f"{written.name('results')}: {problem.message}", hint=problem.hint, slug="results-config"
        ) from problem
    return spec


def _results_file(written: ConfigTable, kind: str, *, writes_results: bool) -> str:
    file = written.text("results-file")
    if kind == "exit-status":
        if file or writes_results:
            key = "results-file" if file else "run"
            raise written.wrong(key, "has results, but only the exit status is read", "name their format: `results`")
        return ""
    if not file:
        return "{results}" if writes_results else ""
    _check_placeholders(written, "results-file", (file,), (RESULTS, "dir", "worker"))
    is_ours = file.startswith(("{results}", "{dir}/"))
    if ".." in file.split("/") or (file.startswith("/") and not is_ours):
        raise written.wrong(
            "results-file",
            "must lie in the working directory, because each worker has its own",
            "give a relative path, or use {results} in the command",
        )
    return file


def _words(written: ConfigTable) -> tuple[tuple[str, str], ...]:
    value = written.value("words", {})
    if not isinstance(value, dict) or not all(isinstance(meaning, str) for meaning in value.values()):
        raise written.wrong(
            "words", f"must be a table of words and what they mean, not {value!r}", 'as in words = { "OK" = "passed" }'
        )
    return tuple(value.items())


def _tests(written: ConfigTable) -> tuple[str, ...]:
    tests = written.texts("tests")
    for test in tests:
        if problem := check_id(test):
            raise written.wrong("tests", f"has an id that cannot be used: {problem}")
    if "tests" in written and not tests:
        raise written.wrong("tests", "is empty", "name the tests, or leave it out and give a `list` command")
    if len(set(tests)) < len(tests):
        twice = next(test for test in tests if tests.count(test) > 1)
        raise written.wrong("tests", f"has a test twice: {shown(twice)}", "give each test an id of its own")
    return tests


def _statuses(written: ConfigTable) -> tuple[int, ...]:
    value = written.value("statuses", [])
    if not isinstance(value, list) or not all(type(one) is int and 0 <= one <= 255 for one in value):
        raise written.wrong("statuses", f"must be a list of numbers from 0 to 255, not {value!r}")
    return tuple(value)


def _list_pattern(written: ConfigTable, listing: tuple[str, ...]) -> str:
    pattern = written.text("list-pattern")
    if pattern and not listing:
        raise written.wrong("list-pattern", "means nothing without `list`")
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as problem:
        raise written.wrong("list-pattern", f"is no regular expression: {problem}") from problem
    if pattern and "test" not in compiled.groupindex:
        raise written.wrong("list-pattern", "has no group named `test`", "write (?P<test>…) around the id")
    return pattern
