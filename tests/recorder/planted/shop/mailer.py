"""Things that tests like to replace."""

import json
import platform
import uuid


class Mailer:
    def send(self, to):
        return f"sent to {to}"


def signature():
    return "The Shop"


def host():
    return platform.node()  # reads: platform.node


def new_key():
    return str(uuid.uuid4())


def as_json(value):
    return json.dumps(value)  # reads: json.encoder.JSONEncoder.default
