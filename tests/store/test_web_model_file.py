"""The file of a model: nothing is lost in it, and nothing that is not right comes out of it."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws
from web_models import MODEL, web_models

from unknot.model.errors import NewerFormatError, StorageError
from unknot.model.web.portable_model import portable
from unknot.model.web.web_model import WebModel
from unknot.store.typed_json import Fault, parsed
from unknot.store.web_model_file import dumps, from_json, read_web_model, write_web_model
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.summary_builder import SummaryBuilder
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.trello import Trello


@given(web_models())
@laws(80)
def test_what_is_written_is_read_again(model: WebModel) -> None:
    again = from_json(parsed(dumps(model)))
    assert again == portable(model)
    assert dumps(again) == dumps(model)


@given(web_models(), st.randoms(use_true_random=False))
@laws(30)
def test_the_sequence_in_which_things_were_found_makes_no_difference(model: WebModel, chance: random.Random) -> None:
    pages, components = list(model.pages), list(model.components)
    chance.shuffle(pages)
    chance.shuffle(components)
    assert dumps(WebModel(model.start, tuple(pages), tuple(components), model.other_origins)) == dumps(model)


@given(web_models())
@laws(30)
def test_the_file_is_printable_ascii_compatible_text_with_short_lines_where_possible(model: WebModel) -> None:
    text = dumps(model)
    assert text.encode("utf-8").decode("utf-8") == text
    assert all(char.isprintable() or char == "\n" for char in text)


def test_the_model_of_a_crawl_can_be_kept() -> None:
    application = SimulatedApplication(Trello)
    found = SummaryBuilder()
    for step in crawl(application, PromisingFirst(0), PageReader(KindByTitle()), lambda: application.seconds < 300):
        found.add(step)
    model = found.summary().model
    again = from_json(parsed(dumps(model)))
    assert again == portable(model)
    assert again.graph().reachable() == model.graph().reachable()


def test_counts_stand_at_the_end_and_an_action_on_a_line_or_a_few(tmp_path: Path) -> None:
    write_web_model(tmp_path / "unknot.web.json", MODEL)
    text = (tmp_path / "unknot.web.json").read_text(encoding="utf-8")
    assert read_web_model(tmp_path / "unknot.web.json") == portable(MODEL)
    before, _, after = text.partition('"counts"')
    assert '\n     "locators": [{"role": "link", "name": "Log out"}],\n' in before
    assert '"tries"' not in before
    assert '"/bills": 30' in after
    more = dumps(_visited_more(MODEL))
    assert more.partition('"counts"')[0] == before
    assert more != text


def _visited_more(model: WebModel) -> WebModel:
    document = json.loads(dumps(model))
    document["counts"]["visits"]["/bills"] += 5
    return from_json(document)


def _with(path: list[Any], value: Any) -> Any:
    """The document of the model with another value there, or without it."""
    document = json.loads(dumps(MODEL))
    holder = document
    for step in path[:-1]:
        holder = holder[step]
    if value is _GONE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return document


_GONE = object()
_PAGE = ["pages", 2]
_ACTION = [*_PAGE, "actions", 0]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (["start"], "/nowhere", "start: there is no page '/nowhere'"),
        (["start"], _GONE, "start: missing"),
        (["pages"], {}, "pages: must be a list, is an object"),
        ([*_PAGE, "kind"], "/bills", "pages[2].kind: '/bills' stands at pages[1] already"),
        ([*_PAGE, "titel"], "", "pages[2].titel: unknown; known here are actions, address, "),
        ([*_PAGE, "visits"], 4, "pages[2].visits: does not belong here, see `counts`"),
        ([*_PAGE, "components"], ["menu"], "pages[2].components[0]: there is no component 'menu'"),
        ([*_ACTION, "locators"], "Save", "pages[2].actions[0].locators: must be a list, is a string"),
        ([*_ACTION, "locators", 0], {"nam": ""}, "pages[2].actions[0].locators[0].nam: unknown"),
        ([*_ACTION, "locators", 0], {"attribute": ["id"]}, "locators[0].attribute: must have 2 members, has 1"),
        ([*_ACTION, "fields", 1, "constraints"], {"min": 0}, 'fields[1].constraints["min"]: must be a string'),
        ([*_ACTION, "fields", 1, "label"], "Payer", "fields[1].label: 'Payer' stands at fields[0] already"),
        ([*_ACTION, "destinations", 0, "kind"], "/x", "pages[2].actions[0].destinations[0].kind: there is no page"),
        ([*_ACTION, "guard", "parameter"], "Payee", "pages[2].actions[0].guard.parameter: there is no field 'Payee'"),
        ([*_ACTION, "guard", "values"], "people", "guard.values: there is no list of values 'people'"),
        (["components", 0, "pages"], ["/"], "components[0].pages: does not belong here"),
        (["counts"], _GONE, "counts: missing"),
        (["counts", "visits", "/bills"], _GONE, 'counts.visits["/bills"]: missing'),
        (["counts", "visits", "/x"], 1, 'counts.visits["/x"]: is not in the model'),
        (["counts", "pages", "/bills/new", "other"], {"tries": 1}, 'pages["/bills/new"]["other"]: is not in the model'),
        (["counts", "components", "navigation", "navigation/link/Home", "worked"], 5, ".worked: more than the 4 tries"),
        (["counts", "components", "navigation", "navigation/link/Home"], _GONE, '.destinations["/"]: missing'),
    ],
)  # fmt: skip
def test_an_error_names_the_place(path: list[Any], value: Any, said: str) -> None:
    with pytest.raises(Fault) as caught:
        from_json(_with(path, value))
    assert said in str(caught.value)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, each in below for found in _places(each, (*path, key)))]


_DOCUMENT = json.loads(dumps(MODEL))
_OTHERS: st.SearchStrategy[Any] = st.sampled_from([None, True, -1, 1.5, 10**30, "", "x", [], [[]], {}, {"x": 1}])


@given(st.sampled_from([path for path in _places(_DOCUMENT) if path]), _OTHERS | st.just(_GONE))
@laws(400)
def test_a_damaged_document_is_refused_or_still_a_whole_model(path: tuple[Any, ...], value: Any) -> None:
    damaged = _with(list(path), value)
    try:
        model = from_json(damaged)
    except Fault as fault:
        refused = fault.where
    else:
        # What was accepted can be kept.
        assert from_json(parsed(dumps(model))) == portable(model)
        return
    assert refused


@given(st.integers(0, len(dumps(MODEL)) - 3))
@laws(60)
def test_half_a_file_is_refused_with_the_place(tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    file = tmp_path_factory.getbasetemp() / "half.json"
    file.write_text(dumps(MODEL)[:length], encoding="utf-8")
    with pytest.raises(StorageError) as caught:
        read_web_model(file)
    assert caught.value.slug == "web-model-damaged"
    assert "half.json: not JSON: " in caught.value.message


def test_a_file_of_another_format_or_none_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no such file") as missing:
        read_web_model(tmp_path / "unknot.web.json")
    assert (missing.value.slug, missing.value.hint) == ("web-model-missing", "run unknot crawl first")
    file = tmp_path / "newer.json"
    file.write_text(dumps(MODEL).replace('"format": 1', '"format": 2'), encoding="utf-8")
    with pytest.raises(NewerFormatError) as newer:
        read_web_model(file)
    assert newer.value.slug == "web-model-newer"


def test_a_deep_document_is_no_traceback() -> None:
    locator: dict[str, Any] = {"role": "button"}
    for _ in range(900):
        locator = {"within": locator}
    with pytest.raises(Fault, match="nested too deeply"):
        from_json(_with([*_ACTION, "locators", 0], locator))
