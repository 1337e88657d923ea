"""Invoices and letters, written as text files."""

from __future__ import annotations

from pathlib import Path

from shop import settings

_PAID = "PAID"


class UnknownInvoice(LookupError):
    """No invoice with this number has been written."""


class NoLetterhead(Exception):
    """A letter cannot be written before the letterhead is saved."""


class NoSeries(Exception):
    """A letter cannot be numbered before a series is started."""


def default_folder() -> Path:
    return settings.var_dir() / "invoices"


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _lines(number: str, folder: Path | None = None) -> list[str]:
    path = (folder or default_folder()) / f"{number}.txt"
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise UnknownInvoice(number) from None


def issue(number: str, amount: str, folder: Path | None = None) -> Path:
    path = (folder or default_folder()) / f"{number}.txt"
    return _write(path, f"Invoice {number}\nAmount {amount}\n")


def mark_paid(number: str) -> None:
    lines = _lines(number)
    _write(default_folder() / f"{number}.txt", "\n".join([*lines, _PAID, ""]))


def is_paid(number: str) -> bool:
    return _PAID in _lines(number)


# Letters are numbered in a series; the letterhead is a file that the office may edit.

_series: list[str] = []


def start_series(prefix: str, count: int) -> None:
    """Set aside letter numbers, the first to be used first."""
    _series[:] = [f"{prefix}{number:03}" for number in range(1, count + 1)]


def numbers_left() -> int:
    return len(_series)


def save_letterhead(text: str) -> Path:
    return _write(settings.var_dir() / "letterhead.txt", text)


def letter(text: str) -> str:
    try:
        head = (settings.var_dir() / "letterhead.txt").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NoLetterhead from None
    if not _series:
        raise NoSeries
    return f"{head}\n{_series.pop(0)}\n\n{text}\n"
