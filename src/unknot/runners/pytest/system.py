"""A copy of the system under test for one pytest worker."""

import os
from collections.abc import Mapping
from pathlib import Path

from unknot.runners.sandbox.sandbox import OpenGround
from unknot.runners.sut.instance import Instance
from unknot.runners.sut.spec import InstanceSpec


class System:
    """An instance on a ground of its own: ended with `close`, or with this process in whatever way that ends."""

    def __init__(self, spec: InstanceSpec, directory: Path) -> None:
        """Returns when it is ready. `directory` is where its commands run."""
        self._ground = OpenGround()
        self._instance = Instance(spec, self._ground.ground, directory, dict(os.environ))
        self._is_new = True
        try:
            self._instance.begin()
        except BaseException:
            self._ground.close()
            raise

    @property
    def variables(self) -> Mapping[str, str]:
        """For the environment of tests. May change with a reset."""
        return self._instance.variables

    def reset(self) -> None:
        if self._is_new:
            self._is_new = False
        else:
            self._instance.reset()

    def close(self) -> None:
        try:
            self._instance.stop()
        finally:
            self._ground.close()
