from __future__ import annotations

import unittest
from pathlib import Path

from shop import cart, invoices, pricing


def test_issue_invoice() -> None:
    path = invoices.issue("2024-001", "49.00")
    assert path.read_text(encoding="utf-8") == "Invoice 2024-001\nAmount 49.00\n"


def test_invoice_is_paid() -> None:
    invoices.mark_paid("2024-001")
    assert invoices.is_paid("2024-001")


def test_invoice_for_open_cart(tmp_path: Path) -> None:
    path = invoices.issue("2024-002", f"{cart.of('alice').net() / 100:.2f}", tmp_path)
    assert path.read_text(encoding="utf-8") == "Invoice 2024-002\nAmount 49.00\n"


def test_dollar_invoice_in_other_folder(tmp_path: Path) -> None:
    # The same number as above, but in a folder of its own.
    amount = pricing.price_in("USD", 1000)
    path = invoices.issue("2024-001", f"{amount} USD", tmp_path)
    assert path.read_text(encoding="utf-8") == "Invoice 2024-001\nAmount 12.50 USD\n"


class LetterTest(unittest.TestCase):
    """Each test makes its own letterhead and series."""

    def setUp(self) -> None:
        invoices.save_letterhead("The Shop, 3 Quay Street")
        invoices.start_series("L-", 5)

    def test_letter_has_head_and_number(self) -> None:
        letter = invoices.letter("Dear customer")
        self.assertTrue(letter.startswith("The Shop, 3 Quay Street\nL-001\n"))

    def test_letter_uses_up_a_number(self) -> None:
        invoices.letter("Dear customer")
        self.assertEqual(invoices.numbers_left(), 4)
