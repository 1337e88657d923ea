"""Who and what the tests are about."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Account:
    name: str
    full_name: str
    role: str

    @property
    def password(self) -> str:
        return f"{self.name}-secret"


@dataclass(frozen=True)
class Book:
    title: str
    author: str
    year: str
    category: str


# In every new library.
ADMIN = Account("admin", "Ada Minister", "admin")
LENA = Account("lena", "Lena Lind", "librarian")
RITA = Account("rita", "Rita Reader", "reader")
LIBRARY_NAME = "Harbour Library"
MOBY_DICK = "Moby Dick"
EMMA = "Emma"

# Made by tests.
NORA = Account("nora", "Nora Nielsen", "reader")
LIAM = Account("liam", "Liam Larsen", "librarian")
VERA = Account("vera", "Vera Visitor", "reader")
TRAVEL = "Travel"
VERNE = Book("Around the World in Eighty Days", "Jules Verne", "1873", TRAVEL)
SUMMER = "Summer reading"
