"""The forms of a page and of a link of a pagekit site."""

from unknot.web.simulated.pagekit.menus import MenusArea
from unknot.web.simulated.pagekit.places import (
    DESCRIPTIONS,
    IMAGE_DIALOG,
    LINK_DIALOG,
    LINK_FORM,
    LINK_NAMES,
    PAGE_FORM,
    PAGE_NAMES,
    PAGES,
    ROLE_NAMES,
    SNIPPETS,
    STATUS,
    YES_NO,
)
from unknot.web.simulated.pagekit.things import SiteItem
from unknot.web.simulated.site import action, link

_LINK_TYPES = ("link", "url alias", "redirect")


class PageForms(MenusArea):
    go_to_content = link(PAGE_FORM)
    go_to_meta = link(PAGE_FORM, LINK_FORM)
    go_to_settings_of_link = link(LINK_FORM, named="go_to_settings")
    close_edit_page = link(PAGE_FORM, to=PAGES)
    close_edit_link = link(LINK_FORM, to=PAGES)

    @action(
        PAGE_FORM,
        guard="no other page has the name",
        site_page=PAGE_NAMES,
        html_snippet=SNIPPETS,
        page_link_status=STATUS,
        hide_in_menu=YES_NO,
    )
    def add_edit_page(self, site_page: str, page_link_status: str, **_values: str) -> None:
        self._save_item(site_page, page_link_status, is_page=True)

    @action(
        PAGE_FORM,
        guard="no other page has the name and the role is there",
        site_page=PAGE_NAMES,
        html_snippet=SNIPPETS,
        page_link_status=STATUS,
        user_role=ROLE_NAMES,
        hide_in_menu=YES_NO,
    )
    def add_edit_page_restrict_access(
        self, site_page: str, page_link_status: str, user_role: str, **_values: str
    ) -> None:
        self.require(user_role in self._content.roles)
        self._save_item(site_page, page_link_status, is_page=True)

    @action(
        PAGE_FORM,
        to=IMAGE_DIALOG,
        guard="it is the page in the form",
        named="add_edit_meta",
        site_page=PAGE_NAMES,
        meta_description=DESCRIPTIONS,
    )
    def describe_page(self, site_page: str, meta_description: str) -> None:
        self._require_saved(site_page)
        self._illustrating = PAGE_FORM

    @action(
        LINK_FORM,
        guard="no other link has the name",
        named="add_link",
        page_link_status=STATUS,
        link_type=_LINK_TYPES,
        site_link=LINK_NAMES,
        hide_in_menu=YES_NO,
    )
    def save_link(self, page_link_status: str, site_link: str, **_values: str) -> None:
        self._save_item(site_link, page_link_status, is_page=False)

    @action(
        LINK_FORM,
        guard="no other link has the name and the role is there",
        page_link_status=STATUS,
        link_type=_LINK_TYPES,
        user_role=ROLE_NAMES,
        site_link=LINK_NAMES,
        hide_in_menu=YES_NO,
    )
    def add_link_restrict_access(self, page_link_status: str, user_role: str, site_link: str, **_values: str) -> None:
        self.require(user_role in self._content.roles)
        self._save_item(site_link, page_link_status, is_page=False)

    @action(
        LINK_FORM,
        to=IMAGE_DIALOG,
        guard="it is the link in the form",
        named="add_edit_meta",
        site_link=LINK_NAMES,
        meta_description=DESCRIPTIONS,
    )
    def describe_link(self, site_link: str, meta_description: str) -> None:
        """The published graph has no way from the images back to the form of a link; the dialog for links has."""
        self._require_saved(site_link)
        self._linking, self._illustrating = LINK_FORM, LINK_DIALOG

    @action(LINK_FORM, to=LINK_DIALOG)
    def select_url(self) -> None:
        self._linking = LINK_FORM

    def _require_saved(self, name: str) -> None:
        self.require(self._item is not None and self._item.name == name)

    def _save_item(self, name: str, status: str, *, is_page: bool) -> None:
        known = self._content.items
        self.require(not any((each.name, each.is_page) == (name, is_page) for each in known if each is not self._item))
        if self._item is None:
            self._item = SiteItem(name, is_page, self._menu, status == "published")
            known.append(self._item)
        else:
            self._item.name, self._item.is_published = name, status == "published"
