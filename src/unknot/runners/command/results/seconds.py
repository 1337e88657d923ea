"""How long a test took, in the ways that tools write it."""

import math
import re

_NUMBER = re.compile(r"\s*([0-9][0-9.,']{0,30}|\.[0-9]{1,30})(?:[eE]([+-]?[0-9]{1,2}))?\s*(ms|s|)\s*", re.ASCII)
_PLAIN = re.compile(r"[0-9]{1,6}(?:\.[0-9]{0,20})?", re.ASCII)
_LONGEST = 366 * 86400.0


def parse_seconds(text: str) -> float:
    """0 for what is no time: it is a help for predictions, and no reason to doubt an outcome.

    `1,234.5` and `1.234,5` have separators of thousands; `0,25` has a decimal comma. A unit may follow: `12ms`, `3s`.
    """
    if _PLAIN.fullmatch(text):
        return float(text)
    found = _NUMBER.fullmatch(text) if len(text) <= 64 else None
    if found is None:
        return 0.0
    digits, exponent, unit = found[1].replace("'", ""), found[2] or "0", found[3]
    decimal = max(digits.rfind("."), digits.rfind(","))
    if decimal >= 0 and digits.count(digits[decimal]) > 1:
        decimal = -1  # a separator that comes twice parts thousands
    whole = digits if decimal < 0 else digits[:decimal]
    fraction = "" if decimal < 0 else digits[decimal + 1 :]
    number = float(f"{re.sub('[.,]', '', whole) or '0'}.{fraction or '0'}e{exponent}")
    seconds = number / 1000 if unit == "ms" else number
    return seconds if math.isfinite(seconds) and seconds <= _LONGEST else 0.0
