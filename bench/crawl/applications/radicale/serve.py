"""`python serve.py DIRECTORY PORT`: Radicale with a user who has a calendar and an address book."""

import json
import sys
from pathlib import Path

from radicale.__main__ import run

SETTINGS = """\
[server]
hosts = 127.0.0.1:{port}
[auth]
type = htpasswd
htpasswd_filename = {directory}/users
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = {directory}/data
[sharing]
type = csv
collection_by_token = True
collection_by_map = True
permit_create_token = True
permit_create_map = True
[logging]
level = warning
"""
EVENT = """\
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//bench//EN
BEGIN:VEVENT
UID:launch
DTSTAMP:20260105T090000Z
DTSTART:20260202T090000Z
DTEND:20260202T100000Z
SUMMARY:Launch
END:VEVENT
END:VCALENDAR
"""
COLLECTIONS = {
    "team": {"tag": "VCALENDAR", "D:displayname": "Team", "C:supported-calendar-component-set": "VEVENT"},
    "friends": {"tag": "VADDRESSBOOK", "D:displayname": "Friends"},
}


def main(directory: Path, port: int) -> None:
    (directory / "users").write_text("alice:wonderland\nbob:builder\n", encoding="utf-8")
    settings = directory / "settings"
    settings.write_text(SETTINGS.format(directory=directory, port=port), encoding="utf-8")
    home = directory / "data" / "collection-root" / "alice"
    for name, properties in COLLECTIONS.items():
        (home / name).mkdir(parents=True, exist_ok=True)
        (home / name / ".Radicale.props").write_text(json.dumps(properties), encoding="utf-8")
    (home / "team" / "launch.ics").write_text(EVENT, encoding="utf-8")
    sys.argv[1:] = ["--config", str(settings)]
    run()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
