"""Puts a module into sys.modules that cannot be asked for anything."""

import sys
import types


class Lazy(types.ModuleType):
    def __getattribute__(self, name):
        if name in ("__class__", "__spec__", "__name__"):
            return super().__getattribute__(name)
        if name == "__file__":
            # inspect asks every module for it, and is prepared for this error only.
            raise AttributeError(name)
        raise ImportError(f"the real module is not installed: {name}")


sys.modules["odd.missing"] = Lazy("odd.missing")
