from playwright_suite.data import Book
from playwright_suite.pages.frame import Frame


class BooksPage(Frame):
    address = "/books"

    def search(self, text: str) -> None:
        self.open()
        self.fill("Search", text)
        self.press("Search")

    def add(self, book: Book) -> None:
        self.goto(f"{self.address}/new")
        category = self.page.get_by_label("Category")
        offered = category.locator("option").all_inner_texts()
        assert book.category in offered, f"{book.category} is none of the categories {offered}"
        self.fill("Title", book.title)
        self.fill("Author", book.author)
        self.fill("Year", book.year)
        category.select_option(label=book.category)
        self.press("Add")

    def show(self, title: str) -> None:
        """Opens the page of one book."""
        self.open()
        self.send(self.row(title).get_by_role("link", name=title))

    def show_category(self, category: str) -> None:
        self.goto(f"{self.address}?category={category}")

    def recommend(self, title: str) -> None:
        self.open()
        self.send(self.row(title).get_by_role("button", name="Recommend"))


class BookPage(Frame):
    def edit_year(self, year: str) -> None:
        self.send(self.page.get_by_role("link", name="Edit"))
        self.fill("Year", year)
        self.press("Save")

    @property
    def facts(self) -> str:
        return self.page.locator("main p", has_text="by ").first.inner_text()

    @property
    def state(self) -> str:
        return self.page.locator("#state").inner_text()


class CategoriesPage(Frame):
    address = "/categories"

    def add(self, name: str) -> None:
        self.open()
        self.fill("Category", name)
        self.press("Add")

    def remove(self, name: str) -> None:
        self.open()
        self.send(self.row(name).get_by_role("button", name="Remove"))
