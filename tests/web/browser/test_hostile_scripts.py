"""Scripts and maps of sources that are made to exhaust their reader."""

import json

import pytest

from unknot.web.browser.client_coverage import _Inline
from unknot.web.browser.own_code import OwnCode
from unknot.web.browser.source_map import BadSourceMap, MappedScript, vlq_numbers


def test_a_number_without_end_is_no_map() -> None:
    with pytest.raises(BadSourceMap):
        list(vlq_numbers("g" * 1_000_000 + "A"))


@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"sources":' * 100_000, "{}", "[]", "null", json.dumps({"sources": 1})]
)
def test_a_map_that_cannot_be_read_is_said_to_be_one(text: str) -> None:
    with pytest.raises(BadSourceMap):
        MappedScript("code()", text, str)


@pytest.mark.parametrize("address", ["https://", "http://[", "http://h:port/", "http://", "data:x", ""])
def test_what_is_no_address_is_no_own_code(address: str) -> None:
    own = OwnCode(["http://127.0.0.1:80"])
    assert not own.reaches(address)
    assert own.path(address) == ""


def test_quotes_without_end_are_data_to_the_end_of_the_line() -> None:
    """Quadratic, this would take hours."""
    hostile = 'f("' + '\\"' * 1_000_000
    assert _Inline(hostile).name == _Inline('f("other').name
    assert _Inline("f('a') + g").name == _Inline("f('b') + g").name != _Inline("f('a') + h").name
