"""What is written is read back, and what is damaged is refused with the place and the cure."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot import __version__
from unknot.model.dependencies import Confidence, Cost, Dependencies
from unknot.model.errors import StorageError
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Frame, Location
from unknot.model.suite import Suite, TestId
from unknot.report.export.result_json import result_document, result_json
from unknot.store.claims_digest import ClaimsDigests
from unknot.store.fingerprint import Fingerprints
from unknot.store.lock import dumps, from_json, read_lock, to_json, write_lock
from unknot.store.lock_reader import _OLD_NOTHING
from unknot.store.typed_json import Fault

Document = dict[str, Any]

ADD = "t.py::test_add"
TOTAL = "t.py::test_total"
FLAKY = "t.py::test_flaky"


def without_times(dependencies: Dependencies) -> Dependencies:
    """A lock file holds no times and no costs."""
    return replace(dependencies, seconds={}, cost=Cost())


def test_the_document_has_the_shape_of_format_2(small: Dependencies) -> None:
    document = to_json(small)
    assert list(document) == [
        "format", "tool", "digest", "suite", "outcomes", "needs", "conflicts", "flaky", "untried", "only_in_company",
        "complete", "sought",
    ]  # fmt: skip
    assert document["format"] == 2
    assert document["tool"] == f"unknot {__version__}"
    names = "add total paid refund setenv alone clean both_1 both_2 flaky broken read"
    claims = document["suite"][0].pop("claims")
    assert claims == ClaimsDigests(small).of(small.suite.tests)
    assert document["suite"] == [{"file": "t.py", "tests": [f"test_{name}" for name in names.split()]}]
    assert document["outcomes"] == {"t.py::test_broken": "failed"}
    assert document["needs"][0] == {
        "dependent": "t.py::test_total",
        "any_of": ["t.py::test_add"],
        "proof": {
            "passes": ["t.py::test_add", "t.py::test_total"],
            "fails": ["t.py::test_total"],
        },
        "why": [{"kind": "text", "shown": "reads shop.cart, written by test_add"}],
    }
    assert document["needs"][1]["complete"] is False
    assert list(document["conflicts"][0]) == ["victim", "polluters", "cleaners", "proof", "why"]


def test_times_and_costs_do_not_change_the_file(small: Dependencies) -> None:
    slower = replace(small, seconds=dict.fromkeys(small.suite.tests, 9.5), cost=Cost("auto", 3, 4, 5.0, "a choice"))
    assert dumps(slower) == dumps(small) == dumps(without_times(small))


def test_a_large_suite_without_dependencies_gives_a_small_file() -> None:
    tests = tuple(TestId(f"tests/unit/test_module_{n // 50}.py::test_case_{n % 50}") for n in range(500))
    passed = Dependencies(Suite(tests), dict.fromkeys(tests, Outcome.PASSED), dict.fromkeys(tests, 0.01))
    fingerprints = Fingerprints("0" * 32, {test: f"{test.partition('::')[0]:0>32}" for test in tests})
    assert len(dumps(passed, fingerprints)) < 12_000


def test_a_recorded_reason_is_kept_member_by_member(small: Dependencies) -> None:
    add, total = small.suite.tests[:2]
    reason = Reason(
        ReasonKind.FLOW,
        writer=add,
        reader=total,
        location=Location("memory", "shop.CART"),
        shown="[1]",
        written=(Frame("shop/cart.py", 41, "add"), Frame("t.py", 12, "test_add")),
        sure=False,
    )
    known = replace(small, needs=(replace(small.needs[0], why=(reason,)),))
    assert to_json(known)["needs"][0]["why"] == [
        {
            "kind": "flow",
            "location": {"kind": "memory", "name": "shop.CART"},
            "writer": add,
            "reader": total,
            "shown": "[1]",
            "written": [
                {"file": "shop/cart.py", "line": 41, "function": "add"},
                {"file": "t.py", "line": 12, "function": "test_add"},
            ],
            "sure": False,
        }
    ]
    assert from_json(to_json(known)).needs[0].why == (reason,)


def test_the_file_is_made_to_be_committed(small: Dependencies, tmp_path: Path) -> None:
    path = tmp_path / "unknot.lock.json"
    write_lock(path, small)
    text = path.read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert text.startswith('{\n "format": 2,\n "tool"')
    assert text == dumps(small)


def test_ids_are_readable_in_the_file(hostile: Dependencies) -> None:
    assert "test_ж[日本語]" in dumps(hostile)


def test_seconds_are_rounded_to_a_microsecond() -> None:
    test = TestId("a")
    document = result_document(Dependencies(Suite((test,)), {test: Outcome.PASSED}, {test: 0.12345678}))
    assert document["suite"]["seconds"] == {"a": 0.123457}


def test_a_test_never_run_is_written_so_that_it_can_be_read() -> None:
    never = Dependencies(Suite((TestId("a"),)), {}, {})
    assert from_json(to_json(never)).outcomes == {"a": Outcome.NOT_RUN}
    read = from_json(result_document(never))
    assert read.outcomes == {"a": Outcome.NOT_RUN}
    assert read.seconds == {"a": 0.0}


@laws(50)
@given(data=st.data())
def test_what_is_written_is_read_back_equal(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies], tmp_path_factory: pytest.TempPathFactory
) -> None:
    dependencies = data.draw(any_dependencies)
    path = tmp_path_factory.getbasetemp() / "round-trip.json"
    write_lock(path, dependencies)
    assert read_lock(path) == without_times(dependencies)
    assert dumps(read_lock(path)) == path.read_text(encoding="utf-8")


@laws(50)
@given(data=st.data())
def test_the_printed_document_is_read_back_with_times_and_costs(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]
) -> None:
    dependencies = data.draw(any_dependencies)
    assert from_json(json.loads(result_json(dependencies))) == dependencies


def test_unknown_members_are_ignored(small: Dependencies) -> None:
    document = to_json(small)
    document["later"] = document["suite"][0]["later"] = document["needs"][0]["later"] = 1
    # Names that members have inside unknot, but not in the file.
    document["seconds"] = document["cost"] = document["untried_rows"] = 1
    assert from_json(document) == without_times(small)
    printed = result_document(small)
    printed["later"] = printed["suite"]["later"] = printed["needs"][0]["later"] = 1
    assert from_json(printed) == small


def test_the_sentences_of_format_1_are_kept_as_they_are(small: Dependencies) -> None:
    document = result_document(small)
    document["needs"][0].pop("reasons")
    document["needs"][0]["why"] = ["it writes", _OLD_NOTHING]
    assert from_json(document).needs[0].why == (Reason(ReasonKind.TEXT, shown="it writes"), Reason(ReasonKind.NOTHING))


def test_a_byte_order_mark_does_no_harm(small: Dependencies, tmp_path: Path) -> None:
    path = tmp_path / "unknot.lock.json"
    path.write_text(dumps(small), encoding="utf-8-sig")
    assert read_lock(path) == without_times(small)


def test_how_sure_it_is_that_a_test_is_flaky_stands_after_the_flaky_tests(small: Dependencies) -> None:
    known = replace(small, confidence={small.flaky[0]: Confidence(0.99912345, 3, 27)})
    document = to_json(known)
    assert document["confidence"] == {"t.py::test_flaky": {"sure": 0.999123, "differed": 3, "runs": 27}}
    assert list(document).index("confidence") == list(document).index("flaky") + 1
    assert from_json(document).confidence == {"t.py::test_flaky": Confidence(0.999123, 3, 27)}


@pytest.mark.parametrize(
    ("where", "entry"),
    [
        ('confidence["t.py::test_add"]', {ADD: {"sure": 1, "differed": 1, "runs": 2}}),
        ('confidence["t.py::test_flaky"].sure', {FLAKY: {"sure": 1.5, "differed": 1, "runs": 2}}),
        ('confidence["t.py::test_flaky"].sure', {FLAKY: {"differed": 1, "runs": 2}}),
        ('confidence["t.py::test_flaky"].differed', {FLAKY: {"sure": 1, "differed": 3, "runs": 2}}),
        ('confidence["t.py::test_flaky"].runs', {FLAKY: {"sure": 1, "differed": 0, "runs": -1}}),
        ("confidence", []),
    ],
)
def test_damaged_confidence_is_refused_with_its_place(where: str, entry: object, small: Dependencies) -> None:
    with pytest.raises(Fault) as caught:
        from_json(to_json(small) | {"confidence": entry})
    assert caught.value.where == where


OLD_BROKEN: list[tuple[str, Callable[[Document], object]]] = [
    ("format", lambda d: d.pop("format")),
    ("format", lambda d: d.update(format="1")),
    ("format", lambda d: d.update(format=True)),
    ("format", lambda d: d.update(format=0)),
    ("tool", lambda d: d.pop("tool")),
    ("tool", lambda d: d.update(tool=7)),
    ("suite", lambda d: d.update(suite=[])),
    ("suite.tests", lambda d: d["suite"].pop("tests")),
    ("suite.tests", lambda d: d["suite"].update(tests="a")),
    ("suite.tests[1]", lambda d: d["suite"]["tests"].insert(1, None)),
    ("suite.tests[1]", lambda d: d["suite"]["tests"].insert(1, ADD)),
    ("suite.outcomes", lambda d: d["suite"].update(outcomes=[])),
    (f'suite.outcomes["{ADD}"]', lambda d: d["suite"]["outcomes"].pop(ADD)),
    (f'suite.outcomes["{ADD}"]', lambda d: d["suite"]["outcomes"].update({ADD: "green"})),
    ('suite.outcomes["gone"]', lambda d: d["suite"]["outcomes"].update(gone="passed")),
    (f'suite.seconds["{ADD}"]', lambda d: d["suite"]["seconds"].pop(ADD)),
    (f'suite.seconds["{ADD}"]', lambda d: d["suite"]["seconds"].update({ADD: -1})),
    (f'suite.seconds["{ADD}"]', lambda d: d["suite"]["seconds"].update({ADD: "1"})),
    (f'suite.seconds["{ADD}"]', lambda d: d["suite"]["seconds"].update({ADD: False})),
    (f'suite.seconds["{ADD}"]', lambda d: d["suite"]["seconds"].update({ADD: 10**400})),
    ('suite.seconds["gone"]', lambda d: d["suite"]["seconds"].update(gone=1)),
    ("needs", lambda d: d.pop("needs")),
    ("needs", lambda d: d.update(needs={})),
    ("needs[1]", lambda d: d["needs"].insert(1, [])),
    ("needs[0].dependent", lambda d: d["needs"][0].pop("dependent")),
    ("needs[0].dependent", lambda d: d["needs"][0].update(dependent="gone")),
    ("needs[1].any_of", lambda d: d["needs"][1].pop("any_of")),
    ("needs[1].any_of", lambda d: d["needs"][1].update(any_of=[])),
    ("needs[1].any_of", lambda d: d["needs"][1].update(any_of=ADD)),
    ("needs[1].any_of[1]", lambda d: d["needs"][1].update(any_of=[ADD, "gone"])),
    ("needs[1].any_of[1]", lambda d: d["needs"][1].update(any_of=[ADD, ADD])),
    ("needs[0].any_of", lambda d: d["needs"][0].update(any_of=[TOTAL])),
    ("needs[0].proof", lambda d: d["needs"][0].pop("proof")),
    ("needs[0].proof.passes", lambda d: d["needs"][0]["proof"].pop("passes")),
    ("needs[0].proof.passes", lambda d: d["needs"][0]["proof"].update(passes=[ADD])),
    ("needs[0].proof.fails", lambda d: d["needs"][0]["proof"].update(fails=[])),
    ("needs[0].proof.fails[0]", lambda d: d["needs"][0]["proof"].update(fails=["gone", TOTAL])),
    ("needs[0].why", lambda d: d["needs"][0].pop("why")),
    ("needs[0].why[0]", lambda d: d["needs"][0].update(why=[1])),
    ("needs[1].complete", lambda d: d["needs"][1].update(complete="no")),
    ("conflicts", lambda d: d.update(conflicts=None)),
    ("conflicts[0].victim", lambda d: d["conflicts"][0].update(victim="gone")),
    ("conflicts[0].polluters", lambda d: d["conflicts"][0].update(polluters=[])),
    ("conflicts[0].cleaners[0]", lambda d: d["conflicts"][0].update(cleaners=["gone"])),
    ("conflicts[0].cleaners", lambda d: d["conflicts"][0].pop("cleaners")),
    ("conflicts[2].proof.fails", lambda d: d["conflicts"][2]["proof"].update(fails=[ADD])),
    ("flaky[0]", lambda d: d.update(flaky=["gone"])),
    ("flaky", lambda d: d.pop("flaky")),
    ("untried", lambda d: d.update(untried=-1)),
    ("untried", lambda d: d.update(untried=1.5)),
    ("untried", lambda d: d.update(untried=True)),
    ("complete", lambda d: d.update(complete=1)),
    ("cost", lambda d: d.pop("cost")),
    ("cost.algorithm", lambda d: d["cost"].update(algorithm=None)),
    ("cost.orders", lambda d: d["cost"].pop("orders")),
    ("cost.tests", lambda d: d["cost"].update(tests="many")),
    ("cost.seconds", lambda d: d["cost"].update(seconds=[])),
]


BROKEN: list[tuple[str, Callable[[Document], object]]] = [
    *((where, damage) for where, damage in OLD_BROKEN if not where.startswith(("suite", "cost"))),
    ("suite", lambda d: d.update(suite={})),
    ("suite[0]", lambda d: d["suite"].insert(0, "t.py")),
    ("suite[0].tests", lambda d: d["suite"][0].pop("tests")),
    ("suite[0].tests[1]", lambda d: d["suite"][0]["tests"].insert(1, None)),
    ("suite[0].tests[1]", lambda d: d["suite"][0]["tests"].insert(1, "test_add")),
    ("suite[1].tests[0]", lambda d: d["suite"].append({"tests": [ADD]})),
    ("suite[0].file", lambda d: d["suite"][0].update(file=1)),
    ("outcomes", lambda d: d.pop("outcomes")),
    ("outcomes", lambda d: d.update(outcomes=[])),
    (f'outcomes["{ADD}"]', lambda d: d["outcomes"].update({ADD: "green"})),
    ('outcomes["gone"]', lambda d: d["outcomes"].update(gone="passed")),
    ("needs[0].why[0].kind", lambda d: d["needs"][0].update(why=[{}])),
    ("needs[0].why[0].kind", lambda d: d["needs"][0].update(why=[{"kind": "guess"}])),
    ("needs[0].why[0].location", lambda d: d["needs"][0]["why"][0].update(location="memory")),
    ("needs[0].why[0].location.name", lambda d: d["needs"][0]["why"][0].update(location={"kind": "memory"})),
    ("needs[0].why[0].written[0].line", lambda d: d["needs"][0]["why"][0].update(written=[{"file": "a", "line": -1}])),
    ("needs[0].why[0].writer", lambda d: d["needs"][0]["why"][0].update(writer=None)),
    ("needs[0].why[0].sure", lambda d: d["needs"][0]["why"][0].update(sure="yes")),
]


def _numbered(broken: list[tuple[str, Callable[[Document], object]]]) -> list[str]:
    return [f"{n}-{where}" for n, (where, _) in enumerate(broken)]


@pytest.mark.parametrize(("where", "damage"), BROKEN, ids=_numbered(BROKEN))
def test_damage_is_refused_with_its_place_and_the_cure(
    where: str, damage: Callable[[Document], object], small: Dependencies, tmp_path: Path
) -> None:
    _refused(to_json(small), where, damage, tmp_path)


@pytest.mark.parametrize(("where", "damage"), OLD_BROKEN, ids=_numbered(OLD_BROKEN))
def test_damage_to_format_1_is_refused_too(
    where: str, damage: Callable[[Document], object], small: Dependencies, tmp_path: Path
) -> None:
    _refused(result_document(small), where, damage, tmp_path)


def _refused(document: Document, where: str, damage: Callable[[Document], object], tmp_path: Path) -> None:
    document = copy.deepcopy(document)
    damage(document)
    path = tmp_path / "unknot.lock.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(StorageError) as caught:
        read_lock(path)
    assert caught.value.message.startswith(f"{path}: {where}: ")
    assert caught.value.hint == "run unknot detect again"
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON"),
        (b"<<<<<<< HEAD\n{}", "not JSON: Expecting value, line 1 column 1"),
        (b'{"format": 1,', "not JSON"),
        (b'{"format": NaN}', "NaN is no number"),
        (b'{"format": 1, "format": 1}', 'the key "format" stands twice'),
        (b'{"format": ' + b"9" * 5000 + b"}", "a number too large"),
        (b"[" * 200_000, "not JSON"),
        (b"[]", "must be an object, is a list"),
        (b"null", "must be an object, is null"),
        (b"\xff\xfe{}", "not UTF-8"),
    ],
    ids=lambda value: value.decode("latin-1")[:20] if isinstance(value, bytes) else None,
)
def test_what_is_not_a_document_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "unknot.lock.json"
    path.write_bytes(content)
    with pytest.raises(StorageError) as caught:
        read_lock(path)
    assert caught.value.message.startswith(f"{path}: ")
    assert message in caught.value.message
    assert caught.value.hint == "run unknot detect again"


def test_a_newer_format_asks_for_an_upgrade(small: Dependencies, tmp_path: Path) -> None:
    path = tmp_path / "unknot.lock.json"
    # Only the number is read: nothing else of a newer format can be relied on.
    path.write_text('{"format": 3}')
    with pytest.raises(StorageError, match="format: 3 was written by a newer unknot") as caught:
        read_lock(path)
    assert caught.value.hint == "upgrade unknot"


def test_a_missing_file_asks_for_a_detection(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no such file") as caught:
        read_lock(tmp_path / "unknot.lock.json")
    assert caught.value.hint == "run unknot detect first"


def test_a_directory_is_no_lock_file(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot read") as caught:
        read_lock(tmp_path)
    assert caught.value.hint


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["format", "suite", "tests", "needs", "x"]), inner, max_size=4)
        ),
        max_leaves=8,
    )
)
def test_no_document_makes_reading_fail_in_another_way(document: object) -> None:
    with pytest.raises(Fault):
        from_json(document)
