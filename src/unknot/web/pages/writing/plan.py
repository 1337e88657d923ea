"""The classes that are to be written."""

from dataclasses import dataclass, field

from unknot.web.pages.writing.code import Chain
from unknot.web.pages.writing.methods import PlannedMethod
from unknot.web.pages.writing.signs import PageSign


@dataclass(frozen=True)
class PlannedGetter:
    """A property: a list of texts in view."""

    name: str
    texts: Chain


@dataclass(frozen=True)
class PlannedRows:
    """Repeated parts of a page with something to do in each. `role` is theirs."""

    several: str
    one: str
    role: str


@dataclass(frozen=True)
class PlannedClass:
    """A page or a component, which the class `name` in the module `module` stands for. `key` says what it was made for,
    so that it keeps its name. `path` is the address of a page that can be opened by it. `parts` are the components of a
    page: their attributes, with class and module."""

    name: str
    module: str
    key: str
    doc: str
    sign: PageSign
    path: str = ""
    parts: tuple[tuple[str, str, str], ...] = ()
    rows: tuple[PlannedRows, ...] = ()
    getters: tuple[PlannedGetter, ...] = ()
    methods: tuple[PlannedMethod, ...] = ()


@dataclass(frozen=True)
class PagePlan:
    """All classes, and what they stand for: the class of each kind of page; the method of each action, by the kind of
    page or the key of the component, and its own key; the attribute of each component, by the class of the page and
    its name; and the getter of each list of values, by the class and the name of the list."""

    classes: tuple[PlannedClass, ...]
    class_of: dict[str, str]
    method_of: dict[tuple[str, str], str] = field(default_factory=dict)
    attribute_of: dict[tuple[str, str], str] = field(default_factory=dict)
    getter_of: dict[tuple[str, str], str] = field(default_factory=dict)

    def module_of(self, name: str) -> str:
        return next(each.module for each in self.classes if each.name == name)
