"""What the journal keeps, for which requests it gives it back, and what it forgets."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Order, TestId
from unknot.oracle.memo import RunStore
from unknot.store.journal.journal import Journal
from unknot.store.state_directory import StateDirectory

A, B, C = TestId("test_a.py::test_a"), TestId("test_b.py::test_b"), TestId("test_c.py::test_c")
UNEDITED = {A: "text of a", B: "text of b", C: "text of c"}
DAY = 86_400.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".unknot" / "journal.sqlite3"


def open_at(
    path: Path,
    *,
    fingerprints: dict[TestId, str] = UNEDITED,
    environment: str = "here",
    clock: Callable[[], float] = lambda: 0.0,
) -> Journal:
    return Journal.open(path, fingerprints=fingerprints, environment=environment, clock=clock)


def passed(*order: TestId, attempt: int = 0) -> Run:
    return Run(
        OrderRequest(order, attempt), (Result(Outcome.PASSED, 0.1),) * len(order), executed=len(order), seconds=0.5
    )


any_text = st.text(st.characters(), max_size=20)
any_test = st.builds(TestId, any_text)
any_seconds = st.floats(allow_nan=False)
any_result = st.builds(Result, st.sampled_from(Outcome), any_seconds, any_text)


@st.composite
def any_run(draw: st.DrawFn) -> Run:
    order: Order = tuple(draw(st.lists(any_test, max_size=6)))
    results = tuple(draw(any_result) for _ in order)
    request = OrderRequest(order, draw(st.integers(min_value=0)))
    return Run(request, results, draw(st.integers(0, 2**40)), draw(any_seconds))


@laws(40)
@given(st.lists(any_run(), max_size=5), any_text, any_text)
def test_what_is_recorded_is_recalled_equal_in_every_field_also_after_reopening(
    tmp_path_factory: pytest.TempPathFactory, runs: list[Run], environment: str, fingerprint: str
) -> None:
    path = tmp_path_factory.mktemp("law") / "journal.sqlite3"
    fingerprints = {test: fingerprint for run in runs for test in run.order}
    latest = {run.request: run for run in runs}
    with open_at(path, fingerprints=fingerprints, environment=environment) as journal:
        for run in runs:
            journal.record(run)
            assert journal.recall(run.request) == run
    with open_at(path, fingerprints=fingerprints, environment=environment) as journal:
        for request, run in latest.items():
            assert journal.recall(request) == run


@laws(40)
@given(st.lists(st.lists(st.sampled_from([A, B, C]), unique=True), max_size=8), st.sampled_from([A, B, C]))
def test_editing_a_test_drops_the_orders_that_involve_it_and_no_others(
    tmp_path_factory: pytest.TempPathFactory, orders: list[list[TestId]], edited: TestId
) -> None:
    path = tmp_path_factory.mktemp("edit") / "journal.sqlite3"
    runs = [passed(*order) for order in orders]
    with open_at(path) as journal:
        for run in runs:
            journal.record(run)
    with open_at(path, fingerprints=UNEDITED | {edited: "new text"}) as journal:
        for run in runs:
            assert journal.recall(run.request) == (None if edited in run.order else run)


def test_undoing_an_edit_brings_the_runs_back(path: Path) -> None:
    with open_at(path) as journal:
        journal.record(passed(A, B))
    with open_at(path, fingerprints=UNEDITED | {A: "new text"}) as journal:
        journal.record(passed(A, B, C))
    with open_at(path) as journal:
        assert journal.recall(OrderRequest((A, B))) == passed(A, B)


def test_the_journal_is_a_run_store(path: Path) -> None:
    with open_at(path) as journal:
        store: RunStore = journal
        store.record(passed(A))
        assert store.recall(OrderRequest((A,))) == passed(A)


@pytest.mark.parametrize(
    "other",
    [
        OrderRequest((B, A)),
        OrderRequest((A,)),
        OrderRequest((A, B, C)),
        OrderRequest((A, B), attempt=1),
        OrderRequest(()),
    ],
    ids=["another sequence", "a prefix", "a longer order", "another attempt", "the empty order"],
)
def test_another_question_is_not_answered(path: Path, other: OrderRequest) -> None:
    with open_at(path) as journal:
        journal.record(passed(A, B))
        assert journal.recall(other) is None


def test_another_environment_is_not_answered(path: Path) -> None:
    with open_at(path) as journal:
        journal.record(passed(A))
    with open_at(path, environment="there") as journal:
        assert journal.recall(OrderRequest((A,))) is None


def test_an_id_and_a_fingerprint_that_join_to_the_same_text_are_told_apart(path: Path) -> None:
    with open_at(path, fingerprints={TestId("ab"): "c"}) as journal:
        journal.record(passed(TestId("ab")))
    with open_at(path, fingerprints={TestId("a"): "bc"}) as journal:
        assert journal.recall(OrderRequest((TestId("a"),))) is None


def test_a_later_run_of_the_same_question_replaces_the_earlier(path: Path) -> None:
    with open_at(path) as journal:
        journal.record(passed(A))
        failed = Run(OrderRequest((A,)), (Result(Outcome.FAILED, 1.0, "assert 1 == 2"),), executed=1)
        journal.record(failed)
        assert journal.recall(OrderRequest((A,))) == failed


def test_a_test_without_a_fingerprint_is_refused_by_its_name(path: Path) -> None:
    with open_at(path, fingerprints={A: "text"}) as journal:
        with pytest.raises(KeyError, match="test_b"):
            journal.record(passed(A, B))
        with pytest.raises(KeyError, match="test_b"):
            journal.recall(OrderRequest((A, B)))


def test_changing_the_mapping_of_fingerprints_later_does_not_change_an_open_journal(path: Path) -> None:
    fingerprints = dict(UNEDITED)
    with open_at(path, fingerprints=fingerprints) as journal:
        journal.record(passed(A))
        fingerprints[A] = "new text"
        assert journal.recall(OrderRequest((A,))) == passed(A)


def test_forgetting_deletes_all_runs_and_gives_the_space_back(path: Path) -> None:
    story = "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(50_000))
    with open_at(path) as journal:
        journal.record(Run(OrderRequest((A,)), (Result(Outcome.FAILED, 1.0, story),), executed=1))
    full = path.stat().st_size
    with open_at(path, environment="there") as journal:
        journal.forget()
    assert path.stat().st_size < full
    with open_at(path) as journal:
        assert journal.recall(OrderRequest((A,))) is None
        journal.record(passed(A))
        assert journal.recall(OrderRequest((A,))) == passed(A)


def test_pruning_deletes_only_runs_older_than_the_days_to_keep(path: Path) -> None:
    now = 0.0
    with open_at(path, clock=lambda: now) as journal:
        journal.record(passed(A))
        now = 5 * DAY
        journal.record(passed(B))
        now = 11 * DAY
        assert journal.prune(keep_days=10) == 1
        assert journal.recall(OrderRequest((A,))) is None
        assert journal.recall(OrderRequest((B,))) == passed(B)


def test_recording_again_makes_a_run_young(path: Path) -> None:
    now = 0.0
    with open_at(path, clock=lambda: now) as journal:
        journal.record(passed(A))
        now = 20 * DAY
        journal.record(passed(A))
        assert journal.prune(keep_days=10) == 0


def test_closing_twice_is_allowed_and_leaves_one_file(path: Path) -> None:
    journal = open_at(path)
    journal.record(passed(A))
    journal.close()
    journal.close()
    assert sorted(file.name for file in path.parent.iterdir()) == [".gitignore", "journal.sqlite3"]


def test_an_empty_file_becomes_a_journal(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with open_at(path) as journal:
        journal.record(passed(A))
        assert journal.recall(OrderRequest((A,))) == passed(A)


def test_a_relative_path_stays_the_same_file_when_the_directory_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_at(Path(":memory:")) as journal:
        monkeypatch.chdir("/")
        assert journal.path == tmp_path / ":memory:"
        journal.record(passed(A))
    assert (tmp_path / ":memory:").stat().st_size > 0


def test_a_thousand_orders_of_a_thousand_tests_stay_below_twenty_megabytes(path: Path) -> None:
    tests = tuple(TestId(f"tests/some/package/test_module_{number // 20}.py::test_{number}") for number in range(1000))
    noise = [(number * 0.6180339887498949) % 1.0 for number in range(2000)]
    with open_at(path, fingerprints=dict.fromkeys(tests, "text")) as journal:
        for start in range(1000):
            results = tuple(Result(Outcome.PASSED, seconds) for seconds in noise[start : start + 1000])
            journal.record(Run(OrderRequest(tests[start:] + tests[:start]), results, executed=1000))
    assert path.stat().st_size < 20_000_000


def test_a_new_state_directory_is_ignored_by_git(tmp_path: Path) -> None:
    StateDirectory(tmp_path / "deep" / ".unknot").prepare()
    assert (tmp_path / "deep" / ".unknot" / ".gitignore").read_text() == "*\n"
    assert not (tmp_path / "deep" / ".gitignore").exists()


def test_preparing_a_directory_again_leaves_the_gitignore_of_the_user(tmp_path: Path) -> None:
    StateDirectory(tmp_path).prepare()
    (tmp_path / ".gitignore").write_text("*.sqlite3\n")
    StateDirectory(tmp_path).prepare()
    assert (tmp_path / ".gitignore").read_text() == "*.sqlite3\n"


def test_a_directory_with_files_of_the_user_is_not_hidden_from_git(tmp_path: Path) -> None:
    (tmp_path / "setup.py").touch()
    StateDirectory(tmp_path).prepare()
    assert not (tmp_path / ".gitignore").exists()
