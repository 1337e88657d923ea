from __future__ import annotations

import unittest
from pathlib import Path

from shop import invoices, pricing


def test_issue_invoice() -> None:
    path = invoices.issue("2024-001", "49.00")
    assert path.read_text(encoding="utf-8") == "Invoice 2024-001\nAmount 49.00\n"


def test_invoice_is_paid() -> None:
    invoices.mark_paid("2024-001")
    assert invoices.is_paid("2024-001")


def test_paid_invoice_is_archived() -> None:
    assert invoices.archive("2024-001").exists()


def test_dollar_invoice_in_other_folder(tmp_path: Path) -> None:
    # The same number as above, but in a folder of its own.
    amount = pricing.price_in("USD", 1000)
    path = invoices.issue("2024-001", f"{amount} USD", tmp_path)
    assert path.read_text(encoding="utf-8") == "Invoice 2024-001\nAmount 12.50 USD\n"


class LetterTest(unittest.TestCase):
    """Numbered by hand, as such suites are: the third needs the two before it."""

    def test_1_letterhead(self) -> None:
        self.assertTrue(invoices.save_letterhead("The Shop, 3 Quay Street").exists())

    def test_2_series(self) -> None:
        invoices.start_series("L-", 5)
        self.assertEqual(invoices.numbers_left(), 5)

    def test_3_numbered_letter(self) -> None:
        letter = invoices.letter("Dear customer")
        self.assertTrue(letter.startswith("The Shop, 3 Quay Street\nL-"))
