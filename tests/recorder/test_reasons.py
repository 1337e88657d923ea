"""The location that explains an edge, and the sentence for it."""

from dataclasses import replace

from told_recording import read, told, wrote

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import REMOVED, Location, Recording
from unknot.model.suite import Suite, TestId
from unknot.recorder.reasons import best_of_each, reasons_for_conflict, reasons_for_need, with_reasons
from unknot.report.reasons import NOTHING_RECORDED, sentence, sentences

ADD, MORE, TOTAL, CLEAN = (TestId(f"test_cart.py::test_{name}") for name in ("add", "more", "total", "clean"))
TESTS = (ADD, MORE, CLEAN, TOTAL)
CART = "shop.cart.CART"
NO_PROOF = Proof((), ())


def names(reasons: tuple[Reason, ...]) -> list[str]:
    return [reason.location.name for reason in reasons]


def test_the_sentence_of_a_need() -> None:
    recording = told(
        TESTS,
        [
            wrote(ADD, "memory", CART, "{'alice': …}", "shop/cart.py:41 test_cart.py:12"),
            read(TOTAL, "memory", CART, "shop/cart.py:57"),
        ],
    )
    (reason,) = reasons_for_need(Need(TOTAL, (ADD,), NO_PROOF), recording)
    assert reason.sure
    assert sentence(reason) == (
        "test_add leaves `shop.cart.CART` = {'alice': …} (shop/cart.py:41, called from test_cart.py:12);"
        " test_total reads it (shop/cart.py:57)"
    )


def test_each_of_two_needs_has_its_own_location() -> None:
    recording = told(
        TESTS,
        [
            wrote(ADD, "memory", CART, "[1]"),
            wrote(MORE, "file", "out.txt"),
            read(TOTAL, "memory", CART),
            read(TOTAL, "file", "out.txt"),
        ],
    )
    assert names(reasons_for_need(Need(TOTAL, (ADD,), NO_PROOF), recording)) == [CART]
    assert names(reasons_for_need(Need(TOTAL, (MORE,), NO_PROOF), recording)) == ["out.txt"]


def test_an_alternative_that_another_wrote_over_still_has_its_reason() -> None:
    recording = told(
        TESTS, [wrote(ADD, "memory", CART, "1"), wrote(MORE, "memory", CART, "2"), read(TOTAL, "memory", CART)]
    )
    reasons = reasons_for_need(Need(TOTAL, (ADD, MORE), NO_PROOF), recording)
    assert [(reason.writer, reason.shown) for reason in best_of_each(reasons)] == [(ADD, "1"), (MORE, "2")]


def test_caches_come_last_and_what_is_near_the_failure_first() -> None:
    events = [
        wrote(ADD, "memory", "a.X", "1"),
        wrote(ADD, "memory", "b.Y", "1"),
        read(TOTAL, "memory", "a.X", "a.py:1"),
        read(TOTAL, "memory", "b.Y", "b.py:2"),
    ]
    need = Need(TOTAL, (ADD,), NO_PROOF)
    assert names(reasons_for_need(need, told(TESTS, events))) == ["a.X", "b.Y"]
    assert names(reasons_for_need(need, told(TESTS, events), [("b.py", 2)])) == ["b.Y", "a.X"]
    (cached, *_) = reasons_for_need(need, told(TESTS, events, harmless=True))
    assert not cached.sure


def test_state_of_the_project_comes_before_that_of_libraries() -> None:
    events = [
        wrote(ADD, kind, name, "1")
        for kind, name in (("memory", "sys.modules['x']"), ("directory", "var"), ("file", "var/a"), ("memory", CART))
    ]
    events += [read(TOTAL, event.location.kind, event.location.name) for event in events]
    found = names(reasons_for_need(Need(TOTAL, (ADD,), NO_PROOF), told(TESTS, events)))
    assert found == [CART, "var/a", "sys.modules['x']", "var"]


def test_a_polluter_may_stand_after_its_victim() -> None:
    name = "os.environ['M']"
    recording = told((TOTAL, ADD), [wrote(ADD, "environment", name, "'x'"), read(TOTAL, "environment", name)])
    (reason,) = reasons_for_conflict(Conflict(TOTAL, (ADD,), (), NO_PROOF), recording)
    assert sentence(reason) == "test_add sets `os.environ['M']` to 'x'; test_total reads it"


