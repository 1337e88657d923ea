"""What is on the disk."""

from pathlib import Path

VAR = Path(__file__).resolve().parent.parent / "var"


def save(name, text):
    (VAR / name).write_text(text)  # writes: var/receipt.txt


def load(name):
    return (VAR / name).read_text()  # reads: var/receipt.txt


def send(name):
    (VAR / "outbox" / name).touch()  # writes: var/outbox


def outbox():
    return sorted(path.name for path in (VAR / "outbox").iterdir())  # reads: var/outbox
