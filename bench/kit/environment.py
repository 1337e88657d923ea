"""Virtual environments under the cache directory, made once for each list of requirements."""

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.kit.failure import BenchFailure
from bench.kit.process import Finished, run
from bench.kit.say import say

CHECKOUT = Path(__file__).resolve().parents[2]
DEFAULT_CACHE = CHECKOUT / "bench" / ".cache"

_SECONDS_FOR_PIP = 900.0
_NOT_PASSED_ON = (
    "PYTEST_ADDOPTS",
    "PYTEST_PLUGINS",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONDONTWRITEBYTECODE",
    "VIRTUAL_ENV",
)


@dataclass(frozen=True)
class Environment:
    """A virtual environment, by its directory."""

    directory: Path

    @property
    def python(self) -> Path:
        return self.directory / "bin" / "python"

    def script(self, name: str) -> Path:
        """A command that a package has installed."""
        return self.directory / "bin" / name

    def variables(self) -> dict[str, str]:
        """Those of this process, as if the environment were activated."""
        kept = {name: value for name, value in os.environ.items() if name not in _NOT_PASSED_ON}
        return kept | {
            "PATH": f"{self.directory / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "VIRTUAL_ENV": str(self.directory),
        }

    def pip(self, *words: str | Path) -> Finished:
        """`pip` in this environment; raises if it fails."""
        command = [self.python, "-m", "pip", "--disable-pip-version-check", *words]
        log = self.directory.with_suffix(".pip.log")
        done = run(command, directory=self.directory, environment=self.variables(), timeout=_SECONDS_FOR_PIP, log=log)
        if done.code:
            raise BenchFailure(f"pip {words[0]} failed: {_pip_error(done.output)} (all of it: {log})")
        return done


def environment(directory: Path, requirements: Sequence[str | Path], *, python: str = sys.executable) -> Environment:
    """The environment in `directory` with `requirements` installed; made again when they have changed."""
    made = Environment(directory)
    wanted = "\n".join([python, *map(str, requirements)])
    stamp = directory / "bench-requirements.txt"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return made
    say(f"  environment {directory.name}")
    shutil.rmtree(directory, ignore_errors=True)
    directory.parent.mkdir(parents=True, exist_ok=True)
    log = directory.with_suffix(".venv.log")
    done = run(
        [python, "-m", "venv", directory],
        directory=directory.parent,
        environment=os.environ,
        timeout=_SECONDS_FOR_PIP,
        log=log,
    )
    if done.code:
        raise BenchFailure(f"no environment could be made with {python}: {done.last_line()}")
    if requirements:
        made.pip("install", "--quiet", *requirements)
    stamp.write_text(wanted, encoding="utf-8")
    return made


def unknot_wheel(cache: Path) -> Path:
    """unknot as it stands in the checkout now, built once for a whole benchmark."""
    builder = environment(cache / "builder", [])
    target = cache / "wheel"
    shutil.rmtree(target, ignore_errors=True)
    builder.pip("wheel", "--quiet", "--no-deps", "--wheel-dir", target, CHECKOUT)
    (wheel,) = target.glob("*.whl")
    return wheel


def install_unknot(into: Environment, wheel: Path) -> None:
    """Also over an earlier build of the same version."""
    into.pip("install", "--quiet", wheel)
    into.pip("install", "--quiet", "--no-deps", "--force-reinstall", wheel)


def _pip_error(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["no output"])[-1]
