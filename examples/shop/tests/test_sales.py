from __future__ import annotations

from shop import sales


def test_import_from_till() -> None:
    assert sales.import_sales("till") == sales.SALES_OF_A_YEAR


def test_import_from_web_shop() -> None:
    assert sales.import_sales("web") == sales.SALES_OF_A_YEAR


def test_report_has_every_day() -> None:
    assert sales.write_report(2024).read_text(encoding="utf-8").count("<tr>") == 366 * 3
