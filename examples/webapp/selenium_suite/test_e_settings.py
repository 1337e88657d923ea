"""Settings that administrators make for all users, and where they show."""

from selenium_suite.library_case import LibraryCase

USUAL_NAME = "Harbour Library"
OTHER_NAME = "Library of the " + "Lighthouse"


class SettingsTest(LibraryCase):
    def rename_library(self, name: str) -> None:
        self.log_in_as("admin")
        self.site.open("/settings")
        self.site.fill("library name", name)
        self.site.press("Save")

    def check_title(self, name: str) -> None:
        self.site.open("/")
        self.assertEqual(self.site.driver.title, f"Welcome to {name} · {name}")

    def test_01_title_has_library_name(self) -> None:
        self.check_title(USUAL_NAME)

    def test_02_rename_library(self) -> None:
        self.rename_library(OTHER_NAME)
        self.check_title(OTHER_NAME)

    def test_03_give_library_its_name_back(self) -> None:
        self.rename_library(USUAL_NAME)
        self.check_title(USUAL_NAME)

    def test_04_close_registration(self) -> None:
        self.log_in_as("admin")
        self.site.open("/settings")
        self.site.choose("registration", "closed")
        self.site.press("Save")
        self.assertEqual(self.site.notice, "The settings were saved.")

    def test_05_visitor_cannot_register(self) -> None:
        self.site.open("/register")
        self.assertEqual(self.site.alert, "Registration is closed.")
