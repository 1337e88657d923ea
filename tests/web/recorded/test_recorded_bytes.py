"""What is recorded of a crawl comes back as it was."""

import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.web.action import Action, FormField
from unknot.model.web.element import Element
from unknot.model.web.locator import Locator
from unknot.web.application.observation import EventKind, Observation, PageEvent
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.recorded.observation_bytes import DamagedObservation, decode_observation, encode_observation
from unknot.web.recorded.step_text import DamagedStep, decode_step, encode_step

# Half characters too: scripts put them into texts.
texts = st.text(st.characters(exclude_categories=()), max_size=8)
pairs = st.tuples(texts, texts)


def elements(children: st.SearchStrategy[tuple[Element, ...]]) -> st.SearchStrategy[Element]:
    return st.builds(
        Element,
        texts,
        name=texts,
        tag=texts,
        text=texts,
        value=texts,
        attributes=st.lists(pairs, max_size=2).map(tuple),
        options=st.lists(texts, max_size=2).map(tuple),
        states=st.frozensets(texts, max_size=2),
        children=children,
    )


trees = st.recursive(
    elements(st.just(())), lambda inner: elements(st.lists(inner, max_size=3).map(tuple)), max_leaves=12
)
observations = st.builds(
    Observation,
    texts,
    texts,
    trees,
    st.lists(st.builds(PageEvent, st.sampled_from(EventKind), texts), max_size=3).map(tuple),
    refusal=texts,
    is_restless=st.booleans(),
    seconds=st.floats(0, 1e6),
    is_lost=st.booleans(),
    again=st.none() | trees,
)
locators = st.recursive(
    st.builds(Locator, texts, texts, st.none() | pairs, texts, st.none(), st.none() | st.integers(0, 9)),
    lambda inner: st.builds(Locator, texts, texts, st.none() | pairs, texts, inner, st.none() | st.integers(0, 9)),
    max_leaves=3,
)
chains = st.lists(locators, max_size=2).map(tuple)
fields = st.builds(
    FormField,
    texts,
    chains,
    role=texts,
    options=st.lists(texts, max_size=2).map(tuple),
    required=st.booleans(),
    constraints=st.lists(pairs, max_size=2).map(tuple),
    value=texts,
)
actions = st.builds(
    Action,
    texts,
    texts,
    texts,
    chains,
    fields=st.lists(fields, max_size=2).map(tuple),
    href=texts,
    writes=st.booleans(),
    is_shared=st.booleans(),
)
steps = st.builds(ChosenStep, actions, st.lists(pairs, max_size=2).map(tuple))


@given(observations)
def test_an_observation_comes_back_as_it_was(observation: Observation) -> None:
    assert decode_observation(encode_observation(observation)) == observation


@given(steps)
def test_a_step_comes_back_as_it_was(step: ChosenStep) -> None:
    assert decode_step(encode_step(step)) == step


def test_a_page_that_is_nested_deeply_comes_back() -> None:
    root = Element("button", "Deep")
    for _ in range(5000):
        root = Element("group", children=(root,))
    again = decode_observation(encode_observation(Observation("http://a/", "", root)))
    assert [each.role for each in again.root.walk()] == [each.role for each in root.walk()]


@given(observations, st.integers(0, 10_000), st.integers(1, 255))
def test_a_changed_byte_is_noticed_or_changes_nothing(observation: Observation, place: int, change: int) -> None:
    data = bytearray(encode_observation(observation))
    data[place % len(data)] ^= change
    try:
        again = decode_observation(bytes(data))
    except DamagedObservation:
        return
    assert again == observation


def test_an_observation_of_other_members_is_damaged() -> None:
    for member in ({"events": 1}, {"coverage": [1]}, {"coverage": {"server": 1, "client": 1}}, {"elements": [[1]]}):
        document = {**json.loads(zlib.decompress(encode_observation(Observation("", "", Element("a"))))), **member}
        with pytest.raises(DamagedObservation):
            decode_observation(zlib.compress(json.dumps(document).encode()))


@pytest.mark.parametrize("attribute", [[], ["id"], ["id", "a", "b"], "id", 1])
def test_a_locator_with_another_attribute_is_damaged(attribute: object) -> None:
    document = json.loads(encode_step(ChosenStep(Action("a", "a", "a", (Locator("button"),)))))
    document["action"]["locators"][0]["within"] = {"attribute": attribute}
    with pytest.raises(DamagedStep, match=r"within\.attribute"):
        decode_step(json.dumps(document))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"action": 1, "values": []}', "{"])
def test_other_text_is_no_step(text: str) -> None:
    with pytest.raises(DamagedStep):
        decode_step(text)
