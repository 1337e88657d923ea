"""What holds for every generator on every simulated application."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from web.generate.sites import sites

from unknot.model.navigation_graph import NavigationGraph
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.generate.archive import Archive
from unknot.web.generate.atusa import Atusa
from unknot.web.generate.call import CallOutcome, ExecutedPath, is_well_formed
from unknot.web.generate.dig import Dig
from unknot.web.generate.execution import PathExecution
from unknot.web.generate.generator import SuiteGenerator
from unknot.web.generate.live import LiveGenerator
from unknot.web.generate.observing import Observing
from unknot.web.generate.subweb import Subweb
from unknot.web.generate.subweb_mosa import SubwebMosa
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.site import Site

PLANNERS: dict[str, Callable[[NavigationGraph, int], SuiteGenerator]] = {
    "atusa": Atusa,
    "subweb": Subweb,
    "subweb-mosa": SubwebMosa,
    "dig-s": Dig,
    "dig-si": lambda graph, seed: Dig(graph, seed, with_inputs=True),
    "longest": lambda graph, seed: Dig(graph, seed, candidates=5, by_length=True),
}
GENERATORS: dict[str, Callable[[NavigationGraph, int], SuiteGenerator]] = {
    **PLANNERS,
    "random-walk": lambda _, seed: LiveGenerator(RandomWalk(seed)),
    "observing": lambda _, seed: LiveGenerator(Observing(seed)),
    "observing, all off": lambda _, seed: LiveGenerator(
        Observing(seed, reuse_values=False, restore=False, patience=False)
    ),
}
BUDGET = 60
RESET = 3
SEEDS = st.integers(0, 1000)


def run(site: type[Site], name: str, seed: int) -> tuple[SimulatedApplication, list[ExecutedPath]]:
    application, graph = SimulatedApplication(site), site.navigation_graph()
    execution = PathExecution(
        application, PageReader(KindByTitle()), graph, lambda: application.seconds < BUDGET, is_strict=False
    )
    return application, list(GENERATORS[name](graph, seed).generate(execution))


@pytest.mark.parametrize("name", GENERATORS)
@given(sites(), SEEDS)
@settings(max_examples=25)
def test_what_worked_is_a_path_of_the_graph_and_what_the_application_did(
    name: str, site: type[Site], seed: int
) -> None:
    application, tests = run(site, name, seed)
    graph = site.navigation_graph()
    for test in tests:
        assert is_well_formed(test.without_failures(), graph.start)
        assert is_well_formed(test.feasible_prefix(), graph.start)
    taken = {each for test in tests for each in test.taken()}
    assert taken == set(application.taken)
    assert taken <= set(graph.transitions)


@pytest.mark.parametrize("name", GENERATORS)
@given(sites(), SEEDS)
@settings(max_examples=15)
def test_the_same_seed_leads_to_the_same_tests(name: str, site: type[Site], seed: int) -> None:
    assert run(site, name, seed)[1] == run(site, name, seed)[1]


@pytest.mark.parametrize("name", PLANNERS)
@given(sites(), SEEDS)
@settings(max_examples=25)
def test_plans_are_paths_of_the_graph_with_a_value_for_each_parameter(name: str, site: type[Site], seed: int) -> None:
    graph = site.navigation_graph()
    for test in run(site, name, seed)[1]:
        plan = [each.planned for each in test.calls]
        assert is_well_formed(plan, graph.start)
        assert {each.transition for each in plan} <= set(graph.transitions)
        for call in plan:
            assert [name for name, _ in call.values] == [each.name for each in call.transition.parameters]
            assert all(
                value in each.values for (_, value), each in zip(call.values, call.transition.parameters, strict=True)
            )


@pytest.mark.parametrize("name", GENERATORS)
@given(sites(), SEEDS)
@settings(max_examples=15)
def test_what_it_costs_is_what_was_tried(name: str, site: type[Site], seed: int) -> None:
    application, tests = run(site, name, seed)
    tried = sum(each.outcome is not CallOutcome.NOT_POSSIBLE for test in tests for each in test.calls)
    assert application.seconds == RESET * len(tests) + tried
    assert application.seconds < BUDGET + RESET


@pytest.mark.parametrize("name", GENERATORS)
@given(sites(), SEEDS)
@settings(max_examples=15)
def test_the_tests_that_are_kept_take_all_that_was_taken_and_work_when_they_run_again(
    name: str, site: type[Site], seed: int
) -> None:
    """A test without its failed calls does what it did, since a call that fails changes nothing."""
    application, tests = run(site, name, seed)
    archive = Archive()
    for test in tests:
        archive.add(test)
    again = SimulatedApplication(site)
    execution = PathExecution(again, PageReader(KindByTitle()), site.navigation_graph(), lambda: True, is_strict=True)
    for path in archive.tests():
        repeated = execution.run(path)
        assert repeated.feasible_prefix() == path
        assert not repeated.diverged
    assert set(again.taken) == set(application.taken)
