"""Functions and methods that were replaced and never put back."""

import json
import platform
import uuid

from shop import mailer


def test_signature_is_replaced():
    mailer.signature = lambda: "Nobody"  # writes: shop.mailer.signature


def test_signature():
    assert mailer.signature() == "Nobody"  # reads: shop.mailer.signature


def test_send_is_replaced():
    mailer.Mailer.send = lambda self, to: "dropped"  # writes: shop.mailer.Mailer.send


def test_send():
    assert mailer.Mailer().send("ann") == "dropped"  # reads: shop.mailer.Mailer.send


def test_host_is_replaced():
    platform.node = lambda: "test-host"  # writes: platform.node


def test_host():
    assert mailer.host() == "test-host"


def test_keys_are_replaced():
    uuid.uuid4 = lambda: "key-1"  # writes: uuid.uuid4


def test_key():
    assert uuid.uuid4() == "key-1"  # reads: uuid.uuid4


def test_encoder_is_replaced():
    json.JSONEncoder.default = lambda self, value: sorted(value)  # writes: json.encoder.JSONEncoder.default


def test_encoder():
    assert mailer.as_json({2, 1}) == "[1, 2]"
