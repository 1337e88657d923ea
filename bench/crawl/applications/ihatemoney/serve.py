"""`python serve.py DIRECTORY PORT`: ihatemoney with one project of two participants, and no bills."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "examples" / "ihatemoney"))

from application import serving

PROJECT = {"name": "Summer trip", "id": "summer-trip", "password": "a private code", "contact_email": "ann@example.org"}
PARTICIPANTS = ("Ann", "Bob")


def main(directory: Path, port: int) -> None:
    server = serving(directory, port)
    visitor = server.app.test_client()
    _send(visitor, "/create", PROJECT)
    for name in PARTICIPANTS:
        _send(visitor, "/summer-trip/members/add", {"name": name, "weight": "1"})
    server.serve_forever()


def _send(visitor, address, form):
    answer = visitor.post(address, data=form)
    if answer.status_code != 302:
        sys.exit(f"{address} answers {answer.status}: {answer.text}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
