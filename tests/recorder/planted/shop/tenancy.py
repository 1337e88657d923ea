"""Context variables and weak dictionaries."""

import contextvars
import weakref

TENANT = contextvars.ContextVar("tenant", default="nobody")


class Session:
    pass


LIVE = weakref.WeakValueDictionary()
NOTES = weakref.WeakKeyDictionary()
KEPT = [Session()]


def open_session(name):
    session = Session()
    KEPT.append(session)
    LIVE[name] = session  # writes: shop.tenancy.LIVE['alice']


def is_live(name):
    return LIVE.get(name) is not None  # reads: shop.tenancy.LIVE['alice']
