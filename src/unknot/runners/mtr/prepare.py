"""What a slot keeps in its directory for all orders: where mtr is started, which tests it passes over, and a data
directory that is ready."""

import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.mtr.account import ServerAccount
from unknot.runners.mtr.big_tests import BigTests
from unknot.runners.mtr.farm import make_farm
from unknot.runners.mtr.installation import find_server, suite_directory
from unknot.runners.mtr.invocation import build_threads, mtr_environment, mtr_words
from unknot.runners.mtr.request import Request

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
    def farm(self) -> Path:
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
        return self.farm / "mysql-test" if request.own else request.test_directory


def prepare(request: Request, directory: Path, project: Path, who: ServerAccount) -> Prepared:
    """Once for each slot; `project` is the working copy that suites of one's own are in. Raises RunnerError."""
    prepared = Prepared(directory)
    who.make(directory)
    if request.own:
        own = [project / suite for suite in request.own]
        make_farm(prepared.farm, request.test_directory, own)
        for suite in own:
            who.open_way(suite.resolve())
    prepared.passed_over.write_text("" if request.big else _big_tests(request, prepared), encoding="utf-8")
    return prepared


def make_template(request: Request, prepared: Prepared, worker: int, who: ServerAccount) -> None:
    """Has mtr make a data directory, and keeps it: that saves a third of an order of one test. The order must have the
    same `vardir`: its path is among the words that mtr gives to the server."""
    words = mtr_words(request, prepared.vardir, build_threads(worker)[0])
    run_mtr([*words, f"--suite={request.names[0]}", "--dry-run"], prepared.test_directory(request), prepared, who)
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


def run_mtr(words: list[str], where: Path, prepared: Prepared, who: ServerAccount) -> str:
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
        **who.popen,  # type: ignore[call-overload]
    )
    if done.returncode != 0:
        raise RunnerError(
            f"mtr ended with status {done.returncode}: {_end(done.stdout)}",
            hint=f"run it by hand in {where}: {shlex.join(words)}",
        )
    said: str = done.stdout
    return said


def _big_tests(request: Request, prepared: Prepared) -> str:
    """As mtr reads it: a test and why it is not run, one a line."""
    where = prepared.test_directory(request)
    big = BigTests(where)
    return "".join(
        f"{name}.{test} : a big test, and big tests were not asked for\n"
        for name in request.names
        if (directory := suite_directory(where, name)) is not None
        for test in big.of(directory)
    )


def _end(text: str) -> str:
    return "\n".join(text.strip().splitlines()[-20:])
