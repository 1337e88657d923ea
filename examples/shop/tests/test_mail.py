from __future__ import annotations

from shop import mail

CUSTOMERS = [f"customer-{number}@example.org" for number in range(6)]


class Outbox:
    """Takes mail for everybody but the addresses that are refused."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused
        self.mails: dict[str, str] = {}

    def deliver(self, address: str, text: str) -> None:
        if address in self.refused:
            raise mail.Undeliverable(address)
        self.mails[address] = text


def test_every_customer_gets_the_newsletter() -> None:
    outbox = Outbox()
    assert mail.send_all(mail.newsletter(CUSTOMERS, ["mugs", "lamps"]), outbox.deliver) == []
    assert outbox.mails == dict.fromkeys(CUSTOMERS, "This week: mugs, lamps")


def test_nobody_gets_the_newsletter_twice() -> None:
    outbox = Outbox()
    mail.send_all(mail.newsletter([*CUSTOMERS, *CUSTOMERS], ["mugs"]), outbox.deliver)
    assert len(outbox.mails) == len(CUSTOMERS)


def test_refused_addresses_are_listed() -> None:
    outbox = Outbox(CUSTOMERS[2], CUSTOMERS[5])
    assert mail.send_all(mail.newsletter(CUSTOMERS, ["mugs"]), outbox.deliver) == [CUSTOMERS[2], CUSTOMERS[5]]


def test_customer_is_reminded_of_open_cart() -> None:
    outbox = Outbox()
    mail.send_all([("alice@example.org", mail.reminder("alice"))], outbox.deliver)
    assert outbox.mails == {"alice@example.org": "Still in your cart: 2 x mug, 1 x kettle"}


def test_everybody_gets_a_letter_of_their_own() -> None:
    outbox = Outbox()
    mail.send_all([(address, f"Dear {address}") for address in CUSTOMERS], outbox.deliver)
    assert len(set(outbox.mails.values())) == len(CUSTOMERS)
