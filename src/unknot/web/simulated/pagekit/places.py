"""The pages of pagekit, and the values of its fields."""

LINK_DIALOG, DELETE_DIALOG, NAME_DIALOG, IMAGE_DIALOG = (
    "SelectLinkPage",
    "DeleteItemPage",
    "AddEditItemPage",
    "SelectImagePage",
)
DASHBOARD = "DashboardContainerPage"
USERS, ROLES, USER_FORM, PERMISSIONS, USER_SETTINGS = USER_PAGES = (
    "UserListContainerPage",
    "RolesContainerPage",
    "AddEditUserContainerPage",
    "PermissionsContainerPage",
    "UserSettingsContainerPage",
)
PAGES, PAGE_FORM, TEXT_FORM, LINK_FORM, WIDGETS, LOGIN_FORM, MENU_FORM = SITE_PAGES = (
    "PagesContainerPage",
    "AddEditPageContainerPage",
    "AddEditTextWidgetContainerPage",
    "AddEditLinkContainerPage",
    "WidgetsContainerPage",
    "AddEditLoginWidgetContainerPage",
    "AddEditMenuWidgetContainerPage",
)
EVERYWHERE = (DASHBOARD, *USER_PAGES, *SITE_PAGES)

IDS = ("1", "2", "3", "4")
NUMBERS = ("1", "2", "3")
STATUS = ("published", "unpublished")
YES_NO = ("yes", "no")
ROLE_NAMES = ("Administrator", "Editor", "Author", "Reviewer")
MAIN, TRASH = "Main", "Trash"
MENU_NAMES = (MAIN, "Footer", "Sidebar", "Top", TRASH)
PAGE_NAMES = ("About", "Blog", "Contact")
LINK_NAMES = ("Shop", "Forum", "Wiki")
SNIPPETS = ("<p>Hello</p>", "<h1>News</h1>", "<b>Bold</b>")
DESCRIPTIONS = ("about us", "our blog", "write to us")
FILES = ("logo.png", "photo.jpg")
