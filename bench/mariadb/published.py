"""What the PFAST paper reports for MySQL: its Table 4, the last rows."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """Averages of ten runs on at most 8 servers at the same time. `orders` is what the paper calls schedule runs."""

    tests: int
    dependencies: int
    orders: Mapping[str, float]
    seconds: Mapping[str, float]


def _row(tests: int, pfast: float, mem_fast: float, pfast_seconds: float, mem_fast_seconds: float) -> Published:
    return Published(
        tests, 0, {"pfast": pfast, "mem-fast": mem_fast}, {"pfast": pfast_seconds, "mem-fast": mem_fast_seconds}
    )


PUBLISHED: Mapping[str, Published] = {
    "audit_null": _row(15, 29.0, 15.0, 265.7, 95.5),
    "collations": _row(32, 63.0, 32.0, 2102.6, 253.2),
    "jp": _row(111, 221.0, 111.0, 6396.0, 682.0),
    "json": _row(19, 37.0, 19.0, 847.7, 146.9),
    "gcol": _row(34, 67.0, 34.0, 3766.4, 493.3),
    "gis": _row(70, 139.0, 70.0, 2763.0, 428.0),
    "innodb_zip": _row(26, 51.9, 26.0, 4755.6, 372.2),
    "information_schema": _row(8, 15.0, 8.0, 127.0, 54.7),
}
"""By the names of MySQL's suites. MariaDB has four of them by the same name; their tests are not the same."""
