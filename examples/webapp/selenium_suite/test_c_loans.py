"""A member borrows a book; both were made by other tests."""

from selenium_suite.library_case import LibraryCase
from selenium_suite.test_a_catalogue import ATLAS
from selenium_suite.test_b_members import FULL_NAME, MEMBER, PASSWORD


class LoansTest(LibraryCase):
    def log_in_as_member(self) -> None:
        self.site.log_in(MEMBER, PASSWORD)
        self.assertEqual(self.site.alert, "")

    def test_01_borrow_book(self) -> None:
        self.log_in_as_member()
        self.show_book(ATLAS)
        self.site.press("Borrow")
        self.assertEqual(self.site.notice, "The book is yours.")

    def test_02_member_sees_own_loan(self) -> None:
        self.log_in_as_member()
        self.site.open("/loans")
        self.assertIn(FULL_NAME, self.site.row(ATLAS).text)

    def test_03_lent_book_is_not_available(self) -> None:
        self.show_book(ATLAS)
        self.assertEqual(self.site.find("#state").text, "On loan")

    def test_04_librarian_takes_book_back(self) -> None:
        self.log_in_as("lena")
        self.site.open("/loans")
        self.site.press("Return", within=self.site.row(ATLAS))
        self.assertEqual(self.site.notice, "The book was returned.")

    def test_05_visitor_may_not_see_loans(self) -> None:
        self.site.open("/loans")
        self.assertEqual(self.site.alert, "You may not do this.")
