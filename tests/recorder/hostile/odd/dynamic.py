"""A module that makes its attributes when they are asked for."""

ASKED = []


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    ASKED.append(name)
    return 5
