"""What pagekit keeps."""

from dataclasses import dataclass, field

from unknot.web.simulated.pagekit.places import MAIN, TRASH


@dataclass
class User:
    name: str
    is_administrator: bool = False
    is_active: bool = True


@dataclass
class SiteItem:
    """A page or a link of the site."""

    name: str
    is_page: bool
    menu: str
    is_published: bool


@dataclass
class Widget:
    """`kind` is text, menu or login."""

    kind: str
    title: str
    is_published: bool


@dataclass
class Content:
    users: list[User] = field(default_factory=lambda: [User("admin", is_administrator=True)])
    roles: list[str] = field(default_factory=lambda: ["Administrator"])
    menus: list[str] = field(default_factory=lambda: [MAIN, TRASH])
    items: list[SiteItem] = field(default_factory=list)
    widgets: list[Widget] = field(default_factory=list)

    def has_page(self, name: str) -> bool:
        return any(each.is_page and each.name == name for each in self.items)
