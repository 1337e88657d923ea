"""Threads that run after collection: who started them, and which of them a fork would lose.

Only the thread that forks lives on in the child. A library or plugin that starts its thread again there
(`os.register_at_fork`) can be forked; to find out, one child is forked and asked.
"""

import os
import re
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from types import FrameType, ModuleType
from typing import Any

from unknot.recorder.inside.second_pass.fork_safety import thread_count
from unknot.recorder.inside.second_pass.forked import in_child

_PACKAGES = f"{os.sep}site-packages{os.sep}"
_STANDARD = os.path.dirname(os.__file__) + os.sep
_PROBE_SECONDS = 5.0
"""A child that takes longer waits for a lock that a thread held when it was forked."""

Place = tuple[str, str, int]
"""Module, file and line."""


class ThreadStarts:
    """Remembers where threads were started. Between `watch` and `stop`, a start costs one walk up the stack."""

    def __init__(self) -> None:
        self._places: list[tuple[object, list[Place]]] = []
        self._original: Any = None
        self._replacement: Any = None
        self._is_watching = False

    def watch(self) -> None:
        """By a method put in the place of another: not every version of Python has an audit event for it."""
        self._original = original = threading.Thread.start

        def start(thread: Any) -> None:
            if self._is_watching:
                self._places.append((thread, list(_outside_the_standard_library(sys._getframe()))))
            original(thread)

        self._is_watching = True
        self._replacement = start
        threading.Thread.start = start  # type: ignore[assignment, method-assign]

    def stop(self) -> None:
        """What another library has put there since stays."""
        self._is_watching = False
        if threading.Thread.start is self._replacement:
            threading.Thread.start = self._original  # type: ignore[method-assign]

    def lost_by_fork(self, config: Any) -> list[str]:
        """The threads that a child would not have, in words. Forks a child if there are any."""
        running = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
        again = Counter(_names_in_child() if running else ())
        lost = []
        for thread in running:
            if again[name := _without_numbers(thread.name)]:
                again[name] -= 1
            else:
                lost.append(self._described(thread, config))
        native = thread_count() - 1 - len(running)
        if native > 0:
            lost.append(f"{native} native {'thread' if native == 1 else 'threads'} of an extension")
        return lost

    def _described(self, thread: threading.Thread, config: Any) -> str:
        places = next((places for started, places in self._places if started is thread), [])
        plugins = _plugins(config)
        root = str(config.rootpath) + os.sep
        words = ""
        if places:
            words = f", started at {_place(places[0], root, plugins)}"
            named = (place for place in places if _is_of_project(place, root) or _package(place) in plugins)
            cause = next(named, places[0])
            if cause is not places[0]:
                words += f", called from {_place(cause, root, plugins)}"
        return f"`{thread.name}`{words}"


def _outside_the_standard_library(frame: FrameType | None) -> Iterator[Place]:
    """From the innermost frame on; without unknot's."""
    while frame is not None:
        file, module = frame.f_code.co_filename, frame.f_globals.get("__name__")
        is_standard = file.startswith("<") or (file.startswith(_STANDARD) and _PACKAGES not in file)
        if not is_standard and isinstance(module, str) and not module.startswith("unknot."):
            yield module, file, frame.f_lineno
        frame = frame.f_back


def _names_in_child() -> list[str]:
    """Nothing if the child could not say."""
    names = in_child(lambda: [_without_numbers(thread.name) for thread in threading.enumerate()], _PROBE_SECONDS)
    return names if isinstance(names, list) else []


def _without_numbers(name: str) -> str:
    """Python numbers the threads that have no name of their own."""
    return re.sub(r"\d+", "", name)


def _plugins(config: Any) -> dict[str, str]:
    """Packages that hold an installed plugin, with its name and version."""
    return {
        plugin.__name__.partition(".")[0]: f"{dist.project_name} {dist.version}"
        for plugin, dist in config.pluginmanager.list_plugin_distinfo()
        if type(plugin) is ModuleType
    }


def _package(place: Place) -> str:
    return place[0].partition(".")[0]


def _is_of_project(place: Place, root: str) -> bool:
    return place[1].startswith(root) and _PACKAGES not in place[1]


def _place(place: Place, root: str, plugins: dict[str, str]) -> str:
    _, file, line = place
    shown = file.removeprefix(root) if _is_of_project(place, root) else file.rpartition(_PACKAGES)[2]
    plugin = plugins.get(_package(place))
    return f"{shown}:{line}" + (f" of {plugin}" if plugin else "")
