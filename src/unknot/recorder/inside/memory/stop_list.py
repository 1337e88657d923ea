"""State that is known to be harmless: globs of location names, and of types whose objects are not entered.

In a glob, `*` stands for any text and `?` for one character. Brackets are literal, because names often contain them.
"""

import re
from collections.abc import Iterable, Sequence

_TOOLS = "_pytest.* pytest.* pytest_* pluggy.* xdist.* execnet.* hypothesis.* _hypothesis* coverage.* unknot.*"
"""The test tools themselves: their locations and their types."""

_PRIVATE = (
    "re _strptime ctypes encodings fnmatch functools gettext glob inspect locale multiprocessing.* "
    "concurrent.futures.* pkgutil platform struct sys sysconfig tempfile tokenize traceback typing typing_extensions "
    "unittest.mock urllib.parse uuid weakref.finalize warnings zoneinfo asyncio.events random threading"
)
"""Modules of the standard library that keep caches, and state that is recorded as the process's, under names that begin
with an underscore. Their functions do count, if replaced."""

_NAMES = """
*.__warningregistry__*                  # which warnings were shown already
*.__pycache__*                          # compiled files
*.__dataclass_fields__*                 # made once, with the class
*.__dataclass_params__*
*.__match_args__
*.__annotations__*                      # evaluated on first use
*.__annotations_cache__*
*.__abstractmethods__*
*._abc_impl*                            # isinstance caches its results
*._value2member_map_*                   # an enum caches combined flags
*._member_map_*
*._inverted_
*.<closure dispatch_cache>*             # functools.singledispatch caches its results
*.<closure cache_token>*
*.__hypothesis*                         # hypothesis on test functions
*._hypothesis_internal*
*.is_hypothesis_test
*.pytestmark*                           # pytest on test functions, classes and modules
*._pytestfixturefunction*
*.__pytest_wrapped__*
*.__pytest_asyncio*
*[<EncodedFile object>]*                # pytest's replacements of sys.stdout, as keys
*[<CaptureIO object>]*
*.@py_builtins*                         # pytest's rewritten assertions
*.@pytest_ar*
*._class_cleanups*                      # unittest, as pytest drives it
*._classSetupFailed
*._testMethodName
*._mock_called                          # a mock counts its calls in five places; `_mock_call_count` represents them
*._mock_call_args
*._mock_call_args_list
*._mock_mock_calls
*._mock_children[*]                     # made on attribute access
*.method_calls
*._mock_new_parent*
*._mock_parent*
py.*                                    # more test tools
iniconfig.*
re.template                             # caches of the standard library
importlib.*_cache*
_frozen_importlib*
linecache.cache*
mimetypes._db*
mimetypes.inited
string.Template.pattern
sys.path_importer_cache*
warnings.onceregistry*
sys.last_*                              # the last exception that was printed
sys.ps?
builtins._                              # the last value that an interactive prompt or doctest showed
sys.excepthook                          # recorded as state of the process, here and below
sys.unraisablehook
sys.displayhook
sys.stdin
sys.stdout
sys.stderr
tempfile.tempdir
threading.excepthook
"""

_TYPES = (
    # Patches, calls and sentinels; mocks themselves are entered.
    "unittest.mock._* unittest.mock.sentinel unittest.loader.* unittest.runner.* unittest.suite.* "
    # Recorded by the names of the loggers.
    "logging.* "
    # Which thread runs or waits changes by itself. Queues, locks and events of asyncio do count.
    "threading.Thread threading._* threading.Timer threading.Condition _thread.*lock _thread.RLock "
    "concurrent.futures.* multiprocessing.* _multiprocessing.* queue.SimpleQueue _queue.* subprocess.* "
    "asyncio.*_events.* asyncio.events.* asyncio.futures.* asyncio.runners.* asyncio.tasks.* asyncio.*transports.* "
    "_asyncio.* socket.* _socket.* ssl.* _ssl.* select.* selectors.* "
    # Recorded by table, or as files.
    "sqlite3.* dbm.* _gdbm.* _io.TextIOWrapper _io.Buffered* _io.FileIO tempfile._* "
    # Never changed, or only by their makers.
    "ast.* inspect.* importlib.* _frozen_importlib* zipimport.* builtins.code builtins.frame builtins.traceback "
    "traceback.* re.* sre_* _sre.* typing.* typing_extensions.* abc.* _abc.* enum.* functools._lru_list_elem "
    "weakref.ReferenceType weakref.finalize* weakref.KeyedRef dataclasses.* dis.* tokenize.* contextvars.* "
    "_contextvars.* _ctypes.* ctypes.* _struct.* zlib.* _hashlib.* _random.* zoneinfo.*"
)


class StopList:
    """Decides whether a location or a type is ignored: by the built-in globs, or by the user's own.

    Results are cached; the first for each name costs a few µs, later ones 100 ns.
    """

    def __init__(self, extra: Sequence[str] = ()) -> None:
        """`extra`: the user's globs of names, one for each line; text after ` #` is a comment."""
        self._names = _pattern([*BUILT_IN_NAMES, *_globs(extra)])
        self._types = _pattern(BUILT_IN_TYPES)
        self._known: dict[str, bool] = {}

    def add(self, *names: str) -> None:
        """Adds exact names of locations, not globs."""
        self._known.update(dict.fromkeys(names, True))

    def stops(self, name: str) -> bool:
        """Whether a location of any kind is ignored: names of different kinds never collide."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._names.match(name) is not None
        return known

    def stops_type(self, name: str) -> bool:
        """`name` as in `module.QualName`. The heap walk does not enter such objects; it only notices a replacement."""
        return self._types.match(name) is not None


def _globs(lines: Iterable[str]) -> list[str]:
    stripped = (line.split(" #")[0].strip() for line in lines)
    return [line for line in stripped if line and not line.startswith("#")]


def _pattern(globs: Iterable[str]) -> re.Pattern[str]:
    parts = [re.escape(glob).replace(r"\*", ".*").replace(r"\?", ".") for glob in globs]
    return re.compile(f"(?:{'|'.join(parts)})\\Z", re.DOTALL)


BUILT_IN_NAMES = [*_TOOLS.split(), *(f"{module}._*" for module in _PRIVATE.split()), *_globs(_NAMES.splitlines())]
BUILT_IN_TYPES = [*_TOOLS.split(), *_TYPES.split()]
