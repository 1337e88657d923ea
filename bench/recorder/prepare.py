"""Suites with their package installed for editing: the way its developers run them, and the way the recorder takes a
package for the user's own."""

from dataclasses import dataclass
from pathlib import Path

from bench.kit.environment import Environment, environment, install_unknot
from bench.kit.say import say
from bench.pytest_suite.prepare import download, unpack
from bench.pytest_suite.suites import SUITES

NAMES = ("jinja2", "werkzeug", "click", "attrs", "marshmallow", "flask")
SMALL = ("jinja2", "flask")


@dataclass(frozen=True)
class Prepared:
    """A suite that can be run."""

    name: str
    version: str
    directory: Path
    environment: Environment
    results: Path


def prepare(name: str, cache: Path, wheel: Path) -> Prepared:
    """Downloads, unpacks and installs what is not in the cache yet; unknot is always installed again."""
    suite = SUITES[name]
    say(f"{suite.name} {suite.version}")
    home = cache / "trace"
    archive = download(suite, cache / "archives", environment(cache / "builder", []))
    directory = home / f"{suite.name}-{suite.version}"
    unpack(archive, directory)
    made = environment(home / f"{suite.name}-env", [suite.pytest, *suite.requirements, "--editable", directory])
    install_unknot(made, wheel)
    results = home / "samples" / suite.name
    results.mkdir(parents=True, exist_ok=True)
    return Prepared(suite.name, suite.version, directory, made, results)
