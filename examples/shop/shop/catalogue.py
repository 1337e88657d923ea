"""The products on sale and how many of each are in stock."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from shop import audit


class UnknownProduct(LookupError):
    """No product has this code."""


class OutOfStock(Exception):
    """Fewer pieces are left than were asked for."""


@dataclass(frozen=True)
class Product:
    code: str
    name: str
    price: int


_products: dict[str, Product] = {
    product.code: product
    for product in (
        Product("mug", "Stoneware mug", 850),
        Product("kettle", "Blue kettle", 3200),
        Product("lamp", "Reading lamp", 4500),
    )
}
_stock: dict[str, int] = {"mug": 500, "kettle": 200, "lamp": 12}


def add(product: Product, pieces: int = 0) -> None:
    _products[product.code] = product
    _stock[product.code] = pieces
    audit.record("catalogue", f"added {product.code}")


def get(code: str) -> Product:
    try:
        return _products[code]
    except KeyError:
        raise UnknownProduct(code) from None


def stock(code: str) -> int:
    get(code)
    return _stock[code]


def take(code: str, pieces: int) -> None:
    """Take pieces off the shelf."""
    if stock(code) < pieces:
        raise OutOfStock(code)
    _stock[code] -= pieces


@lru_cache(maxsize=256)
def plain(text: str) -> str:
    """Lower case without accents, so that a search for "cafe" finds "Café"."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def search(products: Iterable[Product], word: str) -> list[Product]:
    wanted = plain(word)
    return [product for product in products if wanted in plain(product.name)]
