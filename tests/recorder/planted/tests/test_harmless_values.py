"""Look like flows: what is undone, equal, constant, never read, or another object of the same name."""

import warnings

import pytest
from shop import basket, constants, mailer, settings


def test_undone_first():
    basket.CONFIG["web"]["host"] = "elsewhere"
    assert basket.CONFIG["web"]["host"] == "elsewhere"
    basket.CONFIG["web"]["host"] = "localhost"


def test_undone_second():
    assert basket.CONFIG["web"]["host"] == "localhost"


def test_monkeypatch_first(monkeypatch):
    monkeypatch.setattr(mailer, "new_key", lambda: "k")
    monkeypatch.setattr(mailer.Mailer, "urgent", True, raising=False)
    assert mailer.new_key() == "k"


def test_monkeypatch_second():
    assert callable(mailer.new_key)
    assert not hasattr(mailer.Mailer, "urgent")


def test_equal_strings_first():
    label = "".join(["re", "d"])
    numbers = {256: label}
    assert numbers[256] == settings.STATUS["colour"]


def test_equal_strings_second():
    label = "".join(["re", "d"])
    numbers = {256: label}
    assert numbers[256] == "red"


def test_constant_first():
    assert constants.TAXES["food"] == 7


def test_constant_second():
    assert constants.TAXES["food"] + constants.TAXES["other"] == 26


def test_equal_value_first():
    constants.CHOICE["colour"] = "red"
    assert constants.CHOICE["colour"] == "red"


def test_equal_value_second():
    constants.CHOICE["colour"] = "red"
    assert constants.CHOICE["colour"] == "red"


def test_iterated_first():
    assert sorted(constants.COLOURS) == ["green", "red"]
    assert sum(tax for tax in constants.TAXES.values()) == 33


def test_iterated_second():
    assert len([colour for colour in constants.COLOURS if colour]) == 2
    assert list(constants.TAXES) == ["food", "books", "other"]


def test_never_read_first():
    constants.show("lamp")


def test_never_read_second():
    constants.show("desk")


def test_other_instance_first():
    constants.LEFT.level = 5


def test_other_instance_second():
    assert constants.RIGHT.level == 0


def test_warns_first():
    with pytest.warns(UserWarning):
        warnings.warn("twice", UserWarning, stacklevel=1)


def test_warns_second():
    with pytest.warns(UserWarning):
        warnings.warn("twice", UserWarning, stacklevel=1)


def test_overwritten_first():
    constants.CHOICE["size"] = "large"


def test_overwritten_second():
    constants.CHOICE["size"] = "small"
    assert constants.CHOICE["size"] == "small"
