"""Positions as short texts: what is read back is what was written."""

from hypothesis import given
from hypothesis import strategies as st

from unknot.report.html.data import bit_spans, to_spans


def read(text: str) -> list[int]:
    """As the page's program reads it."""
    if text.startswith("x"):
        bits = int(text[1:], 16)
        return [place for place in range(bits.bit_length()) if bits >> place & 1]
    ends = [span.split("-") for span in text.split()]
    return [place for span in ends for place in range(int(span[0]), int(span[-1]) + 1)]


@given(st.lists(st.integers(0, 30)))
def test_any_order_is_read_back(order: list[int]) -> None:
    assert read(to_spans(order)) == order


@given(st.sets(st.integers(0, 200)) | st.integers(0, 2**90).map(lambda bits: {n for n in range(91) if bits >> n & 1}))
def test_any_bitset_is_read_back_and_never_longer_than_in_hexadecimal(places: set[int]) -> None:
    bits = sum(1 << place for place in places)
    text = bit_spans(bits)
    assert read(text) == sorted(places)
    assert len(text) <= len(f"x{bits:x}")
