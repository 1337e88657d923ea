"""Writing page objects and reading them again gives the navigation graph that they were written from."""

import re
from dataclasses import replace

from hypothesis import given, settings
from web.pages.model_strategies import LARGE, web_models

from unknot.model.navigation_graph import Transition
from unknot.model.web.action import Action
from unknot.model.web.locator import Locator
from unknot.model.web.web_model import Component, Destination, PageAction, WebModel, WebPage
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.model_builder import ModelBuilder
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.pages.extraction import extract_navigation_graph
from unknot.web.pages.writing.page_names import component_key
from unknot.web.pages.writing.written import WrittenPages, written_pages
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.trello import Trello

Edge = tuple[str, str, str, str]
"""Method, class of the page, class of the page that follows, guard."""


def expected(model: WebModel, written: WrittenPages) -> set[Edge]:
    """The graph of the model, with the names of the classes and methods. An action without a method has to be one that
    a person could not write a locator for."""
    plan = written.plan
    edges: set[Edge] = set()
    for page in model.pages:
        source = plan.class_of[page.kind]
        places = [("", page.kind, page.actions)]
        for component in model.components:
            if component.name in page.components:
                attribute = plan.attribute_of[source, component.name]
                places.append((f"{attribute}.", component_key(component), component.actions))
        for prefix, place, actions in places:
            for each in actions:
                method = plan.method_of.get((place, each.action.key))
                for destination in each.destinations if method else ():
                    target = source if destination.stays else plan.class_of[destination.kind]
                    edges.add((f"{prefix}{method}", source, target, each.guard.text if each.guard else ""))
    return edges


def extracted(written: WrittenPages, start: str) -> set[Edge]:
    graph = extract_navigation_graph({**written.own, **written.generated}, start).graph
    assert set(graph.pages) == set(written.plan.class_of.values())
    assert graph.start == start
    return {(each.action, each.source, each.target, each.guard) for each in graph.transitions}


@settings(max_examples=100, deadline=None, suppress_health_check=LARGE)
@given(web_models())
def test_the_graph_of_written_page_objects_is_that_of_the_model(model: WebModel) -> None:
    written = written_pages(model)
    start = written.plan.class_of[model.start]
    assert extracted(written, start) == expected(model, written)


def test_a_page_and_a_component_of_one_name_keep_their_actions_apart() -> None:
    action = Action("key", "Save", "Save", (Locator("button", "Save"),))
    stays = (Destination("Books"),)
    unusable = PageAction(replace(action, locators=()), 1, 1, stays)
    component = Component("Books", "navigation", (PageAction(action, 1, 1, stays),), ("Books",))
    page = WebPage("Books", "Books", "/", "/", 1, ("Books",), (unusable,), ("Books",))
    model = WebModel("Books", (page,), (component,))
    written = written_pages(model)
    assert extracted(written, "BooksPage") == expected(model, written)
    assert len(expected(model, written)) == 1


def crawled(steps: int) -> WebModel:
    """What a crawl of the simulated Trello finds."""
    builder = ModelBuilder()
    application = SimulatedApplication(Trello)
    left = iter(range(steps))
    for step in crawl(application, PromisingFirst(0), PageReader(KindByTitle()), lambda: next(left, None) is not None):
        builder.add(step)
    return builder.model()


def test_the_simulated_trello_keeps_its_graph() -> None:
    model = crawled(600)
    written = written_pages(model)
    graph = extract_navigation_graph({**written.own, **written.generated}, written.plan.class_of[model.start]).graph
    assert len(model.graph().transitions) > 30
    assert extracted(written, graph.start) == expected(model, written)
    # Every action of Trello has a method, with the same parameters; "add new board" adds a board.
    names = written.plan.class_of
    wanted = {
        (re.sub("^add_new_", "add_", each.action), parameters(each), names[each.source])
        for each in model.graph().transitions
    }
    assert {(each.action, parameters(each), each.source) for each in graph.transitions} == wanted


def parameters(transition: Transition) -> tuple[str, ...]:
    return tuple(each.name for each in transition.parameters)