def test_a_cleaner_points_at_the_location() -> None:
    recording = told(
        TESTS,
        [
            wrote(ADD, "memory", "a.FIRST", "1"),
            wrote(ADD, "memory", "b.SECOND", "1"),
            wrote(CLEAN, "memory", "b.SECOND", "0", restored=True),
            read(TOTAL, "memory", "a.FIRST"),
            read(TOTAL, "memory", "b.SECOND"),
        ],
    )
    first, second = reasons_for_conflict(Conflict(TOTAL, (ADD,), (CLEAN,), NO_PROOF), recording)
    assert (first.location.name, first.cleaner) == ("b.SECOND", CLEAN)
    assert sentence(first).endswith("; test_clean writes it in between")
    assert second.cleaner == ""


def test_a_test_that_restores_a_location_is_no_polluter() -> None:
    recording = told(TESTS, [wrote(ADD, "memory", CART, "[]", restored=True), read(TOTAL, "memory", CART)])
    assert reasons_for_conflict(Conflict(TOTAL, (ADD,), (), NO_PROOF), recording) == ()


def test_reading_the_whole_reads_the_part() -> None:
    recording = told(
        (TOTAL, ADD),
        [
            wrote(ADD, "memory", f"{CART}['a']", "1"),
            wrote(ADD, "memory", f"{CART}ALOGUE", "1"),
            read(TOTAL, "memory", CART, "c.py:3"),
        ],
    )
    (reason,) = reasons_for_conflict(Conflict(TOTAL, (ADD,), (), NO_PROOF), recording)
    assert (reason.location.name, reason.sure) == (f"{CART}['a']", False)
    assert sentence(reason).endswith("test_total reads it (c.py:3)")


def test_reads_that_cannot_be_recorded_are_mentioned() -> None:
    recording = told((TOTAL, ADD), [wrote(ADD, "process", "os.umask()", "0o77")], unseen="the kernel reads it")
    (reason,) = reasons_for_conflict(Conflict(TOTAL, (ADD,), (), NO_PROOF), recording)
    assert sentence(reason) == (
        "test_add changes `os.umask()` to 0o77; whether test_total reads it cannot be recorded (the kernel reads it)"
    )


def test_a_process_may_leave_anything() -> None:
    recording = told(TESTS, [wrote(ADD, "subprocess", "make", "", "test_cart.py:3")])
    (reason,) = reasons_for_need(Need(TOTAL, (ADD,), NO_PROOF), recording)
    assert sentence(reason) == (
        "test_add starts `make` (test_cart.py:3); whether test_total uses what that leaves cannot be recorded"
        " (other processes are not recorded)"
    )


def test_possible_reads_are_left_out_where_a_read_was_recorded() -> None:
    unseen = told(TESTS, [wrote(MORE, "process", "os.umask()", "0o77")], unseen="the kernel reads it")
    seen = told(TESTS, [wrote(ADD, "memory", CART, "[1]"), read(TOTAL, "memory", CART)])
    both = replace(seen, accounts=(*seen.accounts, *unseen.accounts))
    dependencies = Dependencies(Suite(TESTS), {}, {}, needs=(Need(TOTAL, (ADD, MORE), NO_PROOF),))
    (need,) = with_reasons(dependencies, both).needs
    assert sentences(need.why) == ("test_add leaves `shop.cart.CART` = [1]; test_total reads it",)


def test_words_for_other_kinds() -> None:
    def described(kind: str, name: str, shown: str = "") -> str:
        return sentence(Reason(ReasonKind.FLOW, ADD, TOTAL, Location(kind, name), shown))

    assert described("file", "a.txt") == "test_add writes the file `a.txt`; test_total reads it"
    assert described("table", "a.db: table t") == "test_add writes `a.db: table t`; test_total reads it"
    assert described("directory", "var") == "test_add changes the contents of the directory `var`; test_total lists it"
    assert described("port", "127.0.0.1:80") == "test_add uses the port `127.0.0.1:80`; test_total uses it"
    assert described("file", "a.txt", REMOVED) == "test_add removes `a.txt`; test_total reads it"
    assert described("memory", "a.X") == "test_add changes `a.X`; test_total reads it"
    long = described("memory", "a.X", "x" * 500)
    assert len(long) < 200
    assert "…" in long


