"""Methods of other people's classes, with something done after each call."""

from _thread import get_ident
from collections.abc import Callable
from functools import wraps
from typing import Any

After = Callable[[Any, tuple[Any, ...], bool], None]
"""Gets the object, the arguments and whether the call has not raised. Must not raise."""


class PatchedMethods:
    """Wraps functions of classes, each once, until `restore`.

    A wrapped method that is called by a wrapped method of the same object is the first one's business: only the
    outermost is told. Of a coroutine function it is told when it is called, not when it is awaited.
    """

    def __init__(self) -> None:
        self._patched: dict[tuple[type, str], tuple[Any, Any]] = {}
        self._inside: set[tuple[int, int]] = set()

    def wrap(self, owner: type, name: str, after: After) -> None:
        if (owner, name) in self._patched:
            return
        original = owner.__dict__[name]
        inside = self._inside

        @wraps(original)
        def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
            key = (get_ident(), id(self))
            if key in inside:
                return original(self, *args, **kwargs)
            inside.add(key)
            succeeded = False
            try:
                result = original(self, *args, **kwargs)
                succeeded = True
                return result
            finally:
                inside.discard(key)
                after(self, args or tuple(kwargs.values()), succeeded)

        self._patched[owner, name] = (original, method)
        setattr(owner, name, method)

    def restore(self) -> None:
        for (owner, name), (original, ours) in self._patched.items():
            if owner.__dict__.get(name) is ours:
                setattr(owner, name, original)
        self._patched = {}
