"""The state abstractions of Crawljax."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.web.element import Element
from unknot.web.application.observation import Observation
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.kinds import PageKinds
from unknot.web.crawl.page_kinds.documents import TagTree, document_text, tag_tree
from unknot.web.crawl.page_kinds.dom_kinds import ExactDom, LevenshteinDom, TreeEditDom
from unknot.web.crawl.page_kinds.tree_distance import OrderedTree, is_within, tree_distance
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.trello import Trello


def document(body: str) -> Observation:
    return Observation("http://localhost/page", "Page", Element("document"), html=f"<html><body>{body}</body></html>")


def labels(tree: TagTree) -> list[str]:
    return [each.label for each in tree.walk()]


def test_scripts_and_white_space_are_left_out_of_documents() -> None:
    seen = document("<p>one\n   two<br></p><script>if (1 < 2) {}</script><img src=x><b>three</b>")
    assert document_text(seen) == '<html><body><p>one two<br></p><img src="x"><b>three</b></body></html>'
    assert labels(tag_tree(seen)) == ["body", "p", "br", "img", "b"]


def test_without_a_document_the_elements_in_view_are_compared() -> None:
    root = Element("document", children=(Element("heading", "<Books>", tag="h1"),))
    assert document_text(Observation("http://localhost/", "", root)) == "<body><h1><Books></h1></body>"


@pytest.mark.parametrize(
    ("kinds", "same", "other"),
    [
        (ExactDom(), "<p>one two</p>", "<p>one  twO</p>"),
        (LevenshteinDom(), f"<p>{'x' * 100}y</p>", f"<p>{'z' * 100}</p>"),
        (TreeEditDom(), "<b>1</b>" * 9 + "<i></i>", "<b>1</b>" * 7),
    ],
)
def test_documents_are_compared_with_the_first_of_each_kind(kinds: PageKinds, same: str, other: str) -> None:
    first = {ExactDom: "<p>one   two</p>", LevenshteinDom: f"<p>{'x' * 100}</p>", TreeEditDom: "<b>2</b>" * 10}[
        type(kinds)
    ]
    assert kinds.kind_of(document(first)) == "/page"
    assert kinds.kind_of(document(same)) == "/page"
    assert kinds.kind_of(document(other)) == "/page (2)"
    assert kinds.kind_of(document(other)) == "/page (2)"


@pytest.mark.parametrize("make", [ExactDom, LevenshteinDom, TreeEditDom])
def test_a_crawl_can_use_them(make: type[PageKinds]) -> None:
    application = SimulatedApplication(Trello)
    steps = list(crawl(application, PromisingFirst(0), PageReader(make()), lambda: application.seconds < 60))
    assert len({step.after.kind for step in steps}) > 1


trees = st.recursive(
    st.builds(TagTree, st.sampled_from("abc")),
    lambda below: st.builds(TagTree, st.sampled_from("abc"), st.lists(below, max_size=3)),
    max_leaves=5,
)


@given(trees, trees)
def test_the_tree_distance_is_that_of_its_definition(one: TagTree, other: TagTree) -> None:
    expected = by_definition((frozen(one),), (frozen(other),))
    left, right = OrderedTree(one), OrderedTree(other)
    assert tree_distance(left, right) == expected
    for most in range(6):
        assert is_within(left, right, most) == (expected <= most)


_Frozen = tuple[str, tuple["_Frozen", ...]]


def frozen(tree: TagTree) -> _Frozen:
    return tree.label, tuple(map(frozen, tree.children))


@cache
def by_definition(one: tuple[_Frozen, ...], other: tuple[_Frozen, ...]) -> int:
    """Of two forests: the last root is deleted, inserted, or becomes the other one."""
    if not one or not other:
        return sum(map(size, one)) + sum(map(size, other))
    (label, below), (twin, below_twin) = one[-1], other[-1]
    return min(
        by_definition(one[:-1] + below, other) + 1,
        by_definition(one, other[:-1] + below_twin) + 1,
        by_definition(one[:-1], other[:-1]) + by_definition(below, below_twin) + (label != twin),
    )


def size(tree: _Frozen) -> int:
    return 1 + sum(map(size, tree[1]))