def test_tests_of_one_name_are_distinguished_by_their_files() -> None:
    one, other = TestId("a.py::test_it"), TestId("b.py::test_it")
    assert (
        sentence(Reason(ReasonKind.FLOW, one, other, Location("memory", "a.X")))
        == "a.py::test_it changes `a.X`; b.py::test_it reads it"
    )


def test_all_edges_get_their_words() -> None:
    recording = told(TESTS, [wrote(ADD, "memory", CART, "1"), read(TOTAL, "memory", CART)])
    dependencies = Dependencies(
        Suite(TESTS),
        dict.fromkeys(TESTS, Outcome.PASSED),
        {},
        needs=(Need(TOTAL, (ADD,), NO_PROOF, why=(Reason(ReasonKind.TEXT, shown="old"),)),),
        conflicts=(Conflict(MORE, (ADD,), (), NO_PROOF),),
    )
    found = with_reasons(dependencies, recording)
    assert sentences(found.needs[0].why) == ("test_add leaves `shop.cart.CART` = 1; test_total reads it",)
    assert sentences(found.conflicts[0].why) == (NOTHING_RECORDED,)
    assert with_reasons(found, recording) == found


def test_restoring_what_another_test_needs_is_the_reason() -> None:
    recording = told(
        (ADD, TOTAL, CLEAN),
        [
            wrote(ADD, "memory", CART, "[1]"),
            read(TOTAL, "memory", CART),
            wrote(CLEAN, "memory", CART, "[]", "test_cart.py:7", restored=True),
        ],
    )
    assert _conflict_sentences(TOTAL, ADD, CLEAN, recording) == (
        "test_clean restores `shop.cart.CART` (test_cart.py:7); test_total needs it as test_add leaves it",
    )


def test_leaving_a_class_in_between_is_a_reason() -> None:
    put, has = TestId("test_box.py::TestBox::test_put"), TestId("test_box.py::TestBox::test_has[a::b]")
    (sentence,) = _conflict_sentences(has, put, TestId("test_box.py::test_other"), told((put, has, ADD), []))
    assert sentence == (
        "no shared state was recorded, but any test from outside test_box.py::TestBox that runs in between makes"
        " pytest set up again what TestBox::test_put changed for TestBox::test_has[a::b]"
    )
    inside = _conflict_sentences(has, put, TestId("test_box.py::TestBox::test_more"), told((put, has, ADD), []))
    assert inside == (NOTHING_RECORDED,)


def test_leaving_a_file_in_between_is_a_reason_only_if_a_fixture_is_shared() -> None:
    elsewhere = TestId("test_other.py::test_it")
    name = "<fixture app of test_cart.py>.items"
    shared = told(TESTS, [wrote(ADD, "memory", name, "[1]"), read(TOTAL, "memory", name)])
    assert (
        "from outside test_cart.py that runs in between makes" in _conflict_sentences(TOTAL, ADD, elsewhere, shared)[0]
    )
    global_one = told(TESTS, [wrote(ADD, "memory", CART, "[1]"), read(TOTAL, "memory", CART)])
    assert _conflict_sentences(TOTAL, ADD, elsewhere, global_one) == (NOTHING_RECORDED,)


def _conflict_sentences(victim: TestId, needed: TestId, polluter: TestId, recording: Recording) -> tuple[str, ...]:
    tests = (needed, victim, polluter)
    needs, conflicts = (Need(victim, (needed,), NO_PROOF),), (Conflict(victim, (polluter,), (), NO_PROOF),)
    dependencies = Dependencies(
        Suite(tests), dict.fromkeys(tests, Outcome.PASSED), {}, needs=needs, conflicts=conflicts
    )
    return sentences(with_reasons(dependencies, recording).conflicts[0].why)
