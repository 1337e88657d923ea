"""Phoenix Trello, the running example of the thesis, as a simulated application.

Reference
    M. Biagiola, "Search based and diversity based web test generation" (thesis), section 2.2 and Fig. 4.4. The pages,
    actions and parameters are those of the study's hand-written page objects; values and guards are our reading.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unknot.web.simulated.site import Site, action, link

LOGIN, SIGN_UP, BOARDS, LISTS, CARD = (
    "LoginContainerPage",
    "SignUpContainerPage",
    "BoardsContainerPage",
    "BoardListContainerPage",
    "CardDetails",
)
JOHN = "john@phoenix-trello.com"
PASSWORD = "12345678"

EMAILS = (JOHN, "foo@foo.com", "bar@bar.com", "ada@example.org", "bob@example.org", "eve@example.org")
PASSWORDS = (PASSWORD, "foofoo", "barbar", "secret1", "secret2")
NAMES = ("Ada", "Bob")
BOARD_NAMES = ("Plans", "Work", "Home", "Trips")
LIST_NAMES = ("To do", "Doing", "Done", "Later")
CARD_TEXTS = ("Buy milk", "Call Ada", "Pay rent", "Write tests")
TAGS = ("green", "yellow", "orange", "red", "purple", "blue")
TEXTS = ("soon", "again", "first", "last")
IDS = ("1", "2")


@dataclass
class _Card:
    text: str
    members: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)


@dataclass
class _Board:
    name: str
    owner: str
    members: set[str]
    lists: dict[str, list[_Card]] = field(default_factory=dict)


class Trello(Site):
    start = LOGIN

    def __init__(self) -> None:
        super().__init__()
        self._passwords = {JOHN: PASSWORD}
        self._boards: list[_Board] = []
        self._user = ""
        self._board = _Board("", "", set())
        self._list = ""
        self._card = _Card("")

    # Login and registration

    @action(LOGIN, to=BOARDS)
    def login_as_john(self) -> None:
        self._user = JOHN

    @action(LOGIN, to=(LOGIN, BOARDS), email=EMAILS, password=PASSWORDS)
    def login(self, email: str, password: str) -> str:
        if self._passwords.get(email) != password:
            return LOGIN
        self._user = email
        return BOARDS

    go_to_sign_up = link(LOGIN, to=SIGN_UP)

    go_to_sign_in_page = link(SIGN_UP, to=LOGIN)

    @action(
        SIGN_UP,
        to=(SIGN_UP, BOARDS),
        guard="the passwords are equal",
        first_name=NAMES,
        last_name=NAMES,
        email=EMAILS,
        password=PASSWORDS,
        password_confirmation=PASSWORDS,
    )
    def sign_up(self, first_name: str, last_name: str, email: str, password: str, password_confirmation: str) -> str:
        self.require(password == password_confirmation)
        if email in self._passwords:
            return SIGN_UP
        self._passwords[email] = password
        self._user = email
        return BOARDS

    @action(
        SIGN_UP,
        guard="the passwords differ",
        first_name=NAMES,
        last_name=NAMES,
        email=EMAILS,
        password=PASSWORDS,
        password_confirmation=PASSWORDS,
    )
    def sign_up_failure_password(
        self, first_name: str, last_name: str, email: str, password: str, password_confirmation: str
    ) -> None:
        self.require(password != password_confirmation)

    # Boards

    @action(BOARDS, to=LISTS, board_name=BOARD_NAMES)
    def add_new_board(self, board_name: str) -> None:
        self._board = _Board(board_name, self._user, {self._user})
        self._boards.append(self._board)

    open_add_new_board_form = link(BOARDS)

    @action(BOARDS, to=LISTS, guard="the board is there", board_name=BOARD_NAMES)
    def go_to_board_clicking_on_it(self, board_name: str) -> None:
        self._open(board_name)

    @action(BOARDS, LISTS, to=LISTS, guard="the board is there", board_name=BOARD_NAMES)
    def go_to_board_using_navbar(self, board_name: str) -> None:
        self._open(board_name)

    @action(BOARDS, guard="there is a board")
    def view_all_boards(self) -> None:
        self.require(bool(self._mine()))

    view_all_boards_of_board = link(LISTS, to=BOARDS, named="view_all_boards")

    go_to_board_list = link(BOARDS, LISTS, to=BOARDS)

    @action(BOARDS, LISTS, to=LOGIN)
    def sign_out(self) -> None:
        self._user = ""

    # The lists of a board

    open_add_new_list_form = link(LISTS)

    @action(LISTS, list_name=LIST_NAMES)
    def add_new_list(self, list_name: str) -> None:
        self._board.lists.setdefault(list_name, [])

    @action(LISTS, guard="the list is there", list_name=LIST_NAMES)
    def open_update_list_form(self, list_name: str) -> None:
        self._require_list(list_name)

    @action(
        LISTS, guard="the list is there and the names differ", current_list_name=LIST_NAMES, new_list_name=LIST_NAMES
    )
    def update_list(self, current_list_name: str, new_list_name: str) -> None:
        self.require(current_list_name in self._board.lists and current_list_name != new_list_name)
        self._board.lists[new_list_name] = self._board.lists.pop(current_list_name)

    @action(LISTS, guard="the list is there", list_name=LIST_NAMES)
    def open_new_card_to_list_form(self, list_name: str) -> None:
        self._require_list(list_name)

    @action(LISTS, guard="the list is there", list_name=LIST_NAMES, card_text=CARD_TEXTS)
    def add_new_card_to_list(self, list_name: str, card_text: str) -> None:
        self._require_list(list_name)
        self._board.lists[list_name].append(_Card(card_text))

    @action(LISTS, to=CARD, guard="the list has the card", list_name=LIST_NAMES, card_id=IDS)
    def go_to_card_of_list(self, list_name: str, card_id: str) -> None:
        cards = self._board.lists.get(list_name, [])
        self.require(int(card_id) <= len(cards))
        self._list, self._card = list_name, cards[int(card_id) - 1]

    @action(LISTS, guard="the board is not shared")
    def open_add_new_member_form(self) -> None:
        self._require_alone()

    @action(
        LISTS,
        to=((LISTS, "no member added"), (LISTS, "member added")),
        guard="the board is not shared",
        new_member=EMAILS,
    )
    def add_new_member_to_current_board(self, new_member: str) -> tuple[str, str]:
        self._require_alone()
        if new_member == self._user or new_member not in self._passwords:
            return LISTS, "no member added"
        self._board.members.add(new_member)
        return LISTS, "member added"

    # A card

    close_card_details = link(CARD, to=LISTS)

    @action(CARD, to=LISTS)
    def delete_card(self) -> None:
        self._board.lists[self._list].remove(self._card)

    open_edit_description_form = link(CARD)

    @action(CARD, card_text=CARD_TEXTS, card_description=TEXTS)
    def edit_description(self, card_text: str, card_description: str) -> None:
        self._card.text = card_text

    @action(CARD, card_comment=TEXTS)
    def add_comment(self, card_comment: str) -> None: ...

    @action(CARD, guard="it is a member of the board and not of the card", email=EMAILS)
    def add_member_to_card(self, email: str) -> None:
        self.require(email in self._board.members and email not in self._card.members)
        self._card.members.add(email)

    @action(CARD, guard="it is a member of the card", email=EMAILS)
    def remove_member_from_card(self, email: str) -> None:
        self.require(email in self._card.members)
        self._card.members.remove(email)

    @action(CARD, guard="the card does not have the tag", card_tag=TAGS)
    def add_tag_to_card(self, card_tag: str) -> None:
        self.require(card_tag not in self._card.tags)
        self._card.tags.add(card_tag)

    @action(CARD, guard="the card has the tag", card_tag=TAGS)
    def remove_tag_to_card(self, card_tag: str) -> None:
        self.require(card_tag in self._card.tags)
        self._card.tags.remove(card_tag)

    def in_view(self) -> Mapping[str, Sequence[str]]:
        match self.page:
            case "BoardsContainerPage":
                return {"boards": [each.name for each in self._mine()]}
            case "BoardListContainerPage":
                cards = [card.text for cards in self._board.lists.values() for card in cards]
                return {"lists": list(self._board.lists), "cards": cards, "members": sorted(self._board.members)}
            case "CardDetails":
                return {"members": sorted(self._card.members), "tags": sorted(self._card.tags)}
        return {}

    def _mine(self) -> list[_Board]:
        return [each for each in self._boards if self._user in each.members]

    def _open(self, name: str) -> None:
        found = [each for each in self._mine() if each.name == name]
        self.require(bool(found))
        self._board = found[-1]

    def _require_list(self, name: str) -> None:
        self.require(name in self._board.lists)

    def _require_alone(self) -> None:
        self.require(self._board.members == {self._user})
