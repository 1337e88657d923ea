"""dimeshift, wallets and plans for expenses, as a simulated application.

Reference
    M. Biagiola, A. Stocco, F. Ricca, P. Tonella, "Diversity-based web test generation", ESEC/FSE 2019. The pages,
    actions and parameters are those of the study's hand-written page objects, and so is which actions have guards;
    values, guards and what happens are our reading.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from unknot.web.simulated.site import Site, action, link

FIRST_STEP, SECOND_STEP, GOAL, GOALS, CONFIRMATION, INCOME, WALLET_FORM, TOTAL, TRANSACTION, ACCESS, WALLET, WALLETS = (
    "CreateGoalFirstStepPage",
    "CreateGoalSecondStepPage",
    "GoalDetailsPage",
    "GoalsManagerPage",
    "ConfirmationPage",
    "AddIncomeToWalletPage",
    "AddWalletPage",
    "SetTotalIncomeToWalletPage",
    "TransactionDetailsPage",
    "WalletAccessManagerPage",
    "TransactionManagerPage",
    "WalletsManagerPage",
)

WALLET_NAMES = ("Cash", "Bank", "Savings")
GOAL_NAMES = ("Bicycle", "Holiday", "Piano", "Rent")
EMAILS = ("ada@example.org", "bob@example.org")
AMOUNTS = ("1", "10", "100", "1000")
DATES = ("2030-01-31", "2030-02-28", "2030-06-15", "2030-12-31")
INCOMES = ("Salary", "Gift")
EXPENSES = ("Food", "Rent")
IDS = ("1", "2")

_ACTIVE, _TRASH = "active", "trash"


@dataclass
class _Wallet:
    """Transactions by month, which is 0 for the present one and falls into the past."""

    name: str
    in_trash: bool = False
    emails: list[str] = field(default_factory=list)
    transactions: dict[int, list[str]] = field(default_factory=dict)
    total: str = "0"


@dataclass
class _Goal:
    name: str
    wallet: str


class Dimeshift(Site):
    """A user has just registered: there is no wallet yet."""

    start = WALLETS

    def __init__(self) -> None:
        super().__init__()
        self._wallets: list[_Wallet] = []
        self._goals: list[_Goal] = []
        self._filter, self._access = _ACTIVE, "both"
        self._wallet = _Wallet("")
        self._edited: _Wallet | None = None
        self._month = 0
        self._transaction = 0
        self._edited_goal: _Goal | None = None
        self._planned = _Goal("", "")
        self._ask("", "", lambda: None)

    # Everywhere

    go_to_goals_manager_page = link(WALLETS, WALLET, GOALS, GOAL, FIRST_STEP, SECOND_STEP, to=GOALS)

    @action(WALLETS, WALLET, GOALS, GOAL, FIRST_STEP, SECOND_STEP, to=WALLETS)
    def go_to_home_user_logged_in(self) -> None:
        self._show_wallets()

    @action(WALLETS, GOALS, GOAL, FIRST_STEP, SECOND_STEP, to=WALLETS)
    def go_to_wallets_manager_page(self) -> None:
        self._show_wallets()

    @action(WALLET, to=WALLETS)
    def go_to_wallets_manager_page_breadcrumb(self) -> None:
        self._show_wallets()

    @action(WALLET, to=WALLETS)
    def go_to_wallets_manager_page_navbar(self) -> None:
        self._show_wallets()

    # Wallets

    @action(WALLETS)
    def select_active_filter(self) -> None:
        self._filter = _ACTIVE

    @action(WALLETS)
    def select_trash_filter(self) -> None:
        self._filter = _TRASH

    @action(WALLETS)
    def select_both_access(self) -> None:
        self._access = "both"

    @action(WALLETS)
    def select_yours_access(self) -> None:
        self._access = "yours"

    @action(WALLETS)
    def select_shared_with_you_access(self) -> None:
        self._access = "shared"

    @action(WALLETS, to=WALLET_FORM, guard="the trash is not in view")
    def add_wallet(self) -> None:
        self.require(self._filter == _ACTIVE)
        self._edited = None

    @action(WALLETS, to=WALLET_FORM, guard="the wallet is in view and not in the trash", id=IDS)
    def edit_wallet(self, id: str) -> None:
        self._edited = self._listed(id, _ACTIVE)

    @action(WALLETS, to=CONFIRMATION, guard="the wallet is in view and not in the trash", id=IDS)
    def hide_wallet(self, id: str) -> None:
        wallet = self._listed(id, _ACTIVE)
        self._ask(WALLETS, WALLETS, lambda: setattr(wallet, "in_trash", True))

    @action(WALLETS, to=ACCESS, guard="the wallet is in view and not in the trash", id=IDS)
    def manage_wallet_access(self, id: str) -> None:
        self._wallet = self._listed(id, _ACTIVE)

    @action(WALLETS, to=CONFIRMATION, guard="the wallet is in view, in the trash", id=IDS)
    def remove_wallet(self, id: str) -> None:
        wallet = self._listed(id, _TRASH)
        self._ask(WALLETS, WALLETS, lambda: self._wallets.remove(wallet))

    @action(WALLETS, guard="the wallet is in view, in the trash", id=IDS)
    def restore_wallet(self, id: str) -> None:
        self._listed(id, _TRASH).in_trash = False

    @action(WALLETS, to=WALLET, guard="the wallet is in view", id=IDS)
    def select_wallet(self, id: str) -> None:
        self._wallet, self._month = self._listed(id, self._filter), 0

    @action(WALLET_FORM, to=WALLETS, wallet_name=WALLET_NAMES)
    def add(self, wallet_name: str) -> None:
        if self._edited is None:
            self._wallets.append(_Wallet(wallet_name))
        else:
            self._edited.name = wallet_name

    @action(ACCESS, to=WALLETS, email=EMAILS)
    def add_access(self, email: str) -> None:
        if email not in self._wallet.emails:
            self._wallet.emails.append(email)

    @action(ACCESS, to=CONFIRMATION, guard="the wallet is shared with it", email=EMAILS)
    def remove_access(self, email: str) -> None:
        self.require(email in self._wallet.emails)
        self._ask(ACCESS, ACCESS, lambda: self._wallet.emails.remove(email))

    close = link(WALLET_FORM, ACCESS, to=WALLETS)

    # The transactions of a wallet

    add_income = link(WALLET, to=INCOME)
    set_total_income_of_wallet = link(WALLET, to=TOTAL, named="set_total_income")
    close_transaction = link(INCOME, TOTAL, TRANSACTION, to=WALLET, named="close")

    @action(WALLET, description=EXPENSES, amount=AMOUNTS)
    def add_transaction(self, description: str, amount: str) -> None:
        self._transactions().append(f"{description} {amount}")

    @action(WALLET, guard="another month is in view")
    def go_to_current_month_transaction_view(self) -> None:
        self.require(self._month < 0)
        self._month = 0

    @action(WALLET, guard="another month is in view")
    def go_to_next_month_transaction_view(self) -> None:
        self.require(self._month < 0)
        self._month += 1

    @action(WALLET)
    def go_to_previous_month_transaction_view(self) -> None:
        self._month -= 1

    @action(WALLET, to=TRANSACTION, guard="the transaction is in view", id=IDS)
    def select_transaction(self, id: str) -> None:
        self.require(int(id) <= len(self._transactions()))
        self._transaction = int(id) - 1

    @action(TRANSACTION, to=CONFIRMATION)
    def remove_transaction(self) -> None:
        self._ask(WALLET, TRANSACTION, lambda: self._transactions().pop(self._transaction))

    @action(
        INCOME,
        to=WALLET,
        guard="the month has no such income",
        named="add_income",
        description=INCOMES,
        amount=AMOUNTS,
    )
    def enter_income(self, description: str, amount: str) -> None:
        self.require(not any(each.startswith(description) for each in self._transactions()))
        self._transactions().append(f"{description} {amount}")

    @action(TOTAL, to=WALLET, guard="the total is another one", amount=AMOUNTS)
    def set_total_income(self, amount: str) -> None:
        self.require(amount != self._wallet.total)
        self._wallet.total = amount

    # Goals

    go_back = link(FIRST_STEP, to=GOALS)
    go_back_to_previous_step = link(SECOND_STEP, to=FIRST_STEP)
    go_to_plan_your_expenses = link(GOAL, to=GOALS)
    refresh_stats = link(GOAL)

    @action(GOALS, to=FIRST_STEP)
    def create_new(self) -> None:
        self._edited_goal = None

    @action(GOALS, to=FIRST_STEP, guard="the goal is there", id=IDS)
    def edit_goal(self, id: str) -> None:
        self._edited_goal = self._goal(id)

    @action(GOALS, to=CONFIRMATION, guard="the goal is there", id=IDS)
    def remove_goal(self, id: str) -> None:
        goal = self._goal(id)
        self._ask(GOALS, GOALS, lambda: self._goals.remove(goal))

    @action(GOALS, to=GOAL, guard="the goal is there", id=IDS)
    def view_goal_report(self, id: str) -> None:
        self._goal(id)

    @action(
        FIRST_STEP,
        to=SECOND_STEP,
        guard="the goal is new and the wallet is there",
        goal=GOAL_NAMES,
        wallet_name=WALLET_NAMES,
    )
    def add_goal_to_wallet(self, goal: str, wallet_name: str) -> None:
        self.require(self._edited_goal is None)
        self.require(any(each.name == wallet_name and not each.in_trash for each in self._wallets))
        self._planned = _Goal(goal, wallet_name)

    @action(FIRST_STEP, to=SECOND_STEP, guard="the goal is not new", named="edit_goal", goal=GOAL_NAMES)
    def rename_goal(self, goal: str) -> None:
        self.require(self._edited_goal is not None)
        self._planned.name = goal

    @action(SECOND_STEP, to=GOAL, to_keep=AMOUNTS, date=DATES)
    def add_further_details(self, to_keep: str, date: str) -> None:
        if self._edited_goal is None:
            self._goals.append(_Goal(self._planned.name, self._planned.wallet))
            self._edited_goal = self._goals[-1]
        else:
            self._edited_goal.name = self._planned.name

    # The question whether something is meant

    @action(CONFIRMATION, to=(WALLETS, ACCESS, GOALS, WALLET), guard="it was asked for this")
    def accept_operation(self) -> str:
        self._accepted()
        return self._asked_for

    @action(CONFIRMATION, to=(WALLETS, ACCESS, GOALS, WALLET), guard="it was asked for this", named="close")
    def close_confirmation(self) -> str:
        return self._asked_for

    @action(CONFIRMATION, to=(WALLETS, ACCESS, GOALS, TRANSACTION), guard="it was asked there")
    def deny_operation(self) -> str:
        return self._asked_on

    def in_view(self) -> Mapping[str, Sequence[str]]:
        if self.page == WALLETS:
            return {"wallets": [each.name for each in self._in_filter()]}
        if self.page == WALLET:
            return {"transactions": self._transactions()}
        if self.page == ACCESS:
            return {"access": self._wallet.emails}
        if self.page == GOALS:
            return {"goals": [each.name for each in self._goals]}
        return {}

    def _show_wallets(self) -> None:
        """A link shows the page as it is at first; a dialog leaves it as it was."""
        self._filter, self._access = _ACTIVE, "both"

    def _in_filter(self) -> list[_Wallet]:
        """No other user has shared a wallet."""
        shown = [each for each in self._wallets if each.in_trash == (self._filter == _TRASH)]
        return shown if self._access != "shared" else []

    def _listed(self, number: str, filtered: str) -> _Wallet:
        found = self._in_filter()
        self.require(self._filter == filtered and int(number) <= len(found))
        return found[int(number) - 1]

    def _transactions(self) -> list[str]:
        return self._wallet.transactions.setdefault(self._month, [])

    def _goal(self, number: str) -> _Goal:
        self.require(int(number) <= len(self._goals))
        return self._goals[int(number) - 1]

    def _ask(self, leads_to: str, asked_on: str, accepted: Callable[[], object]) -> None:
        self._asked_for, self._asked_on, self._accepted = leads_to, asked_on, accepted
