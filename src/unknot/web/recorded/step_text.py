"""A step that was chosen, as text."""

import json
from dataclasses import asdict

from unknot.store.typed_json import PLAIN, Fault, parsed
from unknot.web.crawl.explorer import ChosenStep


class DamagedStep(ValueError):
    """The text is not what `encode_step` made."""


def encode_step(step: ChosenStep) -> str:
    """JSON. Loses nothing."""
    return json.dumps(asdict(step), separators=(",", ":"))


def decode_step(text: str) -> ChosenStep:
    """Raises DamagedStep. Members that are missing have their default, so that later versions may add some."""
    try:
        return PLAIN.read(ChosenStep, parsed(text))
    except Fault as fault:
        raise DamagedStep(f"a recorded step cannot be decoded: {fault}") from fault
