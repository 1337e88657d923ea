"""Steps written once for Playwright's two APIs: a generator yields what a call returned, and gets back what came of it.

In the sync API that is the same thing; in the async one it is awaited in between.
"""

import asyncio
from collections.abc import Generator
from typing import Any

Steps = Generator[Any, Any, None]

_MOST_SECONDS = 5.0


def drive_now(steps: Steps) -> None:
    """For the sync API. Whatever goes wrong ends the steps silently."""
    try:
        came = next(steps)
        while True:
            came = steps.send(came)
    except StopIteration:
        return
    except Exception:  # noqa: BLE001 - a browser that is gone, a page that does not answer, must not fail a test
        return


async def drive_awaiting(steps: Steps) -> None:
    """For the async API, with the same promise."""
    try:
        awaitable = next(steps)
        while True:
            try:
                came = await asyncio.wait_for(awaitable, _MOST_SECONDS)
            except Exception as problem:  # noqa: BLE001 - for the steps to judge
                awaitable = steps.throw(problem)
            else:
                awaitable = steps.send(came)
    except StopIteration:
        return
    except Exception:  # noqa: BLE001 - see `drive_now`
        return
