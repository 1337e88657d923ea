"""Members: those who come by themselves, and what administrators make of them."""

from selenium_suite.library_case import LibraryCase

MEMBER = "omar"
FULL_NAME = "Omar Okafor"
PASSWORD = "{}-swordfish".format(MEMBER)


class MembersTest(LibraryCase):
    def search_member(self, text: str) -> None:
        self.site.open("/people")
        self.site.fill("q", text)
        self.site.press("Search")

    def test_01_register_member(self) -> None:
        self.site.open("/register")
        self.assertEqual(self.site.alert, "")
        self.site.fill("full_name", FULL_NAME)
        self.site.fill("name", MEMBER)
        self.site.fill("password", PASSWORD)
        self.site.press("Register")
        self.assertIn(f"log in as {MEMBER}", self.site.notice)

    def test_02_login_as_registered_member(self) -> None:
        self.site.log_in(MEMBER, PASSWORD)
        self.assertEqual(self.site.texts("#user"), [f"{FULL_NAME} (reader)"])

    def test_03_search_member_by_full_name(self) -> None:
        self.log_in_as("admin")
        self.search_member(FULL_NAME.lower())
        self.assertIn(MEMBER, self.site.row(FULL_NAME).text)

    def test_04_promote_member_to_librarian(self) -> None:
        self.log_in_as("admin")
        self.site.open("/people")
        self.site.click_link("Edit", within=self.site.row(FULL_NAME))
        self.site.choose("role", "librarian")
        self.site.press("Save")
        self.assertIn("librarian", self.site.row(FULL_NAME).text)

    def test_05_promoted_member_may_add_books(self) -> None:
        self.site.log_in(MEMBER, PASSWORD)
        self.site.open("/books")
        self.assertIn("Add book", self.site.texts("main a"))

    def test_06_add_member_with_short_password_is_refused(self) -> None:
        self.log_in_as("admin")
        self.site.open("/people/new")
        self.site.fill("name", "shorty")
        self.site.fill("full_name", "Shorty Short")
        self.site.fill("password", "1234")
        self.site.press("Add")
        self.assertEqual(self.site.alert, "The password needs 8 characters.")

    def test_07_login_with_wrong_password_is_refused(self) -> None:
        self.site.log_in("rita", "open sesame")
        self.assertEqual(self.site.alert, "Name or password is wrong.")

    def test_08_reader_has_no_link_to_people(self) -> None:
        self.log_in_as("rita")
        self.site.open("/")
        self.assertNotIn("People", self.site.texts("nav a"))
