"""Runs a step right after a module was imported, if it ever is."""

import importlib.util
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from typing import Any


class ImportHooks:
    """Is first among the finders and finds nothing itself: it uses the others, and adds one step to the execution of
    the modules that it waits for. A step that fails is reported to `failed`; the import goes on."""

    def __init__(self, steps: dict[str, Callable[[Any], None]], failed: Callable[[str, Exception], None]) -> None:
        self._steps = steps
        self._failed = failed

    def install(self) -> None:
        for name in list(self._steps):
            if name in sys.modules:
                self._do(name, sys.modules[name])
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        step = self._steps.pop(name, None)
        if step is None:
            return None
        try:
            found = importlib.util.find_spec(name)
        finally:
            # Looking for a module does not mean importing it.
            self._steps[name] = step
        if found is not None:
            self._add_to(found)
        return found

    def _add_to(self, spec: ModuleSpec) -> None:
        loader = spec.loader
        execute = getattr(loader, "exec_module", None)
        if loader is None or execute is None:
            return

        def exec_module(module: Any) -> None:
            execute(module)
            self._do(spec.name, module)

        # On this one object: other modules have loaders of their own.
        loader.exec_module = exec_module  # type: ignore[method-assign]

    def _do(self, name: str, module: Any) -> None:
        step = self._steps.pop(name, None)
        try:
            if step is not None:
                step(module)
        except Exception as problem:  # noqa: BLE001 - a version that we do not know must not fail the suite's import
            self._failed(name, problem)
