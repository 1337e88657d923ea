"""What changes on a page although nothing has happened."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.web.element import Element
from unknot.model.web.stars import matches_by_words
from unknot.web.crawl.actions import actions_of
from unknot.web.crawl.page_kinds.noise import Noise, noise_of, pattern_of


def page(*parts: Element) -> Element:
    return Element("document", children=parts)


def button(name: str, number: int) -> Element:
    return Element("button", name, attributes=(("id", f"ember{number}"), ("class", "big")))


def test_equal_twins_have_no_noise() -> None:
    assert noise_of(page(button("Save", 1)), page(button("Save", 1))) == Noise()


def test_a_generated_id_is_noise_on_other_pages_too() -> None:
    noise = noise_of(page(button("Save", 17)), page(button("Save", 203)))
    one, other = (noise.without(page(button("Open", number))) for number in (5, 6))
    assert one == other
    assert one.children[0].attribute("class") == "big"


def test_a_clock_is_noise_at_another_hour() -> None:
    def at(time: str) -> Element:
        return page(Element("heading", f"It is {time}"))

    noise = noise_of(at("12:59:58"), at("12:59:59"))
    assert noise.without(at("13:00:07")) == noise.without(at("12:59:58"))
    assert noise.without(page(Element("heading", "Settings"))) == page(Element("heading", "Settings"))


def test_a_message_that_is_shown_once_is_noise_and_the_button_beside_it_is_not() -> None:
    message, close = Element("status", children=(Element("text", text="Saved 3 books"),)), Element("button", "Close")
    noise = noise_of(page(message, close, button("Save", 1)), page(button("Save", 1)))
    assert noise.without(page(message, button("Save", 1))) == page(button("Save", 1))
    assert noise.without(page(close)) == page(close)


def test_a_clock_beside_a_message_is_noise() -> None:
    def at(time: str, *message: Element) -> Element:
        return page(Element("heading", f"It is {time}"), *message, button("Save", 1))

    noise = noise_of(at("half past one", Element("status", "Saved")), at("quarter to two"))
    assert noise.without(at("half past one")) == noise.without(at("quarter to two", Element("status", "Saved")))


def test_another_order_is_no_noise() -> None:
    rows = [Element("row", name) for name in ("Ada", "Bob", "Eve")]
    assert noise_of(page(*rows), page(*reversed(rows))) == Noise()


def test_what_changes_is_not_used_to_find_an_element() -> None:
    def icons(first: int) -> Element:
        return page(*(Element("button", attributes=(("id", f"x{first + each}"), ("title", "Menu"))) for each in (0, 1)))

    noise = noise_of(icons(10), icons(20))
    found = [action.locators[0].find(icons(30)) for action in actions_of(noise.stable(icons(10)))]
    assert found == [[each] for each in icons(30).children]


def test_values_that_have_nothing_in_common_are_one_star() -> None:
    assert pattern_of("9f0eff0c", "30265f9d") == "*"
    assert pattern_of("one two three", "four") == "*"


words = st.text("ab1: -", max_size=12)
elements = st.recursive(
    st.builds(Element, st.sampled_from(["button", "text", "heading"]), words),
    lambda below: st.builds(
        lambda role, name, children: Element(role, name, children=tuple(children)),
        st.sampled_from(["list", "main"]),
        words,
        st.lists(below, max_size=3),
    ),
    max_leaves=8,
)


def in_any_order(element: Element) -> Element:
    return replace(element, children=tuple(sorted(map(in_any_order, element.children), key=repr)))


@given(elements, elements)
def test_twins_with_the_same_elements_are_equal_without_their_noise(one: Element, other: Element) -> None:
    def renamed(element: Element, twin: Element) -> Element:
        """With the names of the other one, where both have one."""
        children = [*map(renamed, element.children, twin.children), *element.children[len(twin.children) :]]
        name = twin.name if element.name and twin.name else element.name
        return Element(element.role, name, children=tuple(children))

    twin = renamed(one, other)
    noise = noise_of(one, twin)
    assert in_any_order(noise.stable(one)) == in_any_order(noise.stable(twin))


@given(elements)
def test_a_tree_is_as_it_was_without_noise(root: Element) -> None:
    assert Noise().without(root) == root == Noise().stable(root)


def test_a_text_of_many_words_that_all_changed_is_read_to_its_end() -> None:
    one, other = (" ".join(f"{word}{number}" for number in range(150)) for word in ("one", "two"))
    assert matches_by_words(pattern_of(one, other), one)
    noise = noise_of(page(Element("heading", one)), page(Element("heading", other)))
    assert noise.without(page(Element("heading", one))) == noise.without(page(Element("heading", other)))


def test_a_long_text_that_changed_is_one_star() -> None:
    assert pattern_of("a " * 30_000, "a " * 29_999 + "b b") == "*"
