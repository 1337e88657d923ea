"""The pages and links of a pagekit site, by menu."""

from collections.abc import Mapping, Sequence

from unknot.web.simulated.pagekit.dialogs import PagekitDialogs
from unknot.web.simulated.pagekit.places import (
    LINK_FORM,
    LINK_NAMES,
    MAIN,
    MENU_NAMES,
    NAME_DIALOG,
    NUMBERS,
    PAGE_FORM,
    PAGE_NAMES,
    PAGES,
    TRASH,
)
from unknot.web.simulated.pagekit.things import SiteItem
from unknot.web.simulated.site import action


class MenusArea(PagekitDialogs):
    def __init__(self) -> None:
        super().__init__()
        self._menu = MAIN
        """In view."""
        self._item: SiteItem | None = None
        """In the form; none if a new one is entered."""

    # Menus

    @action(PAGES, to=NAME_DIALOG, guard="there is no such menu", site_menu=MENU_NAMES)
    def add_menu(self, site_menu: str) -> None:
        self.require(site_menu not in self._content.menus)
        self._ask(PAGES, lambda: self._save_menu("", site_menu))

    @action(PAGES, to=NAME_DIALOG, guard="there is such a menu", site_menu=MENU_NAMES)
    def add_existing_menu(self, site_menu: str) -> None:
        self.require(site_menu in self._content.menus)
        self._ask(PAGES, lambda: self._save_menu("", site_menu))

    @action(
        PAGES,
        to=NAME_DIALOG,
        guard="the one menu is there and not built in, the other is not there",
        site_menu=MENU_NAMES,
        new_name_site_menu=MENU_NAMES,
    )
    def edit_menu(self, site_menu: str, new_name_site_menu: str) -> None:
        self._require_own_menu(site_menu)
        self.require(new_name_site_menu not in self._content.menus)
        self._ask(PAGES, lambda: self._save_menu(site_menu, new_name_site_menu))

    @action(
        PAGES,
        to=NAME_DIALOG,
        guard="both menus are there and differ, and the one is not built in",
        site_menu=MENU_NAMES,
        new_name_site_menu=MENU_NAMES,
    )
    def edit_menu_with_existing_menu(self, site_menu: str, new_name_site_menu: str) -> None:
        self._require_own_menu(site_menu)
        self.require(new_name_site_menu in self._content.menus and new_name_site_menu != site_menu)
        self._ask(PAGES, lambda: self._save_menu(site_menu, new_name_site_menu))

    @action(PAGES, guard="the menu is there", site_menu=MENU_NAMES)
    def go_to_menu(self, site_menu: str) -> None:
        self.require(site_menu in self._content.menus)
        self._menu = site_menu

    # New and old pages and links

    @action(PAGES, to=PAGE_FORM, guard="the trash is not in view")
    def add_page(self) -> None:
        self._begin_item()

    @action(PAGES, to=LINK_FORM, guard="the trash is not in view")
    def add_link(self) -> None:
        self._begin_item()

    @action(PAGES, to=PAGE_FORM, guard="the page is in view", site_page=PAGE_NAMES)
    def edit_page(self, site_page: str) -> None:
        self._edit_item(site_page, is_page=True)

    @action(PAGES, to=LINK_FORM, guard="the link is in view", site_link=LINK_NAMES)
    def edit_link(self, site_link: str) -> None:
        self._edit_item(site_link, is_page=False)

    # One of them, or all in view

    @action(PAGES, guard="it is in view", site_link_or_page=NUMBERS)
    def delete_link_or_page(self, site_link_or_page: str) -> None:
        self._delete(self._listed_item(site_link_or_page))

    @action(PAGES, guard="something is in view")
    def delete_all_pages_and_links(self) -> None:
        for each in self._some_items():
            self._delete(each)

    @action(
        PAGES,
        guard="it is in view and the menu is another one",
        site_link_or_page=NUMBERS,
        site_menu=MENU_NAMES,
    )
    def move_link_or_page_to_menu(self, site_link_or_page: str, site_menu: str) -> None:
        self._require_other_menu(site_menu)
        self._listed_item(site_link_or_page).menu = site_menu

    @action(PAGES, guard="something is in view and the menu is another one", site_menu=MENU_NAMES)
    def move_all_pages_and_links_to_menu(self, site_menu: str) -> None:
        self._require_other_menu(site_menu)
        for each in self._some_items():
            each.menu = site_menu

    @action(PAGES, guard="it is in view and not published", site_link_or_page=NUMBERS)
    def publish_link_or_page(self, site_link_or_page: str) -> None:
        self._publish(self._listed_item(site_link_or_page), published=True)

    @action(PAGES, guard="it is in view and published", site_link_or_page=NUMBERS)
    def unpublish_link_or_page(self, site_link_or_page: str) -> None:
        self._publish(self._listed_item(site_link_or_page), published=False)

    @action(PAGES, guard="something is in view")
    def publish_all_pages_and_links(self) -> None:
        for each in self._some_items():
            each.is_published = True

    @action(PAGES, guard="something is in view")
    def unpublish_all_pages_and_links(self) -> None:
        for each in self._some_items():
            each.is_published = False

    def in_view(self) -> Mapping[str, Sequence[str]]:
        if self.page == PAGES:
            return {"menus": self._content.menus, "pages": [each.name for each in self._in_menu()]}
        return super().in_view()

    def _require_own_menu(self, name: str) -> None:
        self.require(name in self._content.menus and name not in (MAIN, TRASH))

    def _require_other_menu(self, name: str) -> None:
        self.require(name in self._content.menus and name != self._menu)

    def _save_menu(self, old: str, new: str) -> str:
        menus = self._content.menus
        if new in menus:
            return "the name is taken"
        if not old:
            menus.append(new)
            return "saved"
        menus[menus.index(old)] = new
        for each in self._content.items:
            each.menu = new if each.menu == old else each.menu
        self._menu = new if self._menu == old else self._menu
        return "saved"

    def _in_menu(self) -> list[SiteItem]:
        return [each for each in self._content.items if each.menu == self._menu]

    def _some_items(self) -> list[SiteItem]:
        items = self._in_menu()
        self.require(bool(items))
        return items

    def _listed_item(self, number: str) -> SiteItem:
        items = self._in_menu()
        self.require(int(number) <= len(items))
        return items[int(number) - 1]

    def _begin_item(self) -> None:
        self.require(self._menu != TRASH)
        self._item = None

    def _edit_item(self, name: str, *, is_page: bool) -> None:
        found = [each for each in self._in_menu() if (each.name, each.is_page) == (name, is_page)]
        self.require(bool(found))
        self._item = found[0]

    def _delete(self, item: SiteItem) -> None:
        """From the trash for good."""
        if item.menu == TRASH:
            self._content.items.remove(item)
        item.menu = TRASH

    def _publish(self, item: SiteItem, *, published: bool) -> None:
        self.require(item.is_published != published)
        item.is_published = published
