"""unknot finds the dependencies between the tests of a suite and runs the suite in parallel without breaking it.

    import unknot

    found = unknot.detect("path/to/project", max_seconds=600)
    plan = unknot.plan(found, workers=4)
    done = unknot.run("path/to/project", workers=4)

Nothing is imported until it is used: this package is also loaded inside the processes under test, where every import
costs. `detect` and `plan` are also packages of unknot; their modules are imported as usual.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unknot.app.api import blame, detect, plan, run
    from unknot.app.blame.blame import BlameResult
    from unknot.app.progress import ProgressListener
    from unknot.app.run.run import SuiteRun
    from unknot.model.dependencies import Dependencies
    from unknot.model.errors import UnknotError, UsageError
    from unknot.model.plan import Plan

__version__ = "0.1.0"

__all__ = [
    "BlameResult",
    "Dependencies",
    "Plan",
    "ProgressListener",
    "SuiteRun",
    "UnknotError",
    "UsageError",
    "blame",
    "detect",
    "plan",
    "run",
]

_HOMES = {
    "BlameResult": "unknot.app.blame.blame",
    "Dependencies": "unknot.model.dependencies",
    "Plan": "unknot.model.plan",
    "ProgressListener": "unknot.app.progress",
    "SuiteRun": "unknot.app.run.run",
    "UnknotError": "unknot.model.errors",
    "UsageError": "unknot.model.errors",
    "blame": "unknot.app.api",
    "run": "unknot.app.api",
}


class _Operation:
    """A function with the name of a package: callable, and with the modules of the package as attributes."""

    def __init__(self, name: str) -> None:
        from functools import update_wrapper
        from importlib import import_module

        self._package = import_module(f"unknot.{name}")
        self._function = getattr(import_module("unknot.app.api"), name)
        update_wrapper(self, self._function)

    def __call__(self, *arguments: object, **options: object) -> object:
        return self._function(*arguments, **options)

    def __getattr__(self, name: str) -> object:
        return getattr(self._package, name)


class _Package(type(sys)):  # type: ignore[misc]
    """Importing a package sets the attribute of its name, which would hide the function: these are kept."""

    @property
    def detect(self) -> _Operation:
        return _operation("detect")

    @detect.setter
    def detect(self, package: object) -> None: ...

    @property
    def plan(self) -> _Operation:
        return _operation("plan")

    @plan.setter
    def plan(self, package: object) -> None: ...

    def __getattr__(self, name: str) -> object:
        from importlib import import_module

        if name not in _HOMES:
            raise AttributeError(f"module 'unknot' has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


_operations: dict[str, _Operation] = {}


def _operation(name: str) -> _Operation:
    if name not in _operations:
        _operations[name] = _Operation(name)
    return _operations[name]


sys.modules[__name__].__class__ = _Package
