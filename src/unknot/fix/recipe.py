"""A fixture that was thought of and not yet written: its body, and what the body needs."""

from dataclasses import dataclass, replace

YIELD = "yield"
INDENT = "    "


@dataclass(frozen=True)
class Recipe:
    """`lines` are the body, indented by four spaces a level; where the test runs in the middle of it, a line says
    `yield`. `takes` are the fixtures it asks for, `says` is its docstring, `told` what it does, after "by"."""

    name: str
    says: str
    lines: tuple[str, ...]
    takes: tuple[str, ...] = ()
    told: str = ""

    def doing(self, calls: tuple[str, ...]) -> "Recipe":
        """The same, which also does this before the test runs."""
        found: list[str] = []
        for line in self.lines:
            if line.strip() == YIELD:
                space = line[: len(line) - len(line.lstrip())]
                found += [space + call for call in calls]
            found.append(line)
        if YIELD not in (line.strip() for line in self.lines):
            found += calls
        return replace(self, lines=tuple(found))
