from __future__ import annotations

from shop import audit


def test_record_adds_one_entry() -> None:
    before = len(audit.entries("test"))
    audit.record("test", "something happened")
    assert len(audit.entries("test")) == before + 1
