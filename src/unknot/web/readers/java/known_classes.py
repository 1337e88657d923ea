"""Classes of Java's library whose values can be known: lists, maps, texts and what is made of them."""

from unknot.web.readers.interpreter.calls import handed_over
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.text_functions import text_method
from unknot.web.readers.interpreter.values import UNKNOWN, Builder, Entries, Items, Result, Text, Value, either, words

_LISTS = words(
    "List.of Arrays.asList Stream.of Arguments.of Arguments.arguments Set.of Collections.singletonList",
    "Lists.newArrayList ImmutableList.of Sets.newHashSet Collections.singleton List.copyOf EnumSet.of",
    "Collections.unmodifiableList Arrays.stream IntStream.of",
)
_WRAPPERS = words("String File Paths Path Integer Long Optional Objects Boolean Double BigDecimal URI URL")


def static_call(owner: str, name: str, arguments: list[Value], at: Activation, line: int) -> Value | None:
    """`List.of("a")` and the like; None if that is nothing we know."""
    simple = owner.rpartition(".")[2]
    if f"{simple}.{name}" in _LISTS:
        only = arguments[0] if len(arguments) == 1 else None
        takes_list = isinstance(only, Items) and name not in ("arguments",) and simple != "Arguments"
        return only if takes_list and only is not None else Items(list(arguments))
    if simple == "Map" and name == "of":
        pairs = zip(arguments[::2], arguments[1::2], strict=False)
        return Entries({key.text: value for key, value in pairs if isinstance(key, Text)})
    if simple == "Map" and name == "entry":
        return Items(list(arguments))
    if simple == "System" and name == "getProperty" and len(arguments) == 2:
        return either([UNKNOWN, arguments[1]])
    if simple == "Map" and name == "ofEntries":
        pairs_given = [pair.items for pair in arguments if isinstance(pair, Items) and len(pair.items) == 2]
        return Entries({key.text: value for key, value in pairs_given if isinstance(key, Text)})
    if simple == "String" and name == "format" and arguments and isinstance(arguments[0], Text):
        return text_method(arguments[0], "formatted", arguments[1:], at.place(line))
    if simple == "String" and name == "join" and len(arguments) > 1:
        parts = arguments[1].items if isinstance(arguments[1], Items) else arguments[1:]
        texts = [part.text for part in parts if isinstance(part, Text)]
        separator = arguments[0].text if isinstance(arguments[0], Text) else ""
        return Text(separator.join(texts), at.place(line)) if len(texts) == len(parts) else None
    if simple in _WRAPPERS and len(arguments) == 1:
        return arguments[0]
    return None


def library_new(machine: Machine, name: str, arguments: list[Value]) -> Result:
    simple = name.rpartition(".")[2]
    if simple in ("StringBuilder", "StringBuffer"):
        return Builder(arguments[0] if arguments and isinstance(arguments[0], Text) else Text("", None))
    if simple.endswith(("List", "Set", "Deque", "Queue")):
        return Items([item for argument in arguments if isinstance(argument, Items) for item in argument.items])
    if simple.endswith("Map") or simple == "Properties":
        return Entries(dict(pair for one in arguments if isinstance(one, Entries) for pair in one.entries.items()))
    if simple in _WRAPPERS and arguments:
        return arguments[-1]
    if simple == "SimpleEntry":
        return Items(list(arguments))
    return handed_over(machine, arguments)
