"""Two simulated sites that are hard to tell the pages of."""

from collections.abc import Mapping, Sequence

from unknot.model.web.element import Element
from unknot.web.simulated.site import Site, action

CITIES = ("Oslo", "Bergen")


class Weather(Site):
    """A server makes each page: there is a clock in the heading, every id is generated, a message is shown once, and
    what does not exist is an error at the address where it should be."""

    start = "Start"

    def __init__(self) -> None:
        super().__init__()
        self.city = ""
        self.cities: list[str] = []

    @action("Start", to=("City", "Error"), city=CITIES)
    def search(self, city: str) -> str:
        self.city = city
        return "City" if city in self.cities else "Error"

    @action("Start", "City", to="New city")
    def add_a_city(self) -> str:
        return "New city"

    @action("New city", to="Start", new_city=CITIES)
    def save(self, new_city: str) -> str:
        self.cities.append(new_city)
        return "Start"

    @action("City", "Error", "New city", to="Start")
    def back(self) -> str:
        return "Start"

    def address(self) -> str:
        return {"Start": "", "New city": "new"}.get(self.page, f"city/{self.city}")

    def heading(self) -> str:
        return {"City": self.city, "Error": "Sorry"}.get(self.page, self.page)

    def beside(self, load: int) -> Sequence[Element]:
        clock = Element("heading", f"It is 12:{load // 60:02}:{load % 60:02}")
        banner = Element("button", "Share", attributes=(("id", f"ember{load * 7}"),))
        passing = (Element("status", f"Visit {load}"),) if load % 2 else ()
        return clock, banner, *passing

    def in_view(self) -> Mapping[str, Sequence[str]]:
        return {"forecast": ["rain"] * len(self.cities)} if self.page == "City" else {"cities": self.cities}


class Mailbox(Site):
    """A script makes all of it at one address: scenes, a dialog, and a counter in a heading."""

    start = "Inbox"

    def __init__(self) -> None:
        super().__init__()
        self.mails = 3
        self.is_asking = False

    @action("Inbox", "Settings", "Mail", to="Compose")
    def compose(self) -> str:
        self.is_asking = False
        return "Compose"

    @action("Inbox", to="Mail", guard="there is a mail")
    def read(self) -> str:
        self.require(self.mails > 0)
        return "Mail"

    @action("Mail")
    def delete(self) -> None:
        self.is_asking = True

    @action("Mail", to="Inbox", guard="the dialog is open")
    def yes(self) -> str:
        self.require(self.is_asking)
        self.is_asking = False
        self.mails -= 1
        return "Inbox"

    @action("Inbox", "Compose", "Mail", to="Settings")
    def settings(self) -> str:
        return "Settings"

    @action("Compose", to="Inbox", recipient=("ada", "bob"), subject=("lunch", "dinner"))
    def send_it(self, recipient: str, subject: str) -> str:
        return "Inbox"

    @action("Settings", to="Inbox", signature=("yours", "bye"))
    def sign(self, signature: str) -> str:
        return "Inbox"

    def address(self) -> str:
        return "mail"

    def heading(self) -> str:
        return f"Inbox ({self.mails})" if self.page == "Inbox" else self.page

    def beside(self, load: int) -> Sequence[Element]:
        menu = Element("navigation", children=(Element("link", "Help"), Element("heading", "Mailbox")))
        if not self.is_asking:
            return (menu,)
        return menu, Element("dialog", "Delete this mail?", children=(Element("heading", "Sure?"),))

    def in_view(self) -> Mapping[str, Sequence[str]]:
        return {"mails": ["hello"] * self.mails} if self.page == "Inbox" else {}


class Wizard(Site):
    """Three steps that look the same. Only the last one leads on."""

    start = "Step 1 of 3"

    @action("Step 1 of 3", "Step 2 of 3", "Step 3 of 3", to=("Step 2 of 3", "Step 3 of 3", "Done"))
    def next(self) -> str:
        steps = ["Step 1 of 3", "Step 2 of 3", "Step 3 of 3", "Done"]
        return steps[steps.index(self.page) + 1]

    @action("Done", to="Step 1 of 3")
    def again(self) -> str:
        return "Step 1 of 3"

    def address(self) -> str:
        return "wizard"
