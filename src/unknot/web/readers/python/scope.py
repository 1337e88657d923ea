"""Where names live while code is read."""

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unknot.web.readers.python.things import Values


@dataclass(slots=True, eq=False)
class Scope:
    """The names of one module, class body or call of a function. `parent` is where else a name is looked for; a class
    body is nobody's parent, as in Python."""

    module: "Module"
    function: str = ""
    parent: "Scope | None" = None
    names: "dict[str, Values]" = field(default_factory=dict)
    returned: "list[Values]" = field(default_factory=list)
    yielded: "list[Values]" = field(default_factory=list)
    outer_names: set[str] = field(default_factory=set)
    """Those declared global or nonlocal."""
    is_class_body: bool = False
    annotated: list[str] = field(default_factory=list)

    def holder(self, name: str) -> "Scope | None":
        """The nearest scope that has the name."""
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.parent
        return scope

    @property
    def for_functions(self) -> "Scope":
        """The parent of the functions that are defined here."""
        scope = self
        while scope.is_class_body and scope.parent is not None:
            scope = scope.parent
        return scope


@dataclass(slots=True, eq=False)
class Module:
    """A file of the project, or a directory of it without code. `gaps` say what could not be read of it; `is_open`
    says that it may have names that were not seen."""

    path: str
    tree: ast.Module | None = None
    gaps: list[str] = field(default_factory=list)
    is_open: bool = False
    is_read: bool = False
    is_being_read: bool = False
    scope: Scope = field(init=False)

    def __post_init__(self) -> None:
        self.scope = Scope(self)

    @property
    def directory(self) -> str:
        """Where relative imports start, and where the modules of a package lie."""
        return self.path.rpartition("/")[0]

    @property
    def is_package(self) -> bool:
        return self.path.endswith("/") or self.path.rpartition("/")[2] == "__init__.py"
