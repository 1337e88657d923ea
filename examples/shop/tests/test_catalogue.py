from __future__ import annotations

import pytest

from shop import audit, catalogue
from shop.catalogue import Product


@pytest.fixture(scope="module")
def shelf() -> list[Product]:
    return [Product("pot", "Café pot", 2100), Product("tray", "Oak tray", 1900)]


def test_lamps_are_in_stock() -> None:
    assert catalogue.stock("lamp") > 0


def test_search_finds_café(shelf: list[Product]) -> None:
    # Fills a cache, but with the same words whichever test is first.
    assert catalogue.search(shelf, "cafe") == [shelf[0]]
    assert catalogue.search(shelf, "CAFÉ") == [shelf[0]]


def test_bulk_import_is_not_audited(shelf: list[Product]) -> None:
    before = audit.entries("catalogue")
    audit.pause()
    for product in shelf:
        catalogue.add(product)
    assert audit.entries("catalogue") == before
