"""What a slot keeps in its directory for all orders: where mtr is started, which tests it passes over, and a data
directory that is ready."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.mtr.account import ServerAccount
from unknot.runners.mtr.installation import base_directory, find_server, suite_directory
from unknot.runners.mtr.request import Request, build_threads, mtr_environment, mtr_words

# mtr leaves out tests that say that they are big, but not if a test is named on its command line, as we do.
_SOURCE = re.compile(r"\s*(?:--)?\s*source\s+([^;\s]+)")
_BIG = "include/big_test.inc"


class BigTests:
    """Reads test files and what they include, each once, as mtr does."""

    def __init__(self, test_directory: Path) -> None:
        self._test_directory = test_directory
        self._known: dict[Path, bool] = {}

    def of(self, suite: Path) -> list[str]:
        """The names of big tests in the directory of one suite, without the suite's name."""
        tests = suite / "t" if (suite / "t").is_dir() else suite
        return sorted(file.stem for file in tests.glob("*.test") if self._is_big(file, suite))

    def _is_big(self, file: Path, suite: Path) -> bool:
        if file not in self._known:
            # Two files may include each other.
            self._known[file] = False
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
            lines = [line for line in lines if not line.startswith("#")]
            self._known[file] = any(_BIG in line for line in lines) or any(
                self._is_big(included, suite) for included in self._included(lines, file, suite)
            )
        return self._known[file]

    def _included(self, lines: Iterable[str], file: Path, suite: Path) -> Iterable[Path]:
        for line in lines:
            if found := _SOURCE.match(line):
                for directory in (file.parent, suite, self._test_directory):
                    included = directory / found[1]
                    if included != file and included.is_file():
                        yield included
                        break


# mtr takes suites from below its own directory only. It can be given a suite by its path, but then ids hold that
# path, and a `-` or a `.` anywhere in it breaks it. So suites of one's own get a tree of links with mtr's beside them.
_TEST_DIRECTORY = "mysql-test"
"""mtr knows its suites by this name in their paths."""


def make_link_tree(root: Path, test_directory: Path, own: Iterable[Path]) -> Path:
    """A directory `root` that looks like the base directory of the installation, made of links, with these suites
    besides. Returns where mtr is to be started: the tree's own `mysql-test`. Raises RunnerError if mtr has a suite of
    the same name. Cost: a link for each entry of three directories."""
    tree = root / _TEST_DIRECTORY
    suites = tree / "suite"
    suites.mkdir(parents=True)
    _link_all(base_directory(test_directory), root, leave_out={_TEST_DIRECTORY})
    _link_all(test_directory, tree, leave_out={"suite", "var"})
    _link_all(test_directory / "suite", suites, leave_out=set())
    for suite in own:
        target = suites / suite.name
        if target.is_symlink():
            raise RunnerError(
                f"the suite {suite.name} in {suite} has the name of one of mtr's own",
                hint="rename its directory",
                slug="mtr-suite",
            )
        target.symlink_to(suite.resolve())
    return tree


def _link_all(source: Path, target: Path, *, leave_out: set[str]) -> None:
    for entry in source.iterdir():
        if entry.name not in leave_out:
            (target / entry.name).symlink_to(entry)


_STAND_IN = """\
#!/bin/sh
# Stands in for the server when mtr has it make a new data directory. The same words and the same
# statements give the same directory: it is copied. Anything else goes to the server.
here={here}
if [ "$*" = "$(cat "$here/words")" ] && cmp -s "$here/bootstrap.sql" {statements}; then
    exec cp -R "$here/data/." {target}
fi
exec {server} "$@"
"""


@dataclass(frozen=True)
class Prepared:
    """The paths below a slot's directory."""

    directory: Path

    @property
    def vardir(self) -> Path:
        return self.directory / "var"

    @property
    def link_tree(self) -> Path:
        return self.directory / "base"

    @property
    def template(self) -> Path:
        return self.directory / "template"

    @property
    def stand_in(self) -> Path:
        return self.template / "bootstrap"

    @property
    def passed_over(self) -> Path:
        return self.directory / "passed-over"

    def test_directory(self, request: Request) -> Path:
        """Where mtr is started."""
        return self.link_tree / "mysql-test" if request.own else request.test_directory


def prepare(request: Request, directory: Path, project: Path, owner: ServerAccount) -> Prepared:
    """Once for each slot; `project` is the working copy that suites of one's own are in. Raises RunnerError."""
    prepared = Prepared(directory)
    owner.make(directory)
    if request.own:
        own = [project / suite for suite in request.own]
        make_link_tree(prepared.link_tree, request.test_directory, own)
        for suite in own:
            owner.open_way(suite.resolve())
    prepared.passed_over.write_text("" if request.big else _big_tests(request, prepared), encoding="utf-8")
    return prepared


def make_template(request: Request, prepared: Prepared, worker: int, owner: ServerAccount) -> None:
    """Has mtr make a data directory, and keeps it: that saves a third of an order of one test. The order must have the
    same `vardir`: its path is among the words that mtr gives to the server."""
    words = mtr_words(request, prepared.vardir, build_threads(worker)[0])
    run_mtr([*words, f"--suite={request.names[0]}", "--dry-run"], prepared.test_directory(request), prepared, owner)
    log = prepared.vardir / "log"
    template = prepared.template
    template.mkdir()
    shutil.move(prepared.vardir / "install.db", template / "data")
    shutil.move(log / "bootstrap.sql", template / "bootstrap.sql")
    said = (log / "bootstrap.log").read_text(encoding="utf-8", errors="replace").splitlines()[0]
    (template / "words").write_text(said.partition(" ")[2], encoding="utf-8")
    prepared.stand_in.write_text(
        _STAND_IN.format(
            here=shlex.quote(str(template)),
            statements=shlex.quote(str(log / "bootstrap.sql")),
            target=shlex.quote(str(prepared.vardir / "install.db")),
            server=shlex.quote(str(find_server(request.test_directory))),
        ),
        encoding="utf-8",
    )
    prepared.stand_in.chmod(0o755)
    shutil.rmtree(prepared.vardir)


def run_mtr(words: list[str], where: Path, prepared: Prepared, owner: ServerAccount) -> str:
    """A call that is to succeed, and what it said. Raises RunnerError with the end of that."""
    done = subprocess.run(
        words,
        cwd=where,
        env=mtr_environment(prepared.directory, {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        **owner.popen,  # type: ignore[call-overload]
    )
    if done.returncode != 0:
        raise RunnerError(
            f"mtr ended with status {done.returncode}: {_end(done.stdout)}",
            hint=f"run it by hand in {where}: {shlex.join(words)}",
            slug="mtr-failed",
        )
    said: str = done.stdout
    return said


def _big_tests(request: Request, prepared: Prepared) -> str:
    """As mtr reads it: a test and why it is not run, one a line."""
    where = prepared.test_directory(request)
    big = BigTests(where)
    return "".join(
        f"{name}.{test} : a big test, and big tests were not requested\n"
        for name in request.names
        if (directory := suite_directory(where, name)) is not None
        for test in big.of(directory)
    )


def _end(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-20:])
