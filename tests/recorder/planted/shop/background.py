"""Written by others than the main thread of a test."""

import asyncio
import threading

RESULT = {"thread": None, "task": None}
PROGRESS = 0


def compute_in_thread():
    def work():
        RESULT["thread"] = 42  # writes: shop.background.RESULT['thread']

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


async def compute():
    await asyncio.sleep(0)
    RESULT["task"] = "done"  # writes: shop.background.RESULT['task']


async def result():
    await asyncio.sleep(0)
    return RESULT["task"]  # reads: shop.background.RESULT['task']


def read_in_thread():
    found = []
    reader = threading.Thread(target=lambda: found.append(PROGRESS))  # reads: shop.background.PROGRESS
    reader.start()
    reader.join()
    return found[0]
