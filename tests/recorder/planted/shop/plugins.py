"""What the interpreter keeps for everybody."""

import os
import sys


def search_also(directory):
    sys.path.append(str(directory))  # writes: sys.path


def region():
    return os.environ.get("SHOP_REGION", "nowhere")  # reads: os.environ['SHOP_REGION']


def mode():
    return os.environ.get("SHOP_MODE", "live")  # reads: os.environ['SHOP_MODE']


def pay(amount):
    import payments_api  # reads: sys.modules['payments_api']

    return payments_api.pay(amount)
