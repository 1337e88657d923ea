"""The pages of ihatemoney. All are made on the server: they are waited for, and then looked at once."""

from urllib.parse import urljoin

from playwright.sync_api import Locator, Page

from suite.data import EMAIL, Bill, Project


class Frame:
    """What all pages share."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def goto(self, path: str) -> None:
        self.page.goto(urljoin(self.page.url, path))

    def send(self, button: Locator) -> None:
        """Clicks, and waits for the page that answers: what is not on it then will not come. The mouse goes to a corner
        where nothing is: elsewhere it could make a hint appear, which covers other things."""
        with self.page.expect_navigation():
            button.click()
        self.page.mouse.move(0, 0)

    def send_confirmed(self, button: Locator) -> None:
        """The first click asks whether one is sure."""
        button.click()
        self.send(button)

    @staticmethod
    def only(found: Locator, what: str) -> Locator:
        assert found.count() == 1, f"{found.count()} times {what}"
        return found

    @property
    def project_name(self) -> str:
        """What the menu calls the project that is open."""
        return " ".join(self.page.locator(".projects-item strong").all_inner_texts()).strip()

    @property
    def messages(self) -> str:
        return " ".join(self.page.locator(".alert").all_inner_texts())


class FrontPage(Frame):
    def open(self) -> None:
        self.goto("/")

    @property
    def cards(self) -> list[str]:
        return self.page.locator(".card-header").all_inner_texts()

    def log_in(self, project_id: str, code: str) -> None:
        self.open()
        form = self.page.locator("#authentication-form")
        form.locator("#id").fill(project_id)
        form.locator("#password").fill(code)
        self.send(form.get_by_role("button"))

    def create(self, project: Project) -> None:
        self.open()
        form = self.page.locator("#creation-form")
        form.locator("#name").fill(project.name)
        form.locator("#password").fill(project.code)
        form.locator("#contact_email").fill(EMAIL)
        self.send(form.get_by_role("button"))

    def choose_language(self, name: str) -> None:
        self.page.locator("#langMenuButton").click()
        self.send(self.page.locator(".dropdown-item", has_text=name))


class CreationPage(Frame):
    def open(self) -> None:
        self.goto("/create")

    @property
    def name(self) -> str:
        return self.page.locator("#name").input_value()

    def create(self, project: Project) -> None:
        self.open()
        self.page.locator("#id").fill(project.id)
        self.page.locator("#name").fill(project.name)
        self.page.locator("#password").fill(project.code)
        self.page.locator("#contact_email").fill(EMAIL)
        self.send(self.page.locator("main").get_by_role("button"))


class ProjectPage(Frame):
    """A page of one project."""

    address = ""

    def __init__(self, page: Page, project: Project) -> None:
        super().__init__(page)
        self.path = project.path

    def open(self) -> None:
        self.goto(self.path + self.address)


class BillsPage(ProjectPage):
    """The bills, and the participants beside them."""

    @property
    def participants(self) -> list[str]:
        return [text.split()[0] for text in self.page.locator(".balance-name").all_inner_texts()]

    def participant(self, name: str) -> Locator:
        return self.only(self.page.locator(".balance tr", has_text=name), name)

    def balance(self, name: str) -> str:
        return self.participant(name).locator(".balance-value").inner_text()

    def is_inactive(self, name: str) -> bool:
        return "inactive-member" in (self.participant(name).get_attribute("class") or "")

    def add_participant(self, name: str) -> None:
        form = self.page.locator("#add-member-form")
        form.locator("#name").fill(name)
        self.send(form.get_by_role("button"))

    def deactivate(self, name: str) -> None:
        self.send_confirmed(self._action(name, "delete"))

    def reactivate(self, name: str) -> None:
        self.send(self._action(name, "reactivate"))

    def _action(self, name: str, action: str) -> Locator:
        """Its button is hidden as long as the mouse is elsewhere."""
        participant = self.participant(name)
        button = self.only(participant.locator(f"form.{action} button"), f"{action} {name}")
        participant.hover()
        return button

    @property
    def bills(self) -> list[str]:
        return self.page.locator("#bill_table tbody td:nth-child(3)").all_inner_texts()

    def bill(self, what: str) -> Locator:
        return self.only(self.page.locator("#bill_table tbody tr", has_text=what), what)

    def amount(self, what: str) -> str:
        """Without what each has to pay of it."""
        return self.bill(what).locator("td:nth-child(5)").inner_text().split()[0]

    def edit(self, what: str) -> None:
        self.send(self.bill(what).locator("a.edit"))

    def remove(self, what: str) -> None:
        self.send_confirmed(self.bill(what).locator(".delete-bill button"))

    def filter(self, field: str, value: str) -> None:
        self.page.locator("#toggle-filters").click()
        form = self.page.locator("#filterCollapse form")
        form.locator(f"#{field}").fill(value)
        self.send(form.get_by_role("button", name="Filter"))


class BillForm(ProjectPage):
    address = "add"

    def fill(self, bill: Bill) -> None:
        payer = self.page.locator("#payer")
        offered = payer.locator("option").all_inner_texts()
        missing = {bill.payer, *bill.owers} - set(offered)
        assert not missing, f"no {missing} among {offered}"
        self.page.locator("#date").fill(bill.date)
        self.page.locator("#what").fill(bill.what)
        payer.select_option(label=bill.payer)
        self.page.locator("#amount").fill(bill.amount)
        self.page.locator("#selectnone").click()
        for name in bill.owers:
            self.page.locator("#payed_for").get_by_label(name, exact=True).check()

    def fill_amount(self, amount: str) -> None:
        self.page.locator("#amount").fill(amount)

    def submit(self) -> None:
        self.send(self.page.locator("main #submit"))

    def submit_unchecked(self) -> None:
        """Without the checks of the browser: the application has its own."""
        self.page.locator("main form").evaluate("form => { form.noValidate = true; }")
        self.submit()


class SettlementPage(ProjectPage):
    address = "settle_bills"

    @property
    def plan(self) -> set[tuple[str, ...]]:
        """Payer, payee and amount."""
        rows = self.page.locator("#bill_table tbody tr").all()
        return {tuple(row.locator("td").all_inner_texts()[:3]) for row in rows}

    def settle(self, ower: str, receiver: str) -> None:
        rows = self.page.locator("#bill_table tbody tr", has_text=ower).filter(has_text=receiver)
        self.send(self.only(rows, f"{ower} to {receiver}").get_by_role("button"))


class StatisticsPage(ProjectPage):
    address = "statistics"

    def expenses(self, month: str) -> str:
        row = self.only(self.page.locator("#monthly_stats tbody tr", has_text=month), month)
        return row.locator("td").last.inner_text()


class HistoryPage(ProjectPage):
    address = "history"

    @property
    def events(self) -> list[str]:
        return self.page.locator(".history_text").all_inner_texts()

    @property
    def is_empty(self) -> bool:
        return self.page.get_by_role("heading", name="Nothing to list").count() == 1

    def clear(self, code: str) -> None:
        self.page.get_by_role("link", name="Clear Project History").click()
        dialog = self.page.locator("#confirm-erase")
        dialog.locator("#password").fill(code)
        self.send(dialog.get_by_role("button", name="Confirm deletion"))


class SettingsPage(ProjectPage):
    address = "edit"

    def rename(self, name: str, code: str) -> None:
        form = self.page.locator("#edit-project")
        form.locator("#name").fill(name)
        form.locator("#current_password").fill(code)
        self.send(form.get_by_role("button"))

    def switch_to(self, name: str) -> None:
        """By the menu. On the page of the bills a hint covers it as long as there are no participants."""
        self.page.locator("#navbarProjectsLinks").click()
        self.send(self.only(self.page.get_by_role("link", name=f"switch to {name}"), f"switch to {name}"))

    def delete(self, code: str) -> None:
        form = self.page.locator("#delete-project")
        form.locator("#password").fill(code)
        self.send_confirmed(form.get_by_role("button"))
