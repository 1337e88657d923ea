"""The compiled parts. Everything else about the project stands in pyproject.toml.

Without a compiler the project installs all the same: then the recorder does not see what tests leave in memory, and
says so.
"""

from glob import glob

from setuptools import Extension, setup

_COMPILED = ("_heap", "_step", "_watch")

setup(
    ext_modules=[
        Extension(
            f"unknot.recorder.native.{name}",
            [f"src/unknot/recorder/native/{name}.c"],
            depends=glob("src/unknot/recorder/native/*.h"),
            optional=True,
        )
        for name in _COMPILED
    ]
)
