"""Tests that pass only after others: one setter, a chain, two setters together, either of two."""

import desk


def test_sign_up() -> None:
    desk.accounts.add("ann")
    assert "ann" in desk.accounts


def test_log_in() -> None:
    """Needs test_sign_up."""
    assert "ann" in desk.accounts
    desk.sessions.add("ann")


def test_show_profile() -> None:
    """Needs test_log_in, which needs test_sign_up."""
    assert "ann" in desk.sessions


def test_choose_format() -> None:
    desk.export["format"] = "csv"
    assert desk.export["format"] == "csv"


def test_choose_target() -> None:
    desk.export["target"] = "disk"
    assert desk.export["target"] == "disk"


def test_export() -> None:
    """Needs test_choose_format and test_choose_target."""
    assert set(desk.export) == {"format", "target"}


def test_plugins_are_listed() -> None:
    assert desk.load_plugins() == ["mail"]


def test_plugins_are_counted() -> None:
    assert len(desk.load_plugins()) == 1


def test_mail_plugin() -> None:
    """Needs test_plugins_are_listed or test_plugins_are_counted."""
    assert "mail" in desk.plugins
