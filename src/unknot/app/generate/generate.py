"""Generates a suite for an application that was crawled: explored, written, proved, and then put into its place."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from unknot.app.crawl.crawl import targets_of
from unknot.app.crawl.login import login_function
from unknot.app.crawl.target import OF_INSTANCE
from unknot.app.generate.drafts import DraftOptions, GeneratedDrafts, generated_drafts
from unknot.app.generate.proof import SuiteProof, name_of
from unknot.app.generate.scratch import LOCK, Scratch, open_scratch
from unknot.app.generate.suite_directory import SuiteDirectory
from unknot.app.page_files import PageCode, page_code, read_model_with_pages
from unknot.app.progress import ProgressListener
from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, Suite, TestId
from unknot.model.web.generated_suite import DroppedTest, GeneratedSuite, GeneratedTest, SeenFault
from unknot.model.web.web_model import WebModel
from unknot.plan.cover.minimise import minimise
from unknot.report.wording import counted
from unknot.runners.sandbox.working_copy import project_root
from unknot.store.atomic import check_link, write_atomically
from unknot.web.suite.faults import FaultDraft
from unknot.web.suite.writing.fixtures_file import FixturesPlan, fixtures_file
from unknot.web.suite.writing.written_suite import (
    WrittenTest,
    effects_of,
    importing_file,
    suite_files,
    written_tests,
)

OUT, PAGES = "tests/generated", "tests/pages"

_ROUNDS = 3
"""So often a detection may find tests that are not green, and is repeated without them."""


@dataclass(frozen=True, kw_only=True)
class GenerateOptions:
    """`out` is the directory of the suite, `pages` that of the page objects; from the working directory."""

    drafts: DraftOptions
    out: Path = Path(OUT)
    pages: Path = Path(PAGES)


def generate_suite(options: GenerateOptions, listener: ProgressListener) -> GeneratedSuite:
    """Writes the suite, its lock file, and page objects where they are missing.

    Guarantee
        Each test in the directory was green in order (three times), alone, shuffled, and in a detection of the
        dependencies between them. Until then nothing in the project is changed; files of the user never are. A suite
        that was not put in place as a whole, because of Ctrl-C, has no lock file.
    Raises UsageError for options, models and directories that cannot be used, RunnerError if the application or the
    browser cannot be had, StorageError for what cannot be read or written.
    """
    crawl = options.drafts.crawl
    directory = crawl.runner.directory
    suite = SuiteDirectory(project_root(directory), directory / options.out, directory / options.pages)
    suite.check()
    model = read_model_with_pages(options.drafts.model)
    login_import = suite.login_import(crawl.login, directory)
    login = login_function(crawl.login, directory) if crawl.login else None
    targets_of(crawl)
    pages = page_code(model, suite.pages)
    plan = pages.plan
    package = suite.page_package
    start = plan.class_of[model.start]
    fixtures = FixturesPlan(
        crawl.address or OF_INSTANCE, start, f"{package}.{plan.module_of(start)}", login_import, crawl.also
    )  # fmt: skip
    own = suite.own_files(fixtures_file(fixtures))
    with open_scratch(suite, crawl.runner) as scratch:
        scratch.write_pages(pages)
        # Now, not after minutes of exploring.
        scratch.check_imports({**own, "test_imports.py": importing_file(plan, package)}, listener)
        found = generated_drafts(options.drafts, login, listener)
        written = written_tests(model, plan, found.drafts)
        if listener.is_interrupted() or not written.tests:
            return _without_tests(options, found, written.left_out)
        suite.check_names(suite_files(written.tests, plan, package))
        making = _Making(scratch, model, pages, package, own, crawl.seed, listener)
        started = time.monotonic()
        making.prove(written.tests)
        making.detect()
        if listener.is_interrupted():
            return _without_tests(options, found, written.left_out)
        removed = making.put_in_place(suite)
        return GeneratedSuite(
            str(options.out),
            tuple(GeneratedTest(each.file, each.name, len(each.checks)) for each in making.kept),
            tuple(making.dropped),
            making.repeated,
            {**found.dropped, **written.left_out},
            making.dependent,
            tuple(own) if making.kept else (),
            removed,
            tuple(map(_seen, found.faults)),
            found.problem,
            found.walks,
            found.steps,
            found.seconds,
            time.monotonic() - started,
        )


@dataclass
class _Making:
    """A suite between drafts and directory. `kept` are its tests."""

    scratch: Scratch
    model: WebModel
    pages: PageCode
    package: str
    own: dict[str, str]
    seed: int
    listener: ProgressListener
    kept: tuple[WrittenTest, ...] = ()
    dropped: list[DroppedTest] = field(default_factory=list)
    repeated: int = 0
    dependent: int = 0

    def prove(self, tests: Sequence[WrittenTest]) -> None:
        """Keeps the fewest seconds of green tests that make all transitions and checks of the green ones."""
        files = self._write(tests)
        with self.scratch.session(files, self.listener) as session:
            by_name = {each.name: each for each in tests}
            of_id = {test: by_name[name_of(test)] for test in session.listing.suite.tests}
            proof = SuiteProof(session.runner.run_in_turn, self.seed)
            self.listener.status(f"running {counted(len(of_id), 'test')} for the first time")
            pool = session.listing.suite.tests
            while pool and (red := proof.first_run(pool)):
                pool = self._without(pool, proof.at_fault(red))
            kept: Order = ()
            while pool and not self.listener.is_interrupted():
                kept = _fewest(pool, of_id, proof)
                self.listener.status(f"proving {counted(len(kept), 'test')}: in order, alone and shuffled")
                red = proof.red(kept)
                if not red:
                    break
                pool = self._without(pool, proof.at_fault(red))
                kept = ()
        self.kept = tuple(dict.fromkeys(of_id[test] for test in kept))
        self.repeated = len({of_id[test] for test in pool}) - len(self.kept)

    def detect(self) -> None:
        """Drops what the detection finds not to be green each time; writes the lock file of the rest."""
        for _ in range(_ROUNDS):
            if not self.kept or self.listener.is_interrupted():
                return
            self.listener.status(f"looking for dependencies between {counted(len(self.kept), 'test')}")
            found = self.scratch.detect(self._write(self.kept), self.listener).dependencies
            unsteady = {*found.failing, *found.flaky}
            if not unsteady:
                affected = [each.dependent for each in found.needs] + [each.victim for each in found.conflicts]
                self.dependent = len(set(affected))
                return
            names = {name_of(test): test for test in unsteady}
            self.kept = tuple(each for each in self.kept if each.name not in names)
            self.dropped += [
                DroppedTest(name, "in the detection", "flaky" if test in found.flaky else "failed")
                for name, test in sorted(names.items())
            ]
        why = f"others were not green in any of {_ROUNDS} detections, so what it needs is not known"
        self.dropped += [DroppedTest(each.name, "in the detection", why) for each in self.kept]
        self.kept = ()

    def put_in_place(self, suite: SuiteDirectory) -> tuple[str, ...]:
        """Returns the files of an earlier suite that are gone."""
        if not self.kept:
            return ()
        files = suite_files(self.kept, self.pages.plan, self.package)
        lock = suite.path / LOCK
        # Minutes have gone by: what is there now counts.
        suite.check()
        suite.check_names({**self.own, **files})
        check_link(lock)
        pages = page_code(self.model, suite.pages)
        removed = tuple(name for name in suite.generated() if name not in files)
        # If this is interrupted, there is none rather than one of another suite.
        lock.unlink(missing_ok=True)
        pages.write(suite.pages)
        for name, text in {**self.own, **files}.items():
            write_atomically(suite.path / name, text)
        for name in removed:
            (suite.path / name).unlink(missing_ok=True)
        write_atomically(lock, self.scratch.lock.read_text(encoding="utf-8"))
        return removed

    def _write(self, tests: Sequence[WrittenTest]) -> tuple[str, ...]:
        files = suite_files(tests, self.pages.plan, self.package)
        self.scratch.write({**self.own, **files})
        return tuple(sorted(files))

    def _without(self, tests: Order, red: dict[TestId, DroppedTest]) -> Order:
        self.dropped += red.values()
        return tuple(each for each in tests if each not in red)


def _fewest(tests: Order, of_id: dict[TestId, WrittenTest], proof: SuiteProof) -> Order:
    seconds = {test: proof.seconds.get(test, 1.0) for test in tests}
    dependencies = Dependencies(Suite(tests), dict.fromkeys(tests, Outcome.PASSED), seconds)
    coverage = Coverage.of({test: sorted(effects_of(of_id[test])) for test in tests})
    return minimise(dependencies, coverage, solver="greedy").tests


def _seen(fault: FaultDraft) -> SeenFault:
    return SeenFault(fault.kind.value, fault.text, tuple(each.action.name for each in fault.draft.steps))


def _without_tests(options: GenerateOptions, found: GeneratedDrafts, left_out: Mapping[str, int]) -> GeneratedSuite:
    unwritten = {**found.dropped, **left_out}
    return GeneratedSuite(
        str(options.out), (), unwritten=unwritten, faults=tuple(map(_seen, found.faults)), problem=found.problem,
        walks=found.walks, steps=found.steps, exploring_seconds=found.seconds,
    )  # fmt: skip
