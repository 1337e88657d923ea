"""A port that stays open."""

import os
import socket

PORT = int(os.environ.get("SHOP_PORT", "18765"))
OPEN = []


def listen():
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", PORT))  # writes: 127.0.0.1:{port}
    listener.listen()  # writes: 127.0.0.1:{port}
    OPEN.append(listener)


def is_reachable():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as client:
        client.settimeout(5)
        return client.connect_ex(("127.0.0.1", PORT)) == 0  # reads: 127.0.0.1:{port}


def close():
    while OPEN:
        OPEN.pop().close()
