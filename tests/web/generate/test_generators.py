"""Every generator on simulated applications."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.navigation_graph import NavigationGraph, Parameter, Transition
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.generate.archive import Archive
from unknot.web.generate.atusa import Atusa
from unknot.web.generate.call import CallOutcome, ExecutedCall, ExecutedPath, Path, PlannedCall, is_well_formed
from unknot.web.generate.dig import Dig
from unknot.web.generate.execution import PathExecution
from unknot.web.generate.generator import SuiteGenerator
from unknot.web.generate.live import LiveGenerator
from unknot.web.generate.observing import Observing
from unknot.web.generate.subweb import Subweb
from unknot.web.generate.subweb_mosa import SubwebMosa
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.site import Site, action, link

TEXTS = ("milk", "eggs")
ADD = Transition("add", "Notes", "Notes", (Parameter("text", values=TEXTS),))
SHOW = Transition("show", "Notes", "Note", (Parameter("text", values=TEXTS),))
BACK = Transition("back", "Note", "Notes")
GRAPH = NavigationGraph("Notes", ("Notes", "Note"), (ADD, SHOW, BACK))

GENERATORS: dict[str, Callable[[int], SuiteGenerator]] = {
    "random-walk": lambda seed: LiveGenerator(RandomWalk(seed)),
    "atusa": lambda seed: Atusa(GRAPH, seed),
    "subweb": lambda seed: Subweb(GRAPH, seed),
    "subweb-mosa": lambda seed: SubwebMosa(GRAPH, seed),
    "dig-s": lambda seed: Dig(GRAPH, seed),
    "dig-si": lambda seed: Dig(GRAPH, seed, with_inputs=True),
    "observing": lambda seed: LiveGenerator(Observing(seed)),
}


class Notes(Site):
    start = "Notes"

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = []

    @action("Notes", text=TEXTS)
    def add(self, text: str) -> None:
        self.notes.append(text)

    @action("Notes", to="Note", guard="the note is there", text=TEXTS)
    def show(self, text: str) -> None:
        self.require(text in self.notes, "there is no such note")

    back = link("Note", to="Notes")

    def in_view(self) -> dict[str, list[str]]:
        return {"notes": self.notes}


def run(name: str, seed: int, seconds: float = 400.0, *, is_strict: bool = False) -> list[ExecutedPath]:
    application = SimulatedApplication(Notes)
    reader = PageReader(KindByTitle())
    execution = PathExecution(application, reader, GRAPH, lambda: application.seconds < seconds, is_strict=is_strict)
    return list(GENERATORS[name](seed).generate(execution))


@pytest.mark.parametrize("name", [name for name in GENERATORS if name != "atusa"])
def test_takes_every_transition_of_a_small_application(name: str) -> None:
    tests = run(name, 1)
    assert {(each.action, each.target) for test in tests for each in test.taken()} == {
        ("add", "Notes"),
        ("show", "Note"),
        ("back", "Notes"),
    }


def test_atusa_diverges_where_a_guard_does_not_hold() -> None:
    tests = run("atusa", 1)
    assert {each.action for test in tests for each in test.taken()} == {"add"}
    assert all(test.diverged for test in tests if len(test.calls) > 1 or test.calls[0].planned.transition != ADD)


@pytest.mark.parametrize("name", GENERATORS)
def test_is_deterministic(name: str) -> None:
    assert run(name, 3, 120) == run(name, 3, 120)


@pytest.mark.parametrize("name", GENERATORS)
def test_what_worked_is_a_path_of_the_graph(name: str) -> None:
    for test in run(name, 2, 120):
        assert is_well_formed(test.without_failures(), GRAPH.start)
        assert is_well_formed(test.feasible_prefix(), GRAPH.start)


@pytest.mark.parametrize("name", GENERATORS)
def test_a_strict_test_ends_where_it_diverges(name: str) -> None:
    for test in run(name, 2, 120, is_strict=True):
        if name not in ("random-walk", "observing"):
            assert not any(call.diverged for call in test.calls[:-1])


def test_a_graph_without_transitions_gives_no_tests() -> None:
    nothing = NavigationGraph("Notes", ("Notes",), ())
    execution = PathExecution(SimulatedApplication(Notes), PageReader(KindByTitle()), nothing, lambda: True)
    for make in (Atusa, Subweb, SubwebMosa, Dig):
        assert list(make(nothing, 0).generate(execution)) == []


def test_a_genetic_search_ends_when_all_paths_have_run() -> None:
    class Cellar(Site):
        start = "Hall"
        down = link("Hall", to="Cellar")

    execution = PathExecution(
        SimulatedApplication(Cellar), PageReader(KindByTitle()), Cellar.navigation_graph(), lambda: True
    )
    (test,) = Subweb(Cellar.navigation_graph(), 0).generate(execution)
    assert [each.action for each in test.taken()] == ["down"]


def test_a_call_on_another_page_costs_nothing() -> None:
    application = SimulatedApplication(Notes)
    execution = PathExecution(application, PageReader(KindByTitle()), GRAPH, lambda: True)
    test = execution.run((PlannedCall(BACK),))
    cost_of_reset = application.seconds
    assert [each.outcome for each in test.calls] == [CallOutcome.NOT_POSSIBLE]
    execution.run((PlannedCall(ADD, (("text", "milk"),)),))
    assert application.seconds == 2 * cost_of_reset + 1


@given(st.lists(st.lists(st.sampled_from((ADD, SHOW, BACK)), max_size=5), max_size=6))
def test_the_archive_keeps_the_shortest_test_for_each_transition(tests: list[list[Transition]]) -> None:
    archive = Archive()
    paths: list[Path] = [tuple(map(PlannedCall, test)) for test in tests]
    for path in paths:
        calls = tuple(ExecutedCall(call, CallOutcome.WORKED, call.transition.source, call.transition) for call in path)
        archive.add(ExecutedPath(calls))
    kept = archive.tests()
    for wanted in (ADD, SHOW, BACK):
        places = [[call.transition for call in path].index(wanted) for path in paths if PlannedCall(wanted) in path]
        assert archive.covers(wanted) == bool(places)
        if places:
            assert any(path[: min(places) + 1][-1:] == (PlannedCall(wanted),) for path in kept)
    assert not any(one != other and other[: len(one)] == one for one in kept for other in kept)
