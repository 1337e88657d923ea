"""The pytest plugin of the process that has the terminal of a run: pytest's own reporters, fed from outside.

Loaded with `-p`; does nothing unless the environment names its pipes. Collects nothing, runs no test. What workers
report goes through the hooks of pytest, so that the terminal, JUnit XML, the cache for `--lf`, coverage and plugins do
what they do in any run. It prints nothing before it knows that there is something to report.
"""

import json
import os
import signal
import sys
import types
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from _pytest import timing

from unknot.runners.pytest.inside import measuring
from unknot.runners.pytest.inside.options import SELECTION, neutralise
from unknot.runners.pytest.inside.synthetic import reports_of
from unknot.runners.sandbox.lifeline import die_with_parent

PIPES = "UNKNOT_CONSOLE"
"""Numbers: of the descriptors to read from and to write to, of standard error, and of the parent process."""


class Console:
    """One per process; registered before the first conftest is imported."""

    def __init__(self, messages: int, answers: int, errors: int) -> None:
        self._errors = errors
        self._messages = open(messages, encoding="utf-8")  # noqa: SIM115 - open as long as the process
        self._answers = answers
        self._collected: dict[str, Any] = {}
        self._began = timing.Instant() if hasattr(timing, "Instant") else timing.time()
        self._prints_output = self._only_letters = self._is_before_first = False

    def _read(self) -> Iterator[dict[str, Any]]:
        for line in self._messages:
            yield json.loads(line)

    def _answer(self, **message: Any) -> None:
        try:
            os.write(self._answers, json.dumps(message).encode() + b"\n")
        except OSError:
            # The other side has ended, which the end of the messages says too.
            return

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: Any) -> Iterator[None]:
        measuring.without_xdist(early_config.known_args_namespace)
        return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self, config: Any) -> None:
        kept = {name: getattr(config.option, name, None) for name in ("maxfail", "xmlpath", "pastebin", *SELECTION)}
        neutralise(config, selects=True, measures=True)
        vars(config.option).update(kept)
        self._prints_output = config.getoption("capture", "") == "no"

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionstart(self, session: Any) -> Generator[None, object, object]:
        cache = getattr(session.config, "cache", None)
        failed = list(cache.get("cache/lastfailed", {})) if cache is not None else []
        self._answer(maxfail=session.config.getvalue("maxfail") or 0, failed=failed)
        first = next(self._read(), None)
        if first is None or first["event"] != "collected":
            _leave()
        self._collected = first
        _restore_stderr(self._errors)
        result = yield
        reporter = _reporter(session.config)
        for name in ("_session_start", "_sessionstarttime"):
            # The time of the workers' start and of the collection counts, as in any run.
            if hasattr(reporter, name):
                setattr(reporter, name, self._began)
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: Any) -> bool:
        config, details = session.config, json.loads(self._collected["details"] or "{}")
        session.testscollected = self._collected["tests"]
        reporter = _reporter(config)
        if reporter is not None:
            reporter.pytest_collection()
        for report in _reports(config, details):
            config.hook.pytest_collectreport(report=report)
        _pass_on_warnings(config, details)
        if reporter is not None:
            left_out = [types.SimpleNamespace(nodeid="") for _ in range(details.get("deselected", 0))]
            if left_out:
                reporter.pytest_deselected(left_out)
            reporter._numcollected = session.testscollected + len(left_out)
            reporter.report_collect(True)
            for line in details.get("lines", ()):
                reporter.write_line(line)
            lanes = self._collected["lanes"]
            if lanes > 1 and reporter.verbosity >= 0:
                reporter.write_line(f"plan: {lanes} lanes")
            if lanes > 1 or not details:
                # A path before each letter would be one line for each test.
                reporter.showfspath = False
                self._only_letters = self._is_before_first = reporter.verbosity == 0
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        for message in self._read():
            match message["event"]:
                case "test":
                    self._report(session.config, message)
                    if session.shouldfail or session.shouldstop:
                        self._answer(stop=True)
                        self._wait_for_end(session)
                        _stop(session)
                case "line":
                    self._write_line(session.config, message["text"], is_result=message["result"])
                case "finish" if _measured() is None:
                    self._end_line(session.config)
                    return True
                case "end":
                    self._end(session.config, message)
                    if message["interrupted"]:
                        raise session.Interrupted(message["interrupted"])
                    return True
        raise session.Interrupted("unknot has ended")

    def _wait_for_end(self, session: Any) -> None:
        """Of the workers: what they have measured comes with it."""
        for message in self._read():
            if message["event"] == "line":
                self._write_line(session.config, message["text"], is_result=message["result"])
            if message["event"] == "end":
                self._end(session.config, message)
                return

    def _report(self, config: Any, message: dict[str, Any]) -> None:
        details = json.loads(message["details"] or "{}")
        reports = list(_reports(config, details))
        # A test that took its process down has reported a part, if anything.
        if message["outcome"] in ("crashed", "timed-out", "not-run") or not reports:
            reports = reports_of(message["test"], message["outcome"], message["seconds"], message["story"])
        if self._is_before_first:
            self._is_before_first = False
            _reporter(config).write_line("")
        nodeid, location = reports[0].nodeid, reports[0].location
        config.hook.pytest_runtest_logstart(nodeid=nodeid, location=location)
        if self._prints_output:
            self._print_output(config, reports)
        for report in reports:
            config.hook.pytest_runtest_logreport(report=report)
        config.hook.pytest_runtest_logfinish(nodeid=nodeid, location=location)
        _pass_on_warnings(config, details)

    def _print_output(self, config: Any, reports: list[Any]) -> None:
        """As `-s` does, except that the output of a test comes in one piece."""
        reporter = _reporter(config)
        printed: set[str] = set()
        for report in reports:
            for title, text in report.sections:
                # Those of the earlier phases of a test are in the later reports too.
                if title.startswith("Captured std") and title not in printed and reporter is not None:
                    reporter.write(text)
                    printed.add(title)
            report.sections = [each for each in report.sections if not each[0].startswith("Captured std")]

    def _write_line(self, config: Any, text: str, *, is_result: bool) -> None:
        reporter = _reporter(config)
        if reporter is not None:
            if reporter._tw.width_of_current_line:
                reporter._tw.line()
                reporter.currentfspath = None
            if is_result:
                reporter.write_line(text)
                return
            reporter.flush()
        stream = sys.stdout if is_result else sys.stderr
        print(text, file=stream, flush=True)

    def _end(self, config: Any, message: dict[str, Any]) -> None:
        self._end_line(config)
        self._take_coverage(message)

    def _end_line(self, config: Any) -> None:
        if self._only_letters:
            # As after a path: an empty line follows.
            _reporter(config).currentfspath = -2

    def _take_coverage(self, message: dict[str, Any]) -> None:
        """Puts the data of the workers beside those of this process, which pytest-cov combines."""
        measured = _measured()
        if measured is not None and message["coverage"]:
            # Here, no module under test is imported.
            measured.set_option("run:disable_warnings", list(measuring.ABOUT_NOTHING_MEASURED))
            for _ in measuring.mapped(Path(message["coverage"]), os.path.abspath(measured.get_option("run:data_file"))):
                pass


