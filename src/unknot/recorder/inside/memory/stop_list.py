"""State that is known to be harmless: globs of location names, and of types whose objects are not entered.

In a glob, `*` stands for any text and `?` for one character. Brackets are literal, because names often contain them.
"""

import re
from collections.abc import Iterable, Sequence

TOOLS = """
_pytest.*                               # the test tools themselves
pytest.*
pytest_*
pluggy.*
xdist.*
execnet.*
hypothesis.*
_hypothesis*
coverage.*
unknot.*
"""
"""The test tools themselves: their locations and their types."""

NAMES = """
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
*[<EncodedFile object>]*                # pytest's stand-ins for sys.stdout, as keys
*[<CaptureIO object>]*
*.@py_builtins*                         # pytest's rewritten assertions
*.@pytest_ar*
*._class_cleanups*                      # unittest, as pytest drives it
*._classSetupFailed
*._testMethodName
*._mock_called                          # a mock counts its calls in five places; `_mock_call_count` stands for them
*._mock_call_args
*._mock_call_args_list
*._mock_mock_calls
*._mock_children[*]                     # made on attribute access
*.method_calls
*._mock_new_parent*
*._mock_parent*
py.*                                    # more test tools
iniconfig.*
re._*                                   # caches of the standard library; its functions do count, if replaced
re.template
_strptime._*
ctypes._*
encodings._*
fnmatch._*
functools._*
gettext._*
glob._*
importlib.*_cache*
_frozen_importlib*
inspect._*
linecache.cache*
locale._*
mimetypes._db*
mimetypes.inited
multiprocessing.*._*
concurrent.futures.*._*
pkgutil._*
platform._*
string.Template.pattern
struct._*
sys.path_importer_cache*
sys.last_*                              # the last exception that was printed
sys.ps?
sys._*
sysconfig._*
tempfile._*
tokenize._*
traceback._*
typing._*
typing_extensions._*
unittest.mock._*
urllib.parse._*
uuid._*
weakref.finalize._*                     # whether there is work left at exit
warnings.onceregistry*
warnings._*
zoneinfo._*
builtins._                              # the last value that an interactive prompt or doctest showed
asyncio.events._*                       # recorded as state of the process, here and below
random._*
sys.excepthook
sys.unraisablehook
sys.displayhook
sys.stdin
sys.stdout
sys.stderr
tempfile.tempdir
threading.excepthook
threading._*
"""

TYPES = """
unittest.mock._*                        # patches, calls and sentinels; mocks themselves are entered
unittest.mock.sentinel
unittest.loader.*
unittest.runner.*
unittest.suite.*
logging.*                               # recorded by the names of the loggers
threading.Thread                        # which thread runs or waits changes by itself
threading._*
threading.Timer
threading.Condition
_thread.*lock
_thread.RLock
concurrent.futures.*
asyncio.*_events.*                      # queues, locks and events do count
asyncio.events.*
asyncio.futures.*
asyncio.runners.*
asyncio.tasks.*
asyncio.*transports.*
_asyncio.*
multiprocessing.*
_multiprocessing.*
queue.SimpleQueue
_queue.*
subprocess.*
socket.*
_socket.*
ssl.*
_ssl.*
select.*
selectors.*
sqlite3.*                               # recorded by table
dbm.*
_gdbm.*
_io.TextIOWrapper                       # recorded as files
_io.Buffered*
_io.FileIO
tempfile._*
ast.*                                   # never changed, or only by their makers
inspect.*
importlib.*
_frozen_importlib*
zipimport.*
builtins.code
builtins.frame
builtins.traceback
traceback.*
re.*
sre_*
_sre.*
typing.*
typing_extensions.*
abc.*
_abc.*
enum.*
functools._lru_list_elem
weakref.ReferenceType
weakref.finalize*
weakref.KeyedRef
dataclasses.*
dis.*
tokenize.*
contextvars.*
_contextvars.*
_ctypes.*
ctypes.*
_struct.*
zlib.*
_hashlib.*
_random.*
zoneinfo.*
"""


class StopList:
    """Decides whether a location or a type is ignored: by the built-in globs, or by the user's own.

    Results are cached; the first for each name costs a few µs, later ones 100 ns.
    """

    def __init__(self, extra: Sequence[str] = ()) -> None:
        """`extra`: the user's globs of names, one for each line; text after ` #` is a comment."""
        self._names = _pattern([*_globs((TOOLS + NAMES).splitlines()), *_globs(extra)])
        self._types = _pattern(_globs((TOOLS + TYPES).splitlines()))
        self._known: dict[str, bool] = {}

    def add(self, *names: str) -> None:
        """Adds exact names of locations, not globs."""
        self._known.update(dict.fromkeys(names, True))

    def stops(self, kind: str, name: str) -> bool:  # noqa: ARG002 - names of different kinds never collide
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
