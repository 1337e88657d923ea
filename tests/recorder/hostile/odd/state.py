"""Ordinary state: some of it changes, some never does."""

import array
import collections
import dataclasses
import hashlib
import itertools
import re
import sqlite3
import struct
import sys
import threading
import weakref
import zlib

NEVER_CHANGED = {"a": 1}
NEVER_CHANGED_LIST = [1, 2]
NEVER_CHANGED_SET = {1, 2}
CHANGED = {"a": 1}
CHANGED_LIST = [3, 1, 2]
CHANGED_SET = {1}
NAMES = collections.OrderedDict(a=1)
HOLD = {}
COUNTED = object()
COUNT = sys.getrefcount(COUNTED)
DELETED = []


class Thing:
    pass


class Mortal:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        DELETED.append(self.name)


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Base:
    made = 0

    def __init_subclass__(cls, **more):
        super().__init_subclass__(**more)
        Base.made += 1

    def greet(self):
        return "base"


class Child(Base):
    def greet(self):
        return "child of " + super().greet()


POINT = Point(1)
CHILD = Child()
WEIGHTS = array.array("i", [1, 2, 3])
BUFFER = bytearray(b"hello")
VIEW = memoryview(BUFFER)
PACKER = zlib.compressobj()
DIGEST = hashlib.sha256()
PATTERN = re.compile("a+")
LAYOUT = struct.Struct("<i")
MEMORY = sqlite3.connect(":memory:", check_same_thread=False)
LOCK = threading.RLock()
LOCAL = threading.local()
TEED = itertools.tee(iter(range(5)))
WEAK = weakref.WeakSet()


async def numbers():
    for number in range(3):
        yield number


async def waits():
    return 1


NUMBERS = numbers()


def add(a, b=2, *, c=3):
    """Adds."""
    total = a + b
    return total + c
