"""The simulated applications are those of the study, as far as it has published them: its navigation graphs."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from web.simulated.wandering import Wandering

from unknot.model.navigation_graph import Transition
from unknot.web.simulated.dimeshift import Dimeshift
from unknot.web.simulated.pagekit.pagekit import Pagekit
from unknot.web.simulated.site import Site
from unknot.web.simulated.splittypie import Splittypie
from unknot.web.simulated.trello import Trello

PUBLISHED = Path(__file__).parents[2] / "data" / "navigation-graphs"
SITES: dict[str, type[Site]] = {
    "phoenix": Trello,
    "dimeshift": Dimeshift,
    "splittypie": Splittypie,
    "pagekit": Pagekit,
}
NEVER = {
    "pagekit": {
        ("cancel_operation", "DeleteItemPage", "PagesContainerPage"),
        ("confirm_operation", "DeleteItemPage", "PagesContainerPage"),
    }
}
"""Nothing that was published opens this dialog on that page."""


def published(name: str) -> Mapping[str, Any]:
    graph: Mapping[str, Any] = json.loads((PUBLISHED / f"{name}.json").read_text(encoding="utf-8"))["manual"]
    return graph


def snake(name: str) -> str:
    return re.sub("(?<=[a-z])([A-Z])", r"_\1", name).lower()


def ends(transition: Transition) -> tuple[str, str, str]:
    return transition.action, transition.source, transition.target


@pytest.mark.parametrize("name", SITES)
def test_pages_transitions_parameters_and_guards_are_the_published_ones(name: str) -> None:
    graph, own = published(name), SITES[name].navigation_graph()
    assert own.start == graph["start"]
    assert set(own.pages) == set(graph["pages"])
    edges = Counter(
        (
            snake(edge["method"]),
            edge["source"],
            edge["target"],
            frozenset(snake(each["name"]) for each in edge["parameters"]),
            edge["guarded"],
        )
        for edge in graph["edges"]
    )
    assert edges == Counter(
        (*ends(each), frozenset(parameter.name for parameter in each.parameters), bool(each.guard))
        for each in own.transitions
    )


@pytest.mark.parametrize("name", SITES)
def test_parallel_transitions_are_told_apart_and_all_values_are_known(name: str) -> None:
    transitions = SITES[name].navigation_graph().transitions
    assert len({(*ends(each), each.condition) for each in transitions}) == len(transitions)
    assert all(parameter.values for each in transitions for parameter in each.parameters)


@pytest.mark.parametrize("name", SITES)
def test_every_transition_can_be_taken_and_every_guard_can_refuse(name: str) -> None:
    walker = Wandering(SITES[name], seed=1)
    walker.walk(250_000 if name == "pagekit" else 40_000)
    transitions = SITES[name].navigation_graph().transitions
    missing = [each for each in transitions if each not in walker.application.taken]
    assert {ends(each) for each in missing} == NEVER.get(name, set())
    # What decides between several targets is a guard of each of them.
    targets = Counter((each.action, each.source) for each in transitions)
    guarded = {(each.action, each.source) for each in transitions if each.guard}
    assert {each for each in guarded if not walker.refused[each]} <= {each for each in guarded if targets[each] > 1}
    assert set(walker.refused) <= guarded
