"""Small files to upload."""

import base64
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload

_PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
"""One point."""

_TEXTS = {
    "csv": ("text/csv", "name,amount\n{name},5\n"),
    "html": ("text/html", "<!doctype html><title>{name}</title><p>{name}</p>\n"),
    "ics": (
        "text/calendar",
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//unknot//EN\r\nBEGIN:VEVENT\r\nUID:{name}\r\n"
        "DTSTAMP:20260105T090000Z\r\nDTSTART:20260202T090000Z\r\nDTEND:20260202T100000Z\r\nSUMMARY:{name}\r\n"
        "END:VEVENT\r\nEND:VCALENDAR\r\n",
    ),
    "json": ("application/json", '{{"name": "{name}"}}\n'),
    "pdf": (
        "application/pdf",
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
        "trailer<</Root 1 0 R>>\n%%EOF\n",
    ),
    "vcf": (
        "text/vcard",
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{name}\r\nN:{name};Ada;;;\r\nFN:Ada {name}\r\nEND:VCARD\r\n",
    ),
    "xml": ("application/xml", "<?xml version='1.0'?><note>{name}</note>\n"),
}


def upload(file_name: str) -> "FilePayload":
    """A file of the sort that its suffix says, else a text. It lives in memory only; the name goes to the browser and
    nowhere else."""
    stem, _, suffix = file_name.rpartition(".")
    name = "".join(char for char in stem if char.isalnum() or char == "-") or "notes"
    if suffix == "png":
        return {"name": file_name, "mimeType": "image/png", "buffer": _PNG}
    kind, text = _TEXTS.get(suffix, ("text/plain", "{name}\n"))
    return {"name": file_name, "mimeType": kind, "buffer": text.format(name=name).encode()}
