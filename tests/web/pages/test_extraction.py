"""Navigation graphs of hand-written page objects."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from unknot.model.errors import UsageError
from unknot.model.navigation_graph import NavigationGraph, Transition
from unknot.web.pages.extraction import extract_navigation_graph

DATA = Path(__file__).parents[2] / "data"
EXAMPLES = Path(__file__).parents[3] / "examples"

HEAD = """
class Home:
    def __init__(self, page):
        self.page = page
"""


def graph_of(*parts: str, start: str = "") -> NavigationGraph:
    return extract_navigation_graph({"pages.py": "\n".join(parts)}, start).graph


def ends(graph: NavigationGraph) -> list[tuple[str, str, str]]:
    return [(each.action, each.source, each.target) for each in graph.transitions]


def only(graph: NavigationGraph) -> Transition:
    (transition,) = graph.transitions
    return transition


def read(directory: Path) -> dict[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(directory.glob("*.py"))}


def test_the_running_example_of_the_thesis_has_its_pages_edges_and_guards() -> None:
    """Fig. 4.4, whole: the 38 edges of the study's own page objects (Table 4.7), told again in Python."""
    published = json.loads((DATA / "navigation-graphs" / "phoenix.json").read_text(encoding="utf-8"))["manual"]

    graph = extract_navigation_graph(read(DATA / "page-objects" / "trello"), published["start"]).graph

    def in_python(name: str) -> str:
        return re.sub("(?<=[a-z])([A-Z])", r"_\1", name).lower()

    assert graph.start == published["start"]
    assert sorted(graph.pages) == sorted(published["pages"])
    assert Counter(
        (each.action, each.source, each.target, tuple(part.name for part in each.parameters), bool(each.guard))
        for each in graph.transitions
    ) == Counter(
        (
            in_python(edge["method"]),
            edge["source"],
            edge["target"],
            tuple(in_python(part["name"]) for part in edge["parameters"]),
            edge["guarded"],
        )
        for edge in published["edges"]
    )


def test_the_guard_of_fig_4_5_is_the_condition_of_the_branch_that_does_not_raise() -> None:
    graph = extract_navigation_graph(read(DATA / "page-objects" / "trello")).graph
    (chosen,) = (each for each in graph.transitions if each.action == "go_to_board_clicking_on_it")
    assert chosen.guard == "board_name in self.names"


def test_page_objects_whose_methods_return_nothing_stay_on_their_page() -> None:
    extracted = extract_navigation_graph(read(EXAMPLES / "webapp" / "playwright_suite" / "pages"))

    assert extracted.stays
    assert ("add", "BooksPage", "BooksPage") in ends(extracted.graph)
    assert "Frame" not in extracted.graph.pages
    guards = {each.guard for each in extracted.graph.transitions if each.source == "RegistrationPage"}
    assert guards == {"not self.problem"}


@pytest.mark.parametrize("annotation", ["Home | Bills", "'Home | Bills'", "Union[Home, Bills]", "'Union[Home, Bills]'"])
def test_a_union_leads_to_each_of_its_pages(annotation: str) -> None:
    graph = graph_of(
        HEAD, f"    def log_in(self) -> {annotation}:", "        return act(self)", HEAD.replace("Home", "Bills")
    )
    assert ends(graph) == [("log_in", "Home", "Home"), ("log_in", "Home", "Bills")]


@pytest.mark.parametrize(
    "body",
    [
        "        return self",
        "        return type(self)(self.page)",
        "        return self.__class__(self.page)",
        "        return cast(Home, act())",
        "        return cast('Home', act())",
        "        after = Home(self.page)\n        return after",
        "        return Home(self.page) if act() else self._again()\n    def _again(self) -> 'Home': ...",
    ],
)
def test_what_is_returned_says_which_page_follows(body: str) -> None:
    assert set(ends(graph_of(HEAD, "    def renew(self):", body))) == {("renew", "Home", "Home")}


def test_two_returns_are_two_transitions_each_with_its_condition() -> None:
    graph = graph_of(
        HEAD,
        """
    def invite(self, email: str):
        self.page.fill(email)
        if self.problem:
            return self
        return Home(self.page)
""",
    )
    assert [each.condition for each in graph.transitions] == ["self.problem", "not self.problem"]


def test_a_check_after_the_last_action_is_no_guard() -> None:
    graph = graph_of(
        HEAD,
        """
    def add(self, name: str) -> "Home":
        assert name
        self.page.fill(name)
        assert self.notice
        expect(self.page).to_have_title(name)
        return self
""",
    )
    assert only(graph).guard == "name"


def test_a_decorator_states_a_guard() -> None:
    graph = graph_of(
        HEAD,
        """
    @requires(lambda self, name: name in self.names)
    @requires("the list is open")
    def remove(self, name: str) -> "Home":
        return self
""",
    )
    assert only(graph).guard == "name in self.names and the list is open"


def test_small_types_have_their_values() -> None:
    graph = graph_of(
        "class Role(Enum):\n    READER = 'reader'\n    ADMIN = 'admin'",
        HEAD,
        "    def give(self, role: Role, state: Literal['on', 'off']) -> Home:\n        return self",
    )
    assert [part.values for part in only(graph).parameters] == [("reader", "admin"), ("on", "off")]


def test_actions_of_a_component_are_actions_of_the_pages_that_have_it() -> None:
    graph = graph_of(
        "class Menu:\n    def __init__(self, page): ...",
        "    def go_to_bills(self) -> 'Bills':\n        return Bills(self.page)",
        "    def unfold(self) -> 'Menu':\n        return self",
        HEAD,
        "        self.menu = Menu(page)",
        "class Bills(Home): ...",
    )
    assert graph.pages == ("Bills",)
    assert ends(graph) == [("menu.go_to_bills", "Bills", "Bills"), ("menu.unfold", "Bills", "Bills")]


def test_inherited_actions_belong_to_each_subclass() -> None:
    graph = graph_of(
        HEAD,
        "    def log_out(self) -> 'Front':\n        return Front(self.page)",
        "class Bills(Home): ...",
        HEAD.replace("Home", "Front"),
    )
    assert ends(graph) == [("log_out", "Bills", "Front")]


def test_a_start_is_what_no_other_page_leads_to() -> None:
    graph = graph_of(
        HEAD.replace("Home", "Bills"),
        HEAD,
        "    def go(self) -> Bills:\n        return Bills(self.page)",
    )
    assert graph.start == "Home"
    assert graph.reachable() == {"Home", "Bills"}


def test_methods_that_call_each_other_come_to_an_end() -> None:
    graph = graph_of(
        HEAD,
        "    def one(self) -> 'Home':\n        return self.two()",
        "    def two(self) -> 'Home':\n        return self.one()",
    )
    assert {action for action, _, _ in ends(graph)} == {"one", "two"}


@pytest.mark.parametrize(
    ("text", "start", "slug"),
    [
        ("def helper(): ...", "", "pages-none"),
        ("class Broken(:", "", "pages-not-python"),
        ("x = '\0'", "", "pages-not-python"),
        (HEAD, "Cart", "pages-no-start"),
    ],
)
def test_files_that_do_not_do_are_named(text: str, start: str, slug: str) -> None:
    with pytest.raises(UsageError) as error:
        graph_of(text, start=start)
    assert error.value.slug == slug
