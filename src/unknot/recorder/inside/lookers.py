"""Who opens files for purposes of its own: to import, to collect, to measure, to print a traceback."""

import os
from types import FrameType

_IMPORTERS = ("<frozen importlib", "<frozen zipimport", "<frozen runpy")
_READERS_OF_SOURCE = tuple(
    os.path.join(os.path.dirname(os.__file__), name)
    for name in ("linecache.py", "traceback.py", "pkgutil.py", "runpy.py", "zipimport.py")
)
_TOOLS = tuple(f"{os.sep}{name}{os.sep}" for name in ("_pytest", "pluggy", "coverage", "hypothesis", "xdist"))
_PASSED_BY = (os.path.dirname(os.__file__) + os.sep, os.path.dirname(__file__) + os.sep, "<")
"""The standard library does it for whoever called it; our own frames are on top of every stack."""

_FRAMES = 12

IMPORT, TOOL = "import", "tool"


def looker(frame: FrameType | None) -> str:
    """`IMPORT` or `TOOL` if one of the innermost frames belongs to the machinery, else nothing. The test itself runs
    inside of pytest's frames, so that no frame beyond the first one of the project's own code is looked at."""
    for _ in range(_FRAMES):
        if frame is None:
            return ""
        name = frame.f_code.co_filename
        if name.startswith(_IMPORTERS):
            return IMPORT
        if name in _READERS_OF_SOURCE or any(tool in name for tool in _TOOLS):
            return TOOL
        if not name.startswith(_PASSED_BY) or "site-packages" in name:
            return ""
        frame = frame.f_back
    return ""
