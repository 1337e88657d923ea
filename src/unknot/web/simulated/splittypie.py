"""splittypie, the shared expenses of an event, as a simulated application.

Reference
    M. Biagiola, A. Stocco, F. Ricca, P. Tonella, "Diversity-based web test generation", ESEC/FSE 2019. The pages,
    actions and parameters are those of the study's hand-written page objects, and so is which actions have guards;
    values, guards and what happens are our reading.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from unknot.web.simulated.site import Site, Target, action, link

EVENT_FORM, TRANSACTION_FORM, EVENT, QUICK_ADD, SHARE, TRANSFER, HOME, CONFIRMATION = (
    "AddEditEventContainerPage",
    "AddEditTransactionContainerPage",
    "EventDetailsContainerPage",
    "QuickAddTransactionPage",
    "ShareEventPage",
    "ViewTransferContainerPage",
    "HomePageContainerPage",
    "ConfirmationPage",
)

TRIPS = ("Rome", "Paris", "Alps", "Coast")
PARTICIPANTS = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")
CURRENCIES = ("EUR", "USD", "GBP", "CHF", "JPY", "SEK", "NOK", "DKK", "PLN", "CZK")
TRANSACTIONS = ("Dinner", "Train", "Hotel", "Museum", "Petrol", "Tickets")
PRICES = ("1", "20", "100")
DATES = ("2024-01-31", "2024-02-29", "2024-06-15", "2024-12-31")
IDS = ("1", "2", "3")


@dataclass
class _Transaction:
    """`owing` have not settled yet."""

    name: str
    payer: str
    owing: list[str]


@dataclass
class _Event:
    name: str
    participants: list[str] = field(default_factory=list)
    transactions: list[_Transaction] = field(default_factory=list)
    transfers: list[str] = field(default_factory=list)

    def debts(self) -> list[tuple[str, str]]:
        return list(dict.fromkeys((debtor, each.payer) for each in self.transactions for debtor in each.owing))

    def is_involved(self, participant: str) -> bool:
        return any(participant == each.payer or participant in each.owing for each in self.transactions)


class Splittypie(Site):
    start = HOME

    def __init__(self) -> None:
        super().__init__()
        self._events: list[_Event] = []
        self._event = _Event("")
        self._transaction: _Transaction | None = None
        self._form = _Event("")
        self._new_name = ""
        self._left_from = HOME
        self._asked_on = HOME
        self._confirmed: Callable[[], Target] = lambda: (HOME, "")

    # Home

    go_to_home_page = link(EVENT_FORM, to=HOME)
    go_to_home = link(TRANSACTION_FORM, EVENT, TRANSFER, to=HOME)
    go_to_about = link(HOME)
    go_to_features = link(HOME)

    @action(HOME, guard="there is an event")
    def go_to_events(self) -> None:
        self.require(bool(self._events))

    @action(HOME, to=EVENT_FORM, guard="no event has the name", trip_name=TRIPS)
    def create_new_event_home(self, trip_name: str) -> None:
        self._begin_event(trip_name, HOME)

    @action(HOME, to=EVENT_FORM, guard="no event has the name", trip_name=TRIPS)
    def create_new_event_navbar(self, trip_name: str) -> None:
        self._begin_event(trip_name, HOME)

    @action(HOME, to=EVENT, guard="the event is there", trip_name=TRIPS)
    def see_event_details(self, trip_name: str) -> None:
        self._event = self._named(trip_name)

    @action(HOME, to=CONFIRMATION, guard="the event is there", named="delete_event", trip_name=TRIPS)
    def delete_event_at_home(self, trip_name: str) -> None:
        event = self._named(trip_name)
        self._ask(HOME, lambda: self._delete(event, "event deleted at home"))

    # The form of an event

    @action(EVENT_FORM, to=EVENT, guard="the event is there and the participant is not in it", participant=PARTICIPANTS)
    def add_participant(self, participant: str) -> None:
        self.require(self._is_edited() and participant not in self._event.participants)
        self._rename()
        self._event.participants.append(participant)

    @action(
        EVENT_FORM,
        to=EVENT,
        guard="the participant is in the event, has no transaction, and two others stay",
        participant=PARTICIPANTS,
    )
    def delete_participant(self, participant: str) -> None:
        event = self._event
        self.require(self._is_edited() and participant in event.participants and len(event.participants) > 2)
        self.require(not event.is_involved(participant))
        self._rename()
        event.participants.remove(participant)

    @action(
        EVENT_FORM,
        to=EVENT,
        guard="the event is new and the participants differ",
        currency=CURRENCIES,
        participant1=PARTICIPANTS,
        participant2=PARTICIPANTS,
    )
    def create_event(self, currency: str, participant1: str, participant2: str) -> None:
        self.require(not self._is_edited() and participant1 != participant2)
        self._event = _Event(self._form.name, [participant1, participant2])
        self._events.append(self._event)

    @action(EVENT_FORM, to=(EVENT, HOME), guard="it was opened there", named="cancel")
    def cancel_event(self) -> str:
        return self._left_from

    @action(EVENT_FORM, to=CONFIRMATION, guard="the event is there")
    def delete_event(self) -> None:
        self.require(self._is_edited())
        event = self._event
        self._ask(EVENT_FORM, lambda: self._delete(event, "event deleted in its form"))

    # An event

    go_to_overview = link(EVENT)
    go_to_transaction = link(EVENT)
    add_transaction = link(EVENT, to=QUICK_ADD)
    share_event = link(EVENT, to=SHARE)

    @action(EVENT, to=EVENT_FORM, guard="no event has the name", trip_name=TRIPS)
    def add_new_event(self, trip_name: str) -> None:
        self._begin_event(trip_name, EVENT)

    @action(EVENT, to=EVENT_FORM, guard="no event has the name", new_trip_name=TRIPS)
    def edit_event(self, new_trip_name: str) -> None:
        self._begin_event(new_trip_name, EVENT)
        self._form = self._event
        self._new_name = new_trip_name

    @action(EVENT, to=TRANSACTION_FORM, guard="the transaction is there", id=IDS)
    def edit_transaction(self, id: str) -> None:
        self.require(int(id) <= len(self._event.transactions))
        self._transaction = self._event.transactions[int(id) - 1]

    @action(EVENT, guard="it is a participant", participant=PARTICIPANTS)
    def view_details_as(self, participant: str) -> None:
        self.require(participant in self._event.participants)

    @action(EVENT, to=CONFIRMATION, guard="there is such a debt", id=IDS)
    def settle_up(self, id: str) -> None:
        debts = self._event.debts()
        self.require(int(id) <= len(debts))
        self._ask(EVENT, lambda: self._settle(*debts[int(id) - 1]))

    @action(EVENT, to=TRANSFER, guard="the transfer is there", id=IDS)
    def view_transfer(self, id: str) -> None:
        self.require(int(id) <= len(self._event.transfers))

    # Transactions

    close = link(QUICK_ADD, SHARE, to=EVENT)
    cancel = link(TRANSACTION_FORM, TRANSFER, to=EVENT)

    @action(
        QUICK_ADD,
        to=EVENT,
        guard="the transaction is not there yet",
        transaction=TRANSACTIONS,
        price=PRICES,
        date=DATES,
    )
    def add(self, transaction: str, price: str, date: str) -> None:
        self.require(all(each.name != transaction for each in self._event.transactions))
        payer, *others = self._event.participants
        self._event.transactions.append(_Transaction(transaction, payer, others))

    @action(QUICK_ADD, to=TRANSACTION_FORM)
    def add_with_details(self) -> None:
        self._transaction = None

    @action(
        TRANSACTION_FORM,
        to=EVENT,
        guard="the payer is a participant",
        transaction=TRANSACTIONS,
        payer=PARTICIPANTS,
        price=PRICES,
        date=DATES,
    )
    def share_transaction_among_all(self, transaction: str, payer: str, price: str, date: str) -> None:
        self._save(transaction, payer, self._event.participants)

    @action(
        TRANSACTION_FORM,
        to=EVENT,
        guard="the payer and the one left out are participants and differ",
        transaction=TRANSACTIONS,
        payer=PARTICIPANTS,
        price=PRICES,
        date=DATES,
        participant_to_exclude=PARTICIPANTS,
    )
    def share_transaction_excluding_participant(
        self, transaction: str, payer: str, price: str, date: str, participant_to_exclude: str
    ) -> None:
        self.require(participant_to_exclude in self._event.participants and participant_to_exclude != payer)
        self._save(transaction, payer, [each for each in self._event.participants if each != participant_to_exclude])

    @action(TRANSACTION_FORM, to=CONFIRMATION, guard="the transaction is not new")
    def delete_transaction(self) -> None:
        self.require(self._transaction is not None)
        self._ask(TRANSACTION_FORM, self._delete_transaction)

    # The question whether something is meant

    @action(CONFIRMATION, to=(EVENT_FORM, EVENT, HOME, TRANSACTION_FORM), guard="it was asked there", named="cancel")
    def cancel_confirmation(self) -> str:
        return self._asked_on

    @action(
        CONFIRMATION,
        to=(
            (HOME, "event deleted in its form"),
            (EVENT, "transaction deleted"),
            (HOME, "event deleted at home"),
            (EVENT, "settled"),
        ),
        guard="it was asked for this",
    )
    def confirm(self) -> Target:
        return self._confirmed()

    def in_view(self) -> Mapping[str, Sequence[str]]:
        if self.page == HOME:
            return {"events": [each.name for each in self._events]}
        if self.page in (EVENT, EVENT_FORM, TRANSACTION_FORM):
            return {
                "participants": self._event.participants,
                "transactions": [each.name for each in self._event.transactions],
                "transfers": self._event.transfers,
            }
        return {}

    def _named(self, name: str) -> _Event:
        found = [each for each in self._events if each.name == name]
        self.require(bool(found))
        return found[0]

    def _is_edited(self) -> bool:
        return self._form is self._event

    def _begin_event(self, name: str, page: str) -> None:
        self.require(all(each.name != name for each in self._events))
        self._form, self._left_from = _Event(name), page

    def _rename(self) -> None:
        self._event.name = self._new_name

    def _save(self, name: str, payer: str, sharing: Sequence[str]) -> None:
        self.require(payer in self._event.participants)
        owing = [each for each in sharing if each != payer]
        if self._transaction is None:
            self._event.transactions.append(_Transaction(name, payer, owing))
        else:
            self._transaction.name, self._transaction.payer, self._transaction.owing = name, payer, owing

    def _ask(self, page: str, confirmed: Callable[[], Target]) -> None:
        self._asked_on, self._confirmed = page, confirmed

    def _delete(self, event: _Event, way: str) -> Target:
        self._events.remove(event)
        return HOME, way

    def _delete_transaction(self) -> Target:
        self._event.transactions = [each for each in self._event.transactions if each is not self._transaction]
        return EVENT, "transaction deleted"

    def _settle(self, debtor: str, creditor: str) -> Target:
        for each in self._event.transactions:
            if each.payer == creditor and debtor in each.owing:
                each.owing.remove(debtor)
        self._event.transfers.append(f"{debtor} to {creditor}")
        return EVENT, "settled"
