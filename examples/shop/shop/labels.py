"""Shelf labels with a bar code, drawn pixel by pixel and stored as PNG."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

from shop import catalogue, settings

WIDTH, HEIGHT = 300, 160
_BORDER = 8

Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
BLUE: Colour = (20, 60, 140)
RED: Colour = (180, 20, 30)

_ink = BLUE


def use_ink(colour: Colour) -> None:
    """The colour of all labels from now on."""
    global _ink
    _ink = colour


@dataclass(frozen=True)
class Label:
    rows: list[list[Colour]]

    def at(self, x: int, y: int) -> Colour:
        return self.rows[y][x]

    def png(self) -> bytes:
        lines = b"".join(b"\0" + bytes(part for colour in row for part in colour) for row in self.rows)
        header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
        chunks = (_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(lines)), _chunk(b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def draw(code: str) -> Label:
    """The label of a product: a frame, and the bars of its code with soft edges."""
    bits = "".join(f"{ord(char):08b}" for char in catalogue.get(code).code)
    return Label([[_colour(x, y, bits) for x in range(WIDTH)] for y in range(HEIGHT)])


def save(code: str) -> Path:
    path = settings.var_dir() / "labels" / f"{code}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(draw(code).png())
    return path


def _colour(x: int, y: int, bits: str) -> Colour:
    to_edge = min(x, y, WIDTH - 1 - x, HEIGHT - 1 - y)
    if to_edge < _BORDER:
        return _ink
    if to_edge < 3 * _BORDER:
        return WHITE
    at = (x - 3 * _BORDER) / (WIDTH - 6 * _BORDER) * len(bits)
    bar = min(int(at), len(bits) - 1)
    if bits[bar] == "0":
        return WHITE
    paper = min(1.0, abs(at - bar - 0.5) * 2) ** 8
    red, green, blue = (round(part + (255 - part) * paper) for part in _ink)
    return red, green, blue


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
