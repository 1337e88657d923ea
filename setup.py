"""The compiled parts. Everything else about the project stands in pyproject.toml.

Without a compiler the project installs all the same: then the recorder does not see what tests leave in memory, and
says so. With UNKNOT_COMPILED=required, as wheels are built, that is an error.
"""

import os
from glob import glob

from setuptools import Extension, setup

_COMPILED = ("_heap", "_step", "_watch")

setup(
    ext_modules=[
        Extension(
            f"unknot.recorder.native.{name}",
            [f"src/unknot/recorder/native/{name}.c"],
            depends=glob("src/unknot/recorder/native/*.h"),
            optional=os.environ.get("UNKNOT_COMPILED") != "required",
        )
        for name in _COMPILED
    ]
)
