"""Passwords are kept as salted hashes."""

import hashlib
import hmac
import os


def hashed(password: str) -> str:
    salt = os.urandom(16)
    return f"{salt.hex()}${_derived(password, salt).hex()}"


def matches(password: str, kept: str) -> bool:
    salt, _, digest = kept.partition("$")
    return hmac.compare_digest(_derived(password, bytes.fromhex(salt)).hex(), digest)


def _derived(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**12, r=8, p=1)
