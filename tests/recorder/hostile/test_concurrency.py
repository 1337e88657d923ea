"""Threads that work while tests run, asynchronous generators that are half used."""

import asyncio
import concurrent.futures
import threading
import time

import pytest
from odd import state

SHARED = {"ticks": 0, "list": []}
_STOP = threading.Event()
_THREADS = []


def _tick():
    while not _STOP.wait(0.0005):
        SHARED["ticks"] += 1
        SHARED["list"].append(SHARED["ticks"])
        del SHARED["list"][:-5]
        SHARED[f"key {SHARED['ticks'] % 7}"] = {"number": SHARED["ticks"]}


def _await(coroutine):
    """Runs without an event loop what never waits."""
    with pytest.raises(StopIteration) as done:
        coroutine.send(None)
    return done.value.value


def test_threads_start():
    for _ in range(3):
        thread = threading.Thread(target=_tick, daemon=True)
        thread.start()
        _THREADS.append(thread)


@pytest.mark.parametrize("number", range(6))
def test_threads_work_on(number):
    before = SHARED["ticks"]
    deadline = time.monotonic() + 10
    while SHARED["ticks"] == before and time.monotonic() < deadline:
        time.sleep(0.001)
    assert SHARED["ticks"] > before


def test_first_of_the_generator():
    assert _await(state.NUMBERS.__anext__()) == 0


def test_second_of_the_generator():
    assert _await(state.NUMBERS.__anext__()) == 1


def test_generator_is_closed():
    _await(state.NUMBERS.aclose())


def test_tasks():
    async def main():
        found = [number async for number in state.numbers()]
        both = await asyncio.gather(state.waits(), state.waits())
        return found, both

    assert asyncio.run(main()) == ([0, 1, 2], [1, 1])


def test_coroutine_that_never_ran():
    coroutine = state.waits()
    coroutine.close()


def test_pool():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda number: state.add(number, 0, c=0), range(100))) == 4950


def test_threads_end():
    _STOP.set()
    for thread in _THREADS:
        thread.join(10)
    assert not any(thread.is_alive() for thread in _THREADS)
