"""What all pages of pagekit share: the menus at the top, and the dialogs, which lead back to where they were opened."""

from collections.abc import Callable

from unknot.web.simulated.pagekit.places import (
    DASHBOARD,
    DELETE_DIALOG,
    EVERYWHERE,
    FILES,
    IMAGE_DIALOG,
    LINK_DIALOG,
    LINK_FORM,
    LOGIN_FORM,
    NAME_DIALOG,
    PAGE_FORM,
    PAGE_NAMES,
    PAGES,
    ROLES,
    SITE_PAGES,
    USER_SETTINGS,
    USERS,
    WIDGETS,
)
from unknot.web.simulated.pagekit.things import Content
from unknot.web.simulated.site import Site, Target, action, link

_LINK_OPENERS = (USER_SETTINGS, LINK_FORM, LOGIN_FORM)
_EXTENSIONS = ("page", "user", "storage")
_VIEWS = ("login", "logout", "profile", "registration", "reset password")


class PagekitDialogs(Site):
    def __init__(self) -> None:
        super().__init__()
        self._content = Content()
        self._opener = ""
        self._confirmed: Callable[[], str] = str
        """Does what was asked for, and returns the way."""
        self._linking, self._illustrating = "", ""
        self._links: dict[str, str] = {}
        """What was chosen in the dialog for links, by the page that opened it."""

    go_to_dashboard = link(*EVERYWHERE, to=DASHBOARD)
    go_to_site = link(*EVERYWHERE, to=PAGES)
    go_to_users = link(*EVERYWHERE, to=USERS)
    go_to_pages = link(*SITE_PAGES, to=PAGES)
    go_to_widgets = link(*SITE_PAGES, to=WIDGETS)

    # Deleting, and naming

    @action(DELETE_DIALOG, to=(DASHBOARD, USERS, ROLES, PAGES), guard="it was opened there", named="cancel_operation")
    def keep(self) -> str:
        return self._opener

    @action(
        DELETE_DIALOG,
        to=(DASHBOARD, (USERS, "user deleted"), (USERS, "the administrator stays"), ROLES, PAGES),
        guard="it was opened there",
    )
    def confirm_operation(self) -> Target:
        return self._opener, self._confirmed()

    @action(NAME_DIALOG, to=(ROLES, PAGES), guard="it was opened there", named="cancel_operation")
    def leave_name(self) -> str:
        return self._opener

    @action(
        NAME_DIALOG,
        to=[(page, way) for page in (ROLES, PAGES) for way in ("saved", "the name is taken")],
        guard="it was opened there",
    )
    def add_item(self) -> Target:
        return self._opener, self._confirmed()

    def _ask(self, opener: str, confirmed: Callable[[], str]) -> None:
        self._opener, self._confirmed = opener, confirmed

    # Links

    @action(LINK_DIALOG, to=_LINK_OPENERS, guard="it was opened there", named="cancel_operation")
    def leave_link(self) -> str:
        return self._linking

    @action(
        LINK_DIALOG,
        to=_LINK_OPENERS,
        guard="the extension has pages and the page is there",
        extension=_EXTENSIONS,
        site_page=PAGE_NAMES,
    )
    def select_link_page(self, extension: str, site_page: str) -> str:
        self.require(extension == "page" and self._content.has_page(site_page))
        return self._chosen_link(site_page)

    @action(LINK_DIALOG, to=_LINK_OPENERS, guard="the extension is about users", extension=_EXTENSIONS, view=_VIEWS)
    def select_link_user(self, extension: str, view: str) -> str:
        self.require(extension == "user")
        return self._chosen_link(view)

    @action(LINK_DIALOG, to=IMAGE_DIALOG, guard="the extension has files", extension=_EXTENSIONS)
    def select_link_storage(self, extension: str) -> None:
        self.require(extension == "storage")
        self._illustrating = LINK_DIALOG

    @action(LINK_DIALOG, to=_LINK_OPENERS, guard="a link was chosen there")
    def update(self) -> str:
        self.require(self._linking in self._links)
        return self._linking

    def _chosen_link(self, chosen: str) -> str:
        self._links[self._linking] = chosen
        return self._linking

    # Images

    @action(IMAGE_DIALOG, to=(LINK_DIALOG, PAGE_FORM), guard="it was opened there", named="cancel_operation")
    def leave_image(self) -> str:
        return self._illustrating

    @action(IMAGE_DIALOG, to=(LINK_DIALOG, PAGE_FORM), guard="it was opened there", file_name=FILES)
    def select_file(self, file_name: str) -> str:
        if self._illustrating == LINK_DIALOG:
            self._links[self._linking] = file_name
        return self._illustrating
