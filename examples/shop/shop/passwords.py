"""Passwords are stored as slow hashes, so that a stolen database is of little use."""

from __future__ import annotations

import hashlib
import hmac
import os

# So many that a hash takes about 30 ms.
ROUNDS = 100_000


def hashed(password: str) -> str:
    salt = os.urandom(16)
    return f"{salt.hex()}:{_digest(password, salt)}"


def matches(password: str, stored: str) -> bool:
    salt, digest = stored.split(":")
    return hmac.compare_digest(_digest(password, bytes.fromhex(salt)), digest)


def _digest(password: str, salt: bytes) -> str:
    return hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS).hex()
