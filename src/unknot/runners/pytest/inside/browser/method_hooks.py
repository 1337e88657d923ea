"""Methods of other libraries, replaced by steps around the original, in classes with a synchronous or an asynchronous
interface.

Steps are a generator: it yields what a call returned, and gets back what came of it. In a synchronous interface that is
the same object; in an asynchronous one it is awaited in between.
"""

import asyncio
import contextlib
import functools
import inspect
from collections.abc import Callable, Generator
from typing import Any

Steps = Generator[Any, Any, Any]

_MOST_SECONDS = 5.0


def replace_method(owner: Any, name: str, steps: Callable[..., Steps], *, is_async: bool = False) -> None:
    """Calls of the method run `steps(original, object, *arguments, **named)`, whose return value is the result."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def now(*arguments: Any, **named: Any) -> Any:
        return drive_now(steps(original, *arguments, **named))

    @functools.wraps(original)
    async def awaiting(*arguments: Any, **named: Any) -> Any:
        return await drive_awaiting(steps(original, *arguments, **named))

    setattr(owner, name, awaiting if is_async else now)


def drive_now(steps: Steps) -> Any:
    try:
        result = next(steps)
        while True:
            result = steps.send(result)
    except StopIteration as end:
        return end.value


async def drive_awaiting(steps: Steps) -> Any:
    """What an awaited call raises is raised in the steps."""
    try:
        awaitable = next(steps)
        while True:
            try:
                result = await awaitable
            except Exception as problem:  # noqa: BLE001 - for the steps to judge
                awaitable = steps.throw(problem)
            else:
                awaitable = steps.send(result)
    except StopIteration as end:
        return end.value


def quiet(steps: Steps) -> Steps:
    """Our own steps: a browser that is gone or a page that does not answer must not fail a test."""
    with contextlib.suppress(Exception):
        yield from steps


def soon(result: Any) -> Any:
    """A call of ours: if it is to be awaited, not for ever."""
    return asyncio.wait_for(result, _MOST_SECONDS) if inspect.isawaitable(result) else result
