"""The page is readable: contrast of text and ground, in light and in dark, as WCAG computes it."""

import pytest

from unknot.report.html.style import COLOURS, variables

_ROLES = ("brittle", "victim", "both", "polluter", "cleaner", "setter", "flaky")
TEXT_ON: tuple[tuple[str, str], ...] = (
    *((text, ground) for text in ("ink", "dim", "link") for ground in ("back", "soft")),
    *((role, "back") for role in _ROLES),
    *((role, "soft") for role in _ROLES),
    *((role, f"{role}-soft") for role in _ROLES),
    *(("ink", f"{role}-soft") for role in _ROLES),
    *(("dim", f"{role}-soft") for role in _ROLES),
    ("ink", "bar"),
    ("ink", "again"),
)
"""Pairs of text colour and background that occur in the page."""


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("side", [0, 1], ids=["light", "dark"])
def test_text_has_enough_contrast(side: int) -> None:
    weak = {pair: contrast(COLOURS[pair[0]][side], COLOURS[pair[1]][side]) for pair in TEXT_ON}
    assert {pair: found for pair, found in weak.items() if found < 4.5} == {}


@pytest.mark.parametrize("side", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("drawn", ["edge", "victim", "cleaner", "untried", "brittle", "stripe"])
def test_lines_and_marks_have_enough_contrast(drawn: str, side: int) -> None:
    assert contrast(COLOURS[drawn][side], COLOURS["back"][side]) >= 3


def test_contrast_is_computed_as_wcag_defines_it() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


def test_every_colour_is_there_in_every_scheme() -> None:
    for name, (light, dark) in COLOURS.items():
        assert variables().count(f"--{name}: {light};") >= 3
        assert variables().count(f"--{name}: {dark};") >= 2
