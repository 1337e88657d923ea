"""Books and categories. Tests run by their numbers; later ones use what earlier ones have left."""

from selenium_suite.library_case import LibraryCase

CATEGORY = "Maps"
ATLAS = "Atlas of Coasts"
ATLAS_AUTHOR = "Carla Coast"
BOOKLET = "Tide Tables"


class CatalogueTest(LibraryCase):
    def setUp(self) -> None:
        self.log_in_as("lena")

    def search(self, text: str) -> None:
        self.site.open("/books")
        self.site.fill("q", text)
        self.site.press("Search")

    def test_01_science_has_one_book(self) -> None:
        self.site.open("/books?category=Science")
        self.assertEqual(len(self.site.all("tbody tr")), 1)

    def test_02_add_category(self) -> None:
        self.site.open("/categories")
        self.site.fill("name", CATEGORY)
        self.site.press("Add")
        self.assertEqual(self.site.notice, f"{CATEGORY} was added.")

    def test_03_add_book(self) -> None:
        self.submit_book(ATLAS, ATLAS_AUTHOR, 1999, CATEGORY)
        self.assertEqual(self.site.notice, ATLAS + " was added.")

    def test_04_search_book(self) -> None:
        self.search("atlas of")
        self.assertIn(ATLAS, self.site.row(ATLAS).text)

    def test_05_open_page_of_book(self) -> None:
        self.show_book(ATLAS)
        self.assertIn(f"1999, in {CATEGORY}", self.site.find("main").text)

    def test_06_edit_author_of_book(self) -> None:
        self.show_book(ATLAS)
        self.site.click_link("Edit")
        self.site.fill("author", f"{ATLAS_AUTHOR} and sons")
        self.site.press("Save")
        self.assertIn("and sons", self.site.find("main").text)

    def test_07_add_book_twice_is_refused(self) -> None:
        self.submit_book("Emma", "Jane Austen", 1815, "Fiction")
        self.assertIn("There is a book of this title", self.site.alert)

    def test_08_add_book_without_author_is_refused(self) -> None:
        self.submit_book("Beowulf", "", 1815, "Fiction")
        self.assertEqual(self.site.alert, "Title and author are needed.")

    def test_09_add_book_of_the_future_is_refused(self) -> None:
        self.submit_book("Tomorrow", "Nobody", 2999, "Fiction")
        self.assertIn("The year must be", self.site.alert)

    def test_10_search_unknown_book(self) -> None:
        self.search("Necronomicon")
        self.assertIn("No books found.", self.site.find("main").text)

    def test_11_add_empty_category(self) -> None:
        self.site.open("/categories")
        self.site.fill("name", "Leaflets")
        self.site.press("Add")
        self.assertIn("Leaflets", self.site.row("Leaflets").text)

    def test_12_remove_empty_category(self) -> None:
        self.site.open("/categories")
        self.site.press("Remove", within=self.site.row("Leaflets"))
        self.assertEqual(self.site.notice, "The category was removed.")

    def test_13_add_booklet(self) -> None:
        self.submit_book(BOOKLET, "Harbour Office", 2020, "Science")
        self.assertIn("Harbour Office", self.site.row(BOOKLET).text)

    def test_14_search_booklet_by_author(self) -> None:
        self.search("harbour office")
        self.assertIn(BOOKLET, self.site.row("Harbour Office").text)

    def test_15_remove_booklet(self) -> None:
        self.show_book(BOOKLET)
        self.site.press("Remove")
        self.assertEqual(self.site.notice, "The book was removed.")
