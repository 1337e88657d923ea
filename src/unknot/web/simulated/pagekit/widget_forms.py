"""The forms of the widgets of a pagekit site."""

from unknot.web.simulated.pagekit.places import (
    LINK_DIALOG,
    LOGIN_FORM,
    MENU_FORM,
    MENU_NAMES,
    NUMBERS,
    PAGE_NAMES,
    ROLE_NAMES,
    SNIPPETS,
    STATUS,
    TEXT_FORM,
    WIDGETS,
)
from unknot.web.simulated.pagekit.things import Widget
from unknot.web.simulated.pagekit.widgets import LOGIN_TITLES, MENU_TITLES, TEXT_TITLES, WidgetsArea
from unknot.web.simulated.site import action, link

_LEVELS = ("1", "5", "10")
_DEPTHS = ("no limit", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
_SUB_ITEMS = ("show", "hide")


class WidgetForms(WidgetsArea):
    go_to_settings_of_widget = link(TEXT_FORM, LOGIN_FORM, MENU_FORM, named="go_to_settings")
    go_to_visibility = link(TEXT_FORM, LOGIN_FORM, MENU_FORM)
    close_edit_text = link(TEXT_FORM, to=WIDGETS)
    close_edit_login = link(LOGIN_FORM, to=WIDGETS)
    close_edit_menu = link(MENU_FORM, to=WIDGETS)

    @action(TEXT_FORM, LOGIN_FORM, MENU_FORM, guard="the page is there", site_page=PAGE_NAMES)
    def restrict_visibility(self, site_page: str) -> None:
        self.require(self._content.has_page(site_page))

    @action(TEXT_FORM, MENU_FORM, guard="the page or link is there", site_link_or_page=NUMBERS)
    def add_edit_visibility_to_link_or_page(self, site_link_or_page: str) -> None:
        self.require(int(site_link_or_page) <= len(self._content.items))

    # Texts

    @action(
        TEXT_FORM,
        guard="no other widget has the title",
        widget_text_title=TEXT_TITLES,
        html_snippet=SNIPPETS,
        page_link_status=STATUS,
    )
    def add_edit_text_widget(self, widget_text_title: str, page_link_status: str, **_values: str) -> None:
        self._save_widget("text", widget_text_title, page_link_status)

    @action(
        TEXT_FORM,
        guard="no other widget has the title and the role is there",
        widget_text_title=TEXT_TITLES,
        html_snippet=SNIPPETS,
        page_link_status=STATUS,
        user_role=ROLE_NAMES,
    )
    def add_edit_text_widget_restrict_access(
        self, widget_text_title: str, page_link_status: str, user_role: str, **_values: str
    ) -> None:
        self._require_role(user_role)
        self._save_widget("text", widget_text_title, page_link_status)

    # Logins

    @action(LOGIN_FORM, guard="no other widget has the title", widget_login_title=LOGIN_TITLES, page_link_status=STATUS)
    def add_edit_login_details(self, widget_login_title: str, page_link_status: str) -> None:
        self._save_widget("login", widget_login_title, page_link_status)

    @action(
        LOGIN_FORM,
        guard="no other widget has the title and the role is there",
        widget_login_title=LOGIN_TITLES,
        page_link_status=STATUS,
        user_role=ROLE_NAMES,
    )
    def add_edit_login_details_restrict_access(
        self, widget_login_title: str, page_link_status: str, user_role: str
    ) -> None:
        self._require_role(user_role)
        self._save_widget("login", widget_login_title, page_link_status)

    @action(
        LOGIN_FORM,
        guard="no other widget has the title and a link was chosen",
        widget_login_title=LOGIN_TITLES,
        page_link_status=STATUS,
    )
    def add_edit_login_details_with_url(self, widget_login_title: str, page_link_status: str) -> None:
        self.require(LOGIN_FORM in self._links)
        self._save_widget("login", widget_login_title, page_link_status)

    @action(LOGIN_FORM, to=LINK_DIALOG, guard="the widget was saved")
    def select_login_redirect_link(self) -> None:
        self._begin_link()

    @action(LOGIN_FORM, to=LINK_DIALOG, guard="the widget was saved")
    def select_logout_redirect_link(self) -> None:
        self._begin_link()

    # Menus

    @action(
        MENU_FORM,
        guard="no other widget has the title and the menu is there",
        widget_menu_title=MENU_TITLES,
        site_menu=MENU_NAMES,
        start_level=_LEVELS,
        depth=_DEPTHS,
        menu_sub_item=_SUB_ITEMS,
        page_link_status=STATUS,
    )
    def add_edit_menu_details(
        self, widget_menu_title: str, site_menu: str, page_link_status: str, **_values: str
    ) -> None:
        self._save_menu_widget(widget_menu_title, site_menu, page_link_status)

    @action(
        MENU_FORM,
        guard="no other widget has the title, and the menu and the role are there",
        widget_menu_title=MENU_TITLES,
        site_menu=MENU_NAMES,
        start_level=_LEVELS,
        depth=_DEPTHS,
        menu_sub_item=_SUB_ITEMS,
        page_link_status=STATUS,
        user_role=ROLE_NAMES,
    )
    def add_edit_menu_details_restrict_access(
        self, widget_menu_title: str, site_menu: str, page_link_status: str, user_role: str, **_values: str
    ) -> None:
        self._require_role(user_role)
        self._save_menu_widget(widget_menu_title, site_menu, page_link_status)

    def _require_role(self, name: str) -> None:
        self.require(name in self._content.roles)

    def _begin_link(self) -> None:
        self.require(self._widget is not None)
        self._linking = LOGIN_FORM

    def _save_menu_widget(self, title: str, menu: str, status: str) -> None:
        self.require(menu in self._content.menus)
        self._save_widget("menu", title, status)

    def _save_widget(self, kind: str, title: str, status: str) -> None:
        known = self._content.widgets
        self.require(not any((each.kind, each.title) == (kind, title) for each in known if each is not self._widget))
        if self._widget is None:
            self._widget = Widget(kind, title, status == "published")
            known.append(self._widget)
        else:
            self._widget.title, self._widget.is_published = title, status == "published"
