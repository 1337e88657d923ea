"""Globals of a module."""

from shop import settings


def test_limit_is_small():
    assert settings.LIMIT == 3  # reads: shop.settings.LIMIT


def test_raise_limit():
    settings.raise_limit(5)
    assert settings.is_within_limit(5)


def test_limit_was_raised():
    assert settings.is_within_limit(4)


def test_currency_changes():
    settings.CURRENCY = "USD"  # writes: shop.settings.CURRENCY


def test_currency():
    assert settings.CURRENCY == "USD"  # reads: shop.settings.CURRENCY


def test_opening_hours_change():
    settings.OPENING = (8, 20)  # writes: shop.settings.OPENING


def test_opening_hours():
    assert settings.OPENING[1] == 20  # reads: shop.settings.OPENING


def test_debug_is_switched_on():
    settings.DEBUG = True  # writes: shop.settings.DEBUG


def test_debug():
    assert getattr(settings, "DEBUG", False)  # reads: shop.settings.DEBUG


def test_legacy_goes():
    del settings.LEGACY  # writes: shop.settings.LEGACY


def test_no_legacy():
    assert not hasattr(settings, "LEGACY")  # reads: shop.settings.LEGACY


def test_paid():
    settings.STATUS["phase"] = settings.Phase.PAID  # writes: shop.settings.STATUS['phase']


def test_greeting_changes():
    settings.STATUS["greeting"] = "hi"  # writes: shop.settings.STATUS['greeting']


def test_retries_change():
    settings.STATUS["retries"] = 2  # writes: shop.settings.STATUS['retries']


def test_window_changes():
    settings.STATUS["window"] = (1, 3)  # writes: shop.settings.STATUS['window']


def test_phase():
    assert settings.STATUS["phase"] is settings.Phase.PAID  # reads: shop.settings.STATUS['phase']


def test_greeting():
    assert settings.STATUS["greeting"] == "hi"  # reads: shop.settings.STATUS['greeting']


def test_retries():
    assert settings.STATUS["retries"] == 2  # reads: shop.settings.STATUS['retries']


def test_window():
    assert settings.STATUS["window"] == (1, 3)  # reads: shop.settings.STATUS['window']


def test_colour_is_nobodys_business():
    assert settings.STATUS["colour"] == "red"
