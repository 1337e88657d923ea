"""Context variables, weak dictionaries, threads and tasks."""

import asyncio

from shop import background, tenancy


def test_tenant_moves_in():
    tenancy.TENANT.set("ann")  # writes: shop.tenancy.TENANT.<value>


def test_tenant():
    assert tenancy.TENANT.get() == "ann"  # reads: shop.tenancy.TENANT.<value>


def test_session_opens():
    tenancy.open_session("alice")


def test_session_is_live():
    assert tenancy.is_live("alice")


def test_note_on_a_session():
    tenancy.NOTES[tenancy.KEPT[0]] = "vip"  # writes: shop.tenancy.NOTES[<Session object>]


def test_noted_on_a_session():
    assert list(tenancy.NOTES.values()) == ["vip"]  # reads: shop.tenancy.NOTES[<Session object>]


def test_thread_computes():
    background.compute_in_thread()


def test_thread_result():
    assert background.RESULT["thread"] == 42  # reads: shop.background.RESULT['thread']


def test_task_computes():
    asyncio.run(background.compute())


def test_task_result():
    assert asyncio.run(background.result()) == "done"


def test_progress():
    background.PROGRESS = 7  # writes: shop.background.PROGRESS


def test_progress_seen_by_a_thread():
    assert background.read_in_thread() == 7
