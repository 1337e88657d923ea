"""A pytest suite on slots: answers, shared beginnings, and processes that are killed."""

import os
import signal
import textwrap
from pathlib import Path

import pytest
from process_life import wait_until

from unknot.model.errors import RunnerError
from unknot.model.run import OrderRequest
from unknot.model.suite import Order, Suite, TestId
from unknot.runners.dispatch.slot_runner import SlotRunner
from unknot.runners.protocol import Listing
from unknot.runners.pytest.collection import Collected
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.pytest.slot import PytestSlotSpec
from unknot.runners.sandbox.sandbox import OpenSandbox
from unknot.runners.settings import Settings
from unknot.runners.workers.slot import answers
from unknot.runners.workers.threads import ThreadWorkers

SUITE = """
    import os, pathlib, tempfile
    box = []
    def test_sets():
        box.append(1)
        with open(os.environ["LOG"], "a") as log:
            print(os.getpid(), tempfile.gettempdir(), file=log)
    def test_needs(): assert box
    def test_writes(): pathlib.Path("left.txt").write_text("x")
    def test_finds_nothing(): assert not pathlib.Path("left.txt").exists()
    def test_dies(): os.abort()
    def test_this(): pass
    def test_that(): pass
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    directory = tmp_path / "project"
    directory.mkdir()
    (directory / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (directory / "test_it.py").write_text(textwrap.dedent(SUITE), encoding="utf-8")
    return directory


def collected(settings: Settings) -> Collected:
    with open_suite(settings) as opened:
        return opened.collected


def oracle_for(settings: Settings, found: Collected, *, fork: bool, workers: int = 2) -> SlotRunner:
    listing = Listing(found.suite, found.files, found.root, found.modules, found.plugins, found.by_hand)
    return SlotRunner(PytestSlotSpec(settings, found.suite, fork), listing, ThreadWorkers(workers))


@pytest.mark.parametrize("fork", [True, False])
def test_every_order_is_answered_and_no_directory_is_left(project: Path, tmp_path: Path, fork: bool) -> None:
    settings = Settings(project)
    found = collected(settings)
    sets, needs, writes, finds, dies, *_ = found.suite.tests
    wanted: dict[Order, list[str]] = {(sets, needs): ["passed", "passed"], (writes, finds): ["passed", "failed"]}
    if fork:
        wanted |= {(needs,): ["failed"], (dies, sets): ["crashed", "not-run"]}
        wanted |= {(sets, finds): ["passed", "passed"], (finds, writes): ["passed", "passed"]}
    with oracle_for(settings, found, fork=fork) as oracle:
        runs = list(oracle.run_orders([*map(OrderRequest, wanted)]))
    assert {run.order: [each.outcome.value for each in run.results] for run in runs} == wanted
    assert len(runs) == len(wanted)
    homes = [Path(line.split()[1]) for line in (tmp_path / "log").read_text(encoding="utf-8").splitlines()]
    assert homes
    assert not any(home.exists() for home in homes)


def test_orders_that_begin_alike_share_on_a_slot(project: Path) -> None:
    settings = Settings(project)
    found = collected(settings)
    _, needs, _, finds, _, this, that = found.suite.tests
    with oracle_for(settings, found, fork=True, workers=1) as oracle:
        assert oracle.can_share
        shared = list(oracle.run_orders([OrderRequest((needs, finds, this)), OrderRequest((needs, finds, that))]))
        single = oracle.on_one_slot([OrderRequest((needs, finds)), OrderRequest((needs, finds))])
    assert sum(run.executed for run in shared) == 4
    assert [run.executed for run in single] == [2, 2]


def test_a_slot_that_collects_other_tests_is_refused(project: Path) -> None:
    settings = Settings(project)
    found = collected(settings)
    other = Suite((*found.suite.tests, TestId("test_it.py::test_more")))
    listing = Listing(other, (), found.root, (), ())
    with (
        SlotRunner(PytestSlotSpec(settings, other, True), listing, ThreadWorkers(1)) as oracle,
        pytest.raises(RunnerError, match="test_more is not there"),
    ):
        list(oracle.run_orders([OrderRequest(other.tests[:1])]))


def test_a_pytest_process_that_is_killed_while_it_waits_is_started_again(project: Path, tmp_path: Path) -> None:
    settings = Settings(project)
    found = collected(settings)
    sets, needs, *_ = found.suite.tests
    sandbox = OpenSandbox()
    try:
        slot = PytestSlotSpec(settings, found.suite, True).open(sandbox.sandbox)
        before = dict(os.environ)
        process = slot._trees._process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        wait_until(lambda: process.exit_status is not None)
        (answered,) = answers(slot.answer([(sets, needs)], shares=False))
        slot.close()
    finally:
        sandbox.close()
    assert [each.outcome.value for each in answered.results] == ["passed", "passed"]
    assert dict(os.environ) == before


def test_slots_of_one_machine_have_numbers_of_their_own(project: Path, tmp_path: Path) -> None:
    log = tmp_path / "numbers"
    body = f"import os, time\ndef test_one():\n    print(os.environ['UNKNOT_WORKER'], file=open({str(log)!r}, 'a'))\n"
    (project / "test_it.py").write_text(f"{body}    time.sleep(1)\n", encoding="utf-8")
    settings = Settings(directory=project)
    found = collected(settings)
    with oracle_for(settings, found, fork=True) as oracle:
        list(oracle.run_orders([OrderRequest(found.suite.tests, attempt) for attempt in (1, 2, 3, 4)]))
    assert len(set(log.read_text().split())) == 2
