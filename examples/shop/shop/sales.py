"""What was sold, in the same SQLite file as the accounts, and reports of it."""

from __future__ import annotations

import html
import random
from datetime import date, timedelta
from pathlib import Path

from shop import settings
from shop.database import connected

SALES_OF_A_YEAR = 15_000
_YEAR = 2024
_SCHEMA = "CREATE TABLE IF NOT EXISTS sales (channel TEXT, day TEXT, product TEXT, pence INTEGER);"
_PRICES = {"mug": 850, "kettle": 3200, "lamp": 4500}


class NoSales(LookupError):
    """Nothing was sold in this year."""


def import_sales(channel: str) -> int:
    """Take over the sales of a year from a channel, in place of those imported before. This demonstration has no till
    and no web shop, so they are made up."""
    chance = random.Random(channel)
    products = sorted(_PRICES)
    first = date(_YEAR, 1, 1)
    rows = []
    for _ in range(SALES_OF_A_YEAR):
        product = chance.choice(products)
        day = first + timedelta(days=chance.randrange(366))
        rows.append((channel, day.isoformat(), product, _PRICES[product]))
    with connected(_SCHEMA) as connection:
        connection.execute("DELETE FROM sales WHERE channel = ?", (channel,))
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?, ?)", rows)
    return len(rows)


def write_report(year: int) -> Path:
    """A page with one row for each day and product."""
    with connected(_SCHEMA) as connection:
        rows = connection.execute(
            "SELECT day, product, count(*), sum(pence) FROM sales WHERE day LIKE ? GROUP BY 1, 2 ORDER BY 1, 2",
            (f"{year}-%",),
        ).fetchall()
    if not rows:
        raise NoSales(year)
    cells = ("".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) for row in rows)
    path = settings.var_dir() / "reports" / f"{year}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("<table>\n" + "".join(f"<tr>{row}</tr>\n" for row in cells) + "</table>\n", encoding="utf-8")
    return path
