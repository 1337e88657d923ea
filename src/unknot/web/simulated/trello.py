"""Phoenix Trello, the running example of the thesis, as a simulated application.

Reference
    M. Biagiola, "Search based and diversity based web test generation" (thesis), section 2.2 and Fig. 4.4. The pages,
    actions and parameters are those of the study's hand-written page objects; values and guards are our reading.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unknot.web.simulated.site import Site, action

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

_PERSON = {
    "first_name": NAMES,
    "last_name": NAMES,
    "email": EMAILS,
    "password": PASSWORDS,
    "confirmation": PASSWORDS,
}


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

    @action(LOGIN)
    def login_as_john(self) -> str:
        self._user = JOHN
        return BOARDS

    @action(LOGIN, email=EMAILS, password=PASSWORDS)
    def login(self, email: str, password: str) -> str:
        if self._passwords.get(email) != password:
            return LOGIN
        self._user = email
        return BOARDS

    @action(LOGIN)
    def go_to_sign_up(self) -> str:
        return SIGN_UP

    @action(SIGN_UP)
    def go_to_sign_in_page(self) -> str:
        return LOGIN

    @action(SIGN_UP, **_PERSON)
    def sign_up(self, first_name: str, last_name: str, email: str, password: str, confirmation: str) -> str:
        self.require(password == confirmation, "the passwords must be equal")
        if email in self._passwords:
            return SIGN_UP
        self._passwords[email] = password
        self._user = email
        return BOARDS

    @action(SIGN_UP, **_PERSON)
    def sign_up_failure_password(
        self, first_name: str, last_name: str, email: str, password: str, confirmation: str
    ) -> None:
        self.require(password != confirmation, "the passwords must differ")

    # Boards

    @action(BOARDS, board_name=BOARD_NAMES)
    def add_new_board(self, board_name: str) -> str:
        self._board = _Board(board_name, self._user, {self._user})
        self._boards.append(self._board)
        return LISTS

    @action(BOARDS)
    def open_add_new_board_form(self) -> None: ...

    @action(BOARDS, board_name=BOARD_NAMES)
    def go_to_board_clicking_on_it(self, board_name: str) -> str:
        return self._open(board_name)

    @action(BOARDS, LISTS, board_name=BOARD_NAMES)
    def go_to_board_using_navbar(self, board_name: str) -> str:
        return self._open(board_name)

    @action(BOARDS, LISTS)
    def view_all_boards(self) -> str:
        self.require(bool(self._mine()), "there is no board")
        return BOARDS

    @action(BOARDS, LISTS)
    def go_to_board_list(self) -> str:
        return BOARDS

    @action(BOARDS, LISTS)
    def sign_out(self) -> str:
        self._user = ""
        return LOGIN

    # The lists of a board

    @action(LISTS)
    def open_add_new_list_form(self) -> None: ...

    @action(LISTS, list_name=LIST_NAMES)
    def add_new_list(self, list_name: str) -> None:
        self._board.lists.setdefault(list_name, [])

    @action(LISTS, list_name=LIST_NAMES)
    def open_update_list_form(self, list_name: str) -> None:
        self._require_list(list_name)

    @action(LISTS, list_name=LIST_NAMES, new_list_name=LIST_NAMES)
    def update_list(self, list_name: str, new_list_name: str) -> None:
        self._require_list(list_name)
        self.require(list_name != new_list_name, "the names must differ")
        self._board.lists[new_list_name] = self._board.lists.pop(list_name)

    @action(LISTS, list_name=LIST_NAMES)
    def open_new_card_to_list_form(self, list_name: str) -> None:
        self._require_list(list_name)

    @action(LISTS, list_name=LIST_NAMES, card_text=CARD_TEXTS)
    def add_new_card_to_list(self, list_name: str, card_text: str) -> None:
        self._require_list(list_name)
        self._board.lists[list_name].append(_Card(card_text))

    @action(LISTS, list_name=LIST_NAMES, card_id=IDS)
    def go_to_card_of_list(self, list_name: str, card_id: str) -> str:
        self._require_list(list_name)
        cards = self._board.lists[list_name]
        self.require(int(card_id) <= len(cards), "there is no such card")
        self._list, self._card = list_name, cards[int(card_id) - 1]
        return CARD

    @action(LISTS)
    def open_add_new_member_form(self) -> None:
        self._require_alone()

    @action(LISTS, new_member=EMAILS)
    def add_new_member_to_current_board(self, new_member: str) -> tuple[str, str]:
        self._require_alone()
        if new_member == self._user or new_member not in self._passwords:
            return LISTS, "no member added"
        self._board.members.add(new_member)
        return LISTS, "member added"

    # A card

    @action(CARD)
    def close_card_details(self) -> str:
        return LISTS

    @action(CARD)
    def delete_card(self) -> str:
        self._board.lists[self._list].remove(self._card)
        return LISTS

    @action(CARD)
    def open_edit_description_form(self) -> None: ...

    @action(CARD, card_text=CARD_TEXTS, card_description=TEXTS)
    def edit_description(self, card_text: str, card_description: str) -> None:
        self._card.text = card_text

    @action(CARD, card_comment=TEXTS)
    def add_comment(self, card_comment: str) -> None: ...

    @action(CARD, email=EMAILS)
    def add_member_to_card(self, email: str) -> None:
        self.require(email in self._board.members, "not a member of the board")
        self.require(email not in self._card.members, "already a member of the card")
        self._card.members.add(email)

    @action(CARD, email=EMAILS)
    def remove_member_from_card(self, email: str) -> None:
        self.require(email in self._card.members, "not a member of the card")
        self._card.members.remove(email)

    @action(CARD, card_tag=TAGS)
    def add_tag_to_card(self, card_tag: str) -> None:
        self.require(card_tag not in self._card.tags, "the card has this tag")
        self._card.tags.add(card_tag)

    @action(CARD, card_tag=TAGS)
    def remove_tag_to_card(self, card_tag: str) -> None:
        self.require(card_tag in self._card.tags, "the card does not have this tag")
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

    def _open(self, name: str) -> str:
        found = [each for each in self._mine() if each.name == name]
        self.require(bool(found), "there is no such board")
        self._board = found[-1]
        return LISTS

    def _require_list(self, name: str) -> None:
        self.require(name in self._board.lists, "there is no such list")

    def _require_alone(self) -> None:
        self.require(self._board.members == {self._user}, "the board is shared")
