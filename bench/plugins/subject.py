"""One plugin, and the small suite that uses what it is for."""

from collections.abc import Mapping
from dataclasses import dataclass, field

SHARED = """
ready = False
"""
DEPENDENCY = """

def test_sets_up():
    shared.ready = True


def test_depends():
    assert shared.ready
"""
DEPENDENT, PREREQUISITE = "test_depends", "test_sets_up"


@dataclass(frozen=True)
class Subject:
    """`distribution` is what PyPI calls the plugin. The planted dependency is added to `tests`, unless they contain
    it. `options` stand in `addopts`, `ini` below it; `in_order` makes plain pytest run all tests in the suite's order.
    `needs` are other plugins that this one uses."""

    distribution: str
    tests: str
    options: str = ""
    in_order: tuple[str, ...] = ()
    ini: str = ""
    needs: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def setting(self) -> str:
        """What was not left as the plugin has it."""
        words = [
            part.strip()
            for part in (self.options, *self.ini.splitlines())
            if part.strip() and not part.startswith("    ")
        ]
        return f"`{', '.join(words)}`" if words else ""

    def sources(self) -> dict[str, str]:
        """Files by name, but for the configuration."""
        tests = self.tests if DEPENDENT in self.tests else self.tests.rstrip() + "\n" + DEPENDENCY
        return {"shared.py": SHARED, "test_it.py": "import shared\n" + tests, **self.files}
