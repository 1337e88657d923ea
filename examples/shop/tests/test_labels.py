from __future__ import annotations

import pytest

from shop import labels


@pytest.mark.parametrize("code", ["mug", "kettle"])
def test_label_is_a_picture(code: str) -> None:
    assert labels.draw(code).png().startswith(b"\x89PNG")


def test_label_has_a_blue_frame() -> None:
    label = labels.draw("mug")
    assert label.at(0, 0) == labels.BLUE
    assert label.at(12, 12) == labels.WHITE


def test_label_is_saved() -> None:
    assert labels.save("lamp").read_bytes().startswith(b"\x89PNG")


def test_christmas_label_is_red() -> None:
    labels.use_ink(labels.RED)
    assert labels.draw("mug").at(0, 0) == labels.RED
