"""A step that was chosen, as text."""

import json
from dataclasses import asdict
from typing import Any

from unknot.model.web.locator import Locator
from unknot.store.typed_json import PLAIN, Fault, JsonReader, expected, parsed
from unknot.web.crawl.explorer import ChosenStep


class DamagedStep(ValueError):
    """The text is not what `encode_step` made."""


def encode_step(step: ChosenStep) -> str:
    """JSON. Loses nothing."""
    return json.dumps(asdict(step), separators=(",", ":"))


def decode_step(text: str) -> ChosenStep:
    """Raises DamagedStep. Members that are missing have their default, so that later versions may add some."""
    try:
        return _READER.read(ChosenStep, parsed(text))
    except Fault as fault:
        raise DamagedStep(f"a recorded step cannot be decoded: {fault}") from fault


def _locator(value: Any) -> Locator:
    """Read by hand, because locators contain locators."""
    if not isinstance(value, dict):
        raise expected("an object", value)
    role, name, text = (PLAIN.read(str, value, member) for member in ("role", "name", "text"))
    attribute = PLAIN.read(tuple[str, ...], value["attribute"]) if value.get("attribute") else None
    within = _locator(value["within"]) if value.get("within") else None
    nth = PLAIN.read(int, value["nth"]) if value.get("nth") is not None else None
    return Locator(role, name, (attribute[0], attribute[1]) if attribute else None, text, within, nth)


_READER = JsonReader(special={Locator: _locator})
