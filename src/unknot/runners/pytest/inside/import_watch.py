"""Reports which module of the project is being imported at the moment."""

import importlib._bootstrap_external as machinery
import os
from collections.abc import Callable
from typing import Any


class ImportWatch:
    """Calls `begin(file)` and `end()` around the execution of every module below one of `roots` that a watched
    loader executes; `modules` has the names and files of those that were.

    What a module does when it is imported happens once, in whatever test comes first, but it is done for all that
    import it: it must not be taken for that one test's work.
    """

    def __init__(self, roots: tuple[str, ...], begin: Callable[[str], None], end: Callable[[], None]) -> None:
        self.modules: dict[str, str] = {}
        self._roots = tuple(root + os.sep for root in roots)
        self._begin = begin
        self._end = end

    def install(self, *loaders: Any) -> None:
        """For these classes of loaders, and for Python's own."""
        for loader in (machinery._LoaderBasics, *loaders):  # type: ignore[attr-defined]
            self._watch(loader)

    def _watch(self, loader: Any) -> None:
        original = loader.exec_module

        def exec_module(self_: Any, module: Any) -> None:
            file = getattr(module, "__file__", None)
            if not isinstance(file, str) or not file.startswith(self._roots):
                original(self_, module)
                return
            self.modules[module.__name__] = file
            self._begin(file)
            try:
                original(self_, module)
            finally:
                self._end()

        # A warning that a module gives while it is imported is attributed to the importing module, which Python finds
        # by leaving out the frames of its own import machinery: ours must be one of them.
        exec_module.__code__ = exec_module.__code__.replace(co_filename=original.__code__.co_filename)
        loader.exec_module = exec_module