def _measured() -> Any:
    """The measurement of this process, by pytest-cov."""
    coverage = sys.modules.get("coverage")
    return coverage.Coverage.current() if coverage is not None else None


def _reports(config: Any, details: dict[str, Any]) -> Iterator[Any]:
    for data in details.get("reports", ()):
        if isinstance(data.get("longrepr"), list):
            # Why a test was skipped, and where; JSON knows no tuples.
            data["longrepr"] = tuple(data["longrepr"])
        yield config.hook.pytest_report_from_serializable(config=config, data=data)


def _pass_on_warnings(config: Any, details: dict[str, Any]) -> None:
    for each in details.get("warnings", ()):
        category = type(each["category"], (Warning,), {"__module__": each["module"]})
        record = warnings.WarningMessage(
            category(each["message"]), category, each["filename"], each["lineno"], line=each["line"]
        )
        location = each["location"] and tuple(each["location"])
        config.hook.pytest_warning_recorded.call_historic(
            kwargs={"warning_message": record, "nodeid": each["nodeid"], "when": each["when"], "location": location}
        )


def _stop(session: Any) -> NoReturn:
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    raise session.Interrupted(session.shouldstop)


def _reporter(config: Any) -> Any:
    return config.pluginmanager.get_plugin("terminalreporter")


def _restore_stderr(errors: int) -> None:
    """What was written so far went to a file: it is not to be seen if there is nothing to report."""
    sys.stderr.flush()
    early = os.dup(2)
    os.dup2(errors, 2)
    os.close(errors)
    with open(early, "rb") as file:
        file.seek(0)
        os.write(2, file.read())


def _leave() -> NoReturn:
    """There is nothing to report: no plugin prints anything."""
    os._exit(0)


def pytest_addoption(pluginmanager: Any) -> None:
    """The first hook that is called."""
    if PIPES not in os.environ:
        return
    messages, answers, errors, parent = map(int, os.environ.pop(PIPES).split())
    # Ctrl-C reaches the whole terminal; the parent says what there is to report then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent(parent)
    # As `python -m pytest` does, but last: a conftest.py may import the project.
    sys.path.append(os.getcwd())
    pluginmanager.register(Console(messages, answers, errors), "unknot-console")
