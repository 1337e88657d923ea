"""Users, roles and permissions of pagekit."""

from collections.abc import Mapping, Sequence

from unknot.web.simulated.pagekit.dashboard import DashboardArea
from unknot.web.simulated.pagekit.places import (
    DASHBOARD,
    DELETE_DIALOG,
    EVERYWHERE,
    IDS,
    LINK_DIALOG,
    NAME_DIALOG,
    PERMISSIONS,
    ROLE_NAMES,
    ROLES,
    USER_FORM,
    USER_PAGES,
    USER_SETTINGS,
    USERS,
)
from unknot.web.simulated.pagekit.things import User
from unknot.web.simulated.site import Target, action, link

_USERNAMES = ("ada", "bob")
_NAMES = ("Ada", "Bob")
_EMAILS = ("ada@example.org", "bob@example.org")
_PASSWORDS = ("secret1", "secret2")
_STATUS = ("active", "blocked")
_REGISTRATION = ("disabled", "enabled", "approval")


class UsersArea(DashboardArea):
    def __init__(self) -> None:
        super().__init__()
        self._user: User | None = None
        """In the form; none if a new one is entered."""

    go_to_permissions = link(*USER_PAGES, to=PERMISSIONS)
    go_to_roles = link(*USER_PAGES, to=ROLES)
    go_to_settings = link(*USER_PAGES, to=USER_SETTINGS)
    go_to_user_list = link(*USER_PAGES, to=USERS)
    close_operation = link(USER_FORM, to=USERS)
    save_settings = link(USER_SETTINGS)

    @action(USER_SETTINGS, to=LINK_DIALOG, registration_user_settings=_REGISTRATION)
    def change_settings(self, registration_user_settings: str) -> None:
        self._linking = USER_SETTINGS

    # Users

    @action(*EVERYWHERE, to=USER_FORM)
    def go_to_edit_current_user(self) -> None:
        self._user = self._content.users[0]

    @action(DASHBOARD, to=USER_FORM, guard="a widget shows the user", id=IDS)
    def go_to_edit_user(self, id: str) -> None:
        self.require("user" in self._kinds)
        self._user = self._listed_user(id)

    @action(USERS, to=USER_FORM, named="add_user")
    def enter_user(self) -> None:
        self._user = None

    @action(
        USER_FORM,
        to=((USER_FORM, "user added"), (USER_FORM, "the name is taken")),
        guard="the user is new",
        username=_USERNAMES,
        name=_NAMES,
        email=_EMAILS,
        user_password=_PASSWORDS,
        user_status=_STATUS,
    )
    def add_user(self, username: str, user_status: str, **_values: str) -> Target:
        self.require(self._user is None)
        if any(each.name == username for each in self._content.users):
            return USER_FORM, "the name is taken"
        self._user = User(username, is_active=user_status == "active")
        self._content.users.append(self._user)
        return USER_FORM, "user added"

    @action(
        USER_FORM,
        guard="the user is not new",
        username=_USERNAMES,
        name=_NAMES,
        email=_EMAILS,
        user_password=_PASSWORDS,
    )
    def edit_user(self, **_values: str) -> None:
        self.require(self._user is not None)

    @action(USERS, guard="the user is blocked", id=IDS)
    def activate_user(self, id: str) -> None:
        user = self._listed_user(id)
        self.require(not user.is_active)
        user.is_active = True

    @action(
        USERS,
        to=((USERS, "user blocked"), (USERS, "the administrator stays active")),
        guard="the user is active",
        id=IDS,
    )
    def block_user(self, id: str) -> Target:
        user = self._listed_user(id)
        self.require(user.is_active)
        if user.is_administrator:
            return USERS, "the administrator stays active"
        user.is_active = False
        return USERS, "user blocked"

    @action(USERS, to=DELETE_DIALOG, guard="it is the administrator", id=IDS)
    def delete_admin_user(self, id: str) -> None:
        self.require(self._listed_user(id).is_administrator)
        self._ask(USERS, lambda: "the administrator stays")

    @action(USERS, to=DELETE_DIALOG, guard="it is another user than the administrator", id=IDS)
    def delete_user(self, id: str) -> None:
        user = self._listed_user(id)
        self.require(not user.is_administrator)
        self._ask(USERS, lambda: self._delete_user(user))

    # Roles

    @action(ROLES, to=NAME_DIALOG, guard="there is no such role", user_role=ROLE_NAMES)
    def add_user_role(self, user_role: str) -> None:
        self.require(user_role not in self._content.roles)
        self._ask(ROLES, lambda: self._save_role("", user_role))

    @action(ROLES, to=NAME_DIALOG, guard="there is such a role", user_role=ROLE_NAMES)
    def add_existing_user_role(self, user_role: str) -> None:
        self.require(user_role in self._content.roles)
        self._ask(ROLES, lambda: self._save_role("", user_role))

    @action(
        ROLES,
        to=NAME_DIALOG,
        guard="the one role is there, the other is not",
        user_role_to_edit=ROLE_NAMES,
        new_user_role=ROLE_NAMES,
    )
    def edit_user_role(self, user_role_to_edit: str, new_user_role: str) -> None:
        self._require_own_role(user_role_to_edit)
        self.require(new_user_role not in self._content.roles)
        self._ask(ROLES, lambda: self._save_role(user_role_to_edit, new_user_role))

    @action(
        ROLES,
        to=NAME_DIALOG,
        guard="both roles are there and differ",
        user_role_to_edit=ROLE_NAMES,
        existing_user_role=ROLE_NAMES,
    )
    def edit_user_role_with_existing_one(self, user_role_to_edit: str, existing_user_role: str) -> None:
        self._require_own_role(user_role_to_edit)
        self.require(existing_user_role in self._content.roles and existing_user_role != user_role_to_edit)
        self._ask(ROLES, lambda: self._save_role(user_role_to_edit, existing_user_role))

    @action(ROLES, to=DELETE_DIALOG, guard="the role is there and not built in", user_role_to_delete=ROLE_NAMES)
    def delete_user_role(self, user_role_to_delete: str) -> None:
        self._require_own_role(user_role_to_delete)
        self._ask(ROLES, lambda: self._delete_role(user_role_to_delete))

    @action(ROLES, PERMISSIONS, guard="the role is there and not built in", user_roles=ROLE_NAMES)
    def give_or_remove_all_permissions_to_user_role(self, user_roles: str) -> None:
        self._require_own_role(user_roles)

    def in_view(self) -> Mapping[str, Sequence[str]]:
        if self.page == USERS:
            return {"users": [each.name for each in self._content.users]}
        if self.page in (ROLES, PERMISSIONS):
            return {"roles": self._content.roles}
        return super().in_view()

    def _listed_user(self, number: str) -> User:
        self.require(int(number) <= len(self._content.users))
        return self._content.users[int(number) - 1]

    def _delete_user(self, user: User) -> str:
        self._content.users.remove(user)
        return "user deleted"

    def _require_own_role(self, name: str) -> None:
        self.require(name in self._content.roles[1:])

    def _save_role(self, old: str, new: str) -> str:
        roles = self._content.roles
        if new in roles:
            return "the name is taken"
        if old:
            roles[roles.index(old)] = new
        else:
            roles.append(new)
        return "saved"

    def _delete_role(self, name: str) -> str:
        self._content.roles.remove(name)
        return ""
