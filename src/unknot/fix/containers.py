"""What kind of thing a shown content is, and the code that saves such a thing and puts it back in place."""

_BY_UPDATE = ("{", "set(", "defaultdict(", "OrderedDict(", "Counter(")
_BY_SLICE = ("[", "bytearray(")
_BY_EXTEND = ("deque(",)


def putting_back(shown: str, thing: str) -> tuple[str, ...]:
    """The statements that give the thing its content of `before` again; none if it is no container. It stays the same
    object, for others may hold it by another name."""
    if shown.startswith(_BY_UPDATE):
        return (f"{thing}.clear()", f"{thing}.update(before)")
    if shown.startswith(_BY_SLICE):
        return (f"{thing}[:] = before",)
    if shown.startswith(_BY_EXTEND):
        return (f"{thing}.clear()", f"{thing}.extend(before)")
    return ()


def is_dict(shown: str) -> bool:
    """Whether the content is surely a dict: an empty pair of braces or one with a colon after its first key."""
    return shown.startswith(("{}", "defaultdict(", "OrderedDict(", "Counter(")) or (
        shown.startswith("{") and ": " in shown
    )
