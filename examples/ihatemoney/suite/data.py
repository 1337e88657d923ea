"""The projects, people and bills of the suite."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Project:
    id: str
    name: str
    code: str

    @property
    def path(self) -> str:
        return f"/{self.id}/"


@dataclass(frozen=True)
class Bill:
    what: str
    date: str
    payer: str
    owers: tuple[str, ...]
    amount: str


TRIP = Project("summer-trip", "Summer trip", "sea and sun")
NEW_NAME_OF_TRIP = "Autumn trip"
FLAT = Project("flat-share", "Flat share", "third floor")

EMAIL = "travellers@example.com"

ANA = "Ana"
BEN = "Ben"
CLEO = "Cleo"

DINNER = Bill("Dinner", "2025-07-12", ANA, (ANA, BEN), "60")
MUSEUM = Bill("Museum", "2025-08-03", BEN, (CLEO,), "24")
SOUVENIRS = Bill("Souvenirs", "2025-08-05", CLEO, (CLEO,), "(18+36)/3")
WITHOUT_AMOUNT = Bill("Taxi", "2025-07-14", ANA, (ANA,), "")
