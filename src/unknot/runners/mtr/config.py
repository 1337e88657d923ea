"""MariaDB's own suite as commands: one that lists tests, one that runs an order by mtr, and what a slot keeps."""

import difflib
import hashlib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from unknot.model.errors import UsageError
from unknot.runners.command.spec import CommandSpec, ResultsSpec
from unknot.runners.config_table import ConfigTable
from unknot.runners.mtr.installation import (
    account,
    check_perl,
    find_client,
    find_program,
    find_server,
    suite_directory,
    version,
)
from unknot.runners.mtr.request import EXTERN, FRESH, Request
from unknot.runners.mtr.slot_directory import SOCKET
from unknot.runners.sut.placeholders import escaped
from unknot.runners.sut.spec import InstanceSpec, ResetSpec

_KEYS = ("suites", "program", "user", "server", "server-options", "options", "skip", "big", "env")

_MARIADB = "mysql"
"""The user that packages make for the server, on Debian and elsewhere."""

_NOT_FOR_USERS = (
    "build-thread", "clean-vardir", "combination", "dry-run", "extern", "mem", "mtr-build-thread", "mtr-port-base",
    "name", "parallel", "port-base", "print-testcases", "record", "reorder", "repeat", "retry", "start", "stop-file",
    "stress", "suite", "timediff", "timestamp", "tmpdir", "user-args", "vardir", "verbose", "wait-all",
)  # fmt: skip
"""Options of mtr that would change which tests are run, how often, where, or how it reports them."""

_READY_SECONDS = 120.0

_NO_FILES = ("unknot.toml",)
"""mtr's suites are no part of the project: only its configuration is, and no files would mean all."""


def mtr_spec(
    table: Mapping[str, object], suites: Sequence[str], where: str, directory: Path = Path()
) -> tuple[CommandSpec, InstanceSpec]:
    """From `[tool.unknot.mtr]`; `where` names the file and the table in messages. `suites`, from the command line, take
    the place of the table's. `directory` is where the commands run: a suite may be a directory below it.

    Raises UsageError for a mistake of the user's, and if MariaDB's suite is not installed. Cost: a start of the server
    for its version, and a reading of the suites' files.
    """
    read = ConfigTable(table, where)
    read.check_keys(_KEYS)
    request = _request(read, suites, directory, where)
    slot = ("--dir={dir}", "--worker={worker}")
    is_extern = request.server == EXTERN
    server_options = _texts(read, "server-options")
    command = CommandSpec(
        run=(*_words(request, "run"), *slot, "--tests={tests_file}", "--results={results}"),
        results=ResultsSpec(format="tap", file="{results}"),
        list=_words(request, "list"),
        list_pattern=r"^(?P<test>\S+)$",
        files=tuple(f"{suite}/**/*" for suite in request.own) or _NO_FILES,
        environment=read.environment("env"),
        statuses=(0,),
        versions=(version(find_server(request.test_directory)), *_digests(request), *server_options),
        known_by=("mtr", *replace(request, program=Path(request.program.name), user="").words()),
    )
    prepare = (*_words(request, "prepare"), *slot)
    if not is_extern:
        return command, InstanceSpec(prepare=prepare, reset=ResetSpec("directory", (("live", "true"),)))
    options = (f"--server-option={escaped(option)}" for option in server_options)
    admin = find_client(request.test_directory, "mariadb-admin", "mysqladmin")
    ping = (escaped(str(admin)), "--no-defaults", "--user=root", f"--socket={{dir}}/{SOCKET}", "ping")
    return command, InstanceSpec(
        prepare=prepare,
        start=(*_words(request, "serve"), *slot, "--port={port0}", *options),
        ready=ping,
        ready_seconds=_READY_SECONDS,
        ports=1,
        reset=ResetSpec("directory", (("live", "false"),)),
    )


def _words(request: Request, verb: str) -> tuple[str, ...]:
    words = (sys.executable, "-P", "-m", "unknot.runners.mtr", verb, *request.words())
    return tuple(map(escaped, words))


def _request(read: ConfigTable, suites: Sequence[str], directory: Path, where: str) -> Request:
    check_perl()
    program = find_program(read.text("program"), where)
    given = tuple(dict.fromkeys(suites or _texts(read, "suites")))
    if not given:
        raise UsageError(
            f"{where}: no suites are named",
            hint='for example `--suite json`, or suites = ["json", "gcol"]',
            slug="mtr-suite",
        )
    own = tuple(suite for suite in given if _is_own(directory / suite))
    known = tuple(suite for suite in given if suite not in own)
    for suite in known:
        _check_suite(suite, program.parent)
    return Request(
        program=program,
        suites=known,
        own=own,
        user=_user(read.text("user"), where),
        server=_server(read),
        big=read.flag("big"),
        skip=_texts(read, "skip"),
        options=_options(_texts(read, "options"), where),
    )


def _is_own(directory: Path) -> bool:
    return any(next(place.glob("*.test"), None) is not None for place in (directory / "t", directory))


def _check_suite(suite: str, test_directory: Path) -> None:
    if suite_directory(test_directory, suite) is not None:
        return
    known = [entry.name for place in ("suite", "plugin/*") for entry in test_directory.glob(f"{place}/*")]
    near = difflib.get_close_matches(suite, sorted(known), n=1)
    raise UsageError(
        f"mtr has no suite {suite}, and the project has no directory of that name with tests in it",
        hint=f"do you mean `{near[0]}`?" if near else f"see what there is in {test_directory / 'suite'}",
        slug="mtr-suite",
    )


def _user(given: str, where: str) -> str:
    """mtr run by root skips tests, and servers refuse to be root's."""
    name = given or (_MARIADB if os.geteuid() == 0 else "")
    try:
        account(name)
    except UsageError as problem:
        raise UsageError(f"{where}: user: {problem.message}", hint=problem.hint, slug="mtr-user") from problem
    return name


def _options(options: Sequence[str], where: str) -> tuple[str, ...]:
    for option in options:
        name = option.removeprefix("--").partition("=")[0]
        if not option.startswith("--") or name.removeprefix("no") in _NOT_FOR_USERS or name.startswith("start"):
            raise UsageError(
                f"{where}: options: `{option}` cannot be given to mtr here",
                hint="options begin with `--`, values follow `=`; which tests run and where is not theirs to say",
                slug="mtr-option",
            )
    return tuple(options)


def _server(read: ConfigTable) -> str:
    server = read.text("server") or FRESH
    if server not in (FRESH, EXTERN):
        raise read.wrong("server", f'must be "{FRESH}" or "{EXTERN}", not {server!r}')
    return server


def _texts(read: ConfigTable, key: str) -> tuple[str, ...]:
    """A list of texts, or one text with several words."""
    return () if read.value(key, []) in ([], "") else read.words(key)


def _digests(request: Request) -> list[str]:
    """The suites that are not the project's own, by what is in their files."""
    digests = []
    for suite in request.suites:
        digest = hashlib.sha256()
        root = suite_directory(request.test_directory, suite)
        assert root is not None, "checked before"
        for path in sorted(path for path in root.rglob("*") if path.is_file()):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(root)} {len(content)}\n".encode(errors="surrogateescape") + content)
        digests.append(f"{suite} {digest.hexdigest()}")
    return digests
