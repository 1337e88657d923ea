"""From a name to a directory with tests and an environment in which they run."""

import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path

from bench.kit.environment import Environment, environment, install_unknot
from bench.kit.failure import BenchFailure
from bench.kit.say import say
from bench.pytest_suite.suites import Suite


@dataclass(frozen=True)
class Prepared:
    """A suite that can be run."""

    suite: Suite
    directory: Path
    environment: Environment
    logs: Path


def prepare(suite: Suite, cache: Path, wheel: Path) -> Prepared:
    """Downloads, unpacks and installs what is not in the cache yet; unknot is always installed again."""
    say(f"{suite.name} {suite.version}")
    archive = download(suite, cache / "archives", environment(cache / "builder", []))
    made = environment(cache / "suites" / f"{suite.name}-env", [suite.pytest, *suite.requirements, archive])
    install_unknot(made, wheel)
    directory = cache / "suites" / f"{suite.name}-{suite.version}"
    unpack(archive, directory)
    return Prepared(suite, directory, made, cache / "logs" / suite.name)


def download(suite: Suite, target: Path, builder: Environment) -> Path:
    pattern = f"{suite.name}-{suite.version}.tar.gz"
    target.mkdir(parents=True, exist_ok=True)
    if not (target / pattern).exists():
        say("  download")
        # Only this package from source: pip may use wheels for what is needed to read its metadata.
        requirement = f"{suite.name}=={suite.version}"
        builder.pip("download", "--quiet", "--no-deps", "--no-binary", suite.name, "--dest", target, requirement)
    if not (target / pattern).exists():
        raise BenchFailure(f"pip downloaded no {pattern}")
    return target / pattern


def unpack(archive: Path, directory: Path) -> None:
    """Always from scratch, so that nothing is left of earlier runs."""
    shutil.rmtree(directory, ignore_errors=True)
    temporary = directory.with_name(f"{directory.name}.new")
    shutil.rmtree(temporary, ignore_errors=True)
    with tarfile.open(archive) as opened:
        opened.extractall(temporary, filter="data")
    (top,) = temporary.iterdir()
    top.rename(directory)
    temporary.rmdir()
    if not any("[pytest]" in text or "[tool.pytest" in text for text in _configurations(directory)):
        # Otherwise pytest would take the configuration of the directories above: unknot's own.
        (directory / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")


def _configurations(directory: Path) -> list[str]:
    paths = [directory / name for name in ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")]
    return [path.read_text(encoding="utf-8") for path in paths if path.exists()]
