"""The calls that look at the state of the process, and those that set it: module, colon, attribute."""

from unknot.recorder.inside.process.library_probes import DecimalContext
from unknot.recorder.inside.process.random_probes import NumpyRandomNumbers, RandomNumbers

READERS = {
    "os.getcwd()": "os:getcwd os:getcwdb",
    "os.umask()": "",
    "locale.setlocale()": (
        "locale:setlocale locale:localeconv locale:getlocale locale:format_string locale:currency locale:str "
        "locale:atof locale:atoi "
        "locale:delocalize locale:localize locale:strcoll locale:strxfrm locale:nl_langinfo "
        "locale:getpreferredencoding locale:getencoding time:strftime time:strptime calendar:LocaleTextCalendar "
        "calendar:different_locale"
    ),
    "time.tzname": (
        "time:tzname time:timezone time:altzone time:daylight time:localtime time:mktime time:strftime time:ctime "
        "time:asctime email.utils:localtime email.utils:formatdate datetime:datetime.now datetime:datetime.today "
        "datetime:datetime.fromtimestamp datetime:datetime.astimezone datetime:datetime.timestamp datetime:date.today "
        "datetime:date.fromtimestamp"
    ),
    "signal.getsignal()": "signal:getsignal signal:raise_signal",
    "signal.getitimer(ITIMER_REAL)": "signal:getitimer",
    DecimalContext.NAME: "decimal:getcontext decimal:localcontext",
    "tempfile.gettempdir()": (
        "tempfile:tempdir tempfile:gettempdir tempfile:gettempdirb tempfile:mkstemp tempfile:mkdtemp tempfile:mktemp "
        "tempfile:NamedTemporaryFile tempfile:TemporaryFile tempfile:SpooledTemporaryFile tempfile:TemporaryDirectory"
    ),
    "sys.getrecursionlimit()": "sys:getrecursionlimit",
    "sys.getswitchinterval()": "sys:getswitchinterval",
    "sys.get_int_max_str_digits()": "sys:get_int_max_str_digits",
    "gc.isenabled()": "gc:isenabled",
    "gc.get_threshold()": "gc:get_threshold",
    "socket.getdefaulttimeout()": "socket:getdefaulttimeout",
    "faulthandler.is_enabled()": "faulthandler:is_enabled",
    "resource.getrlimit()": "resource:getrlimit",
    "sys.gettrace()": "sys:gettrace",
    "sys.getprofile()": "sys:getprofile",
    "asyncio.get_event_loop_policy()": (
        "asyncio:get_event_loop_policy asyncio.events:get_event_loop_policy asyncio:new_event_loop asyncio:run "
        "asyncio:Runner asyncio:get_event_loop"
    ),
    "asyncio.get_event_loop()": "asyncio:get_event_loop asyncio.events:get_event_loop",
    "threading.enumerate()": "threading:enumerate threading:active_count",
    "os.waitid()": (
        "os:wait os:wait3 os:wait4 os:waitpid os:waitid multiprocessing:active_children "
        "multiprocessing.process:active_children"
    ),
}

SETTERS = {
    "os.getcwd()": "os:chdir os:fchdir",
    "os.umask()": "os:umask",
    "locale.setlocale()": "locale:setlocale locale:resetlocale",
    "time.tzname": "time:tzset",
    "signal.getsignal()": "signal:signal signal:siginterrupt",
    "signal.getitimer(ITIMER_REAL)": "signal:setitimer signal:alarm",
    RandomNumbers.NAME: "random:seed random:setstate",
    NumpyRandomNumbers.NAME: "numpy.random:seed numpy.random:set_state numpy.random:set_bit_generator",
    DecimalContext.NAME: "decimal:setcontext",
    "sys.getrecursionlimit()": "sys:setrecursionlimit",
    "sys.getswitchinterval()": "sys:setswitchinterval",
    "sys.get_int_max_str_digits()": "sys:set_int_max_str_digits",
    "gc.isenabled()": "gc:enable gc:disable",
    "gc.get_threshold()": "gc:set_threshold",
    "socket.getdefaulttimeout()": "socket:setdefaulttimeout",
    "faulthandler.is_enabled()": "faulthandler:enable faulthandler:disable",
    "resource.getrlimit()": "resource:setrlimit resource:prlimit",
    "sys.gettrace()": "sys:settrace",
    "sys.getprofile()": "sys:setprofile",
    "asyncio.get_event_loop_policy()": "asyncio:set_event_loop_policy asyncio.events:set_event_loop_policy",
    "asyncio.get_event_loop()": "asyncio:set_event_loop asyncio.events:set_event_loop asyncio:run asyncio:Runner",
}

UNSEEN = {
    "os.getcwd()": "os.stat and os.path.exists of a relative path, and what C code opens",
    "os.umask()": "os.mkfifo, os.mknod, and what C code creates",
    "locale.setlocale()": "the format code 'n', the strftime of dates, and C code that asks the C library",
    "time.tzname": "methods of datetime, and whoever took time.localtime before, as logging does",
    "signal.getsignal()": "a signal that comes from outside",
    "signal.getitimer(ITIMER_REAL)": "the moment at which the timer is up",
    DecimalContext.NAME: "every calculation with Decimal",
    "sys.getrecursionlimit()": "every deep recursion",
    "sys.getswitchinterval()": "every program with threads",
    "sys.get_int_max_str_digits()": "int() and str() of long numbers",
    "gc.isenabled()": "the garbage collector itself, and so weak references and __del__",
    "gc.get_threshold()": "the garbage collector itself, and so weak references and __del__",
    "faulthandler.is_enabled()": "a crash",
    "resource.getrlimit()": "whatever comes up against the limit",
    "sys.gettrace()": "every call of a function",
    "sys.getprofile()": "every call of a function",
    "asyncio.get_event_loop()": "whoever took asyncio.get_event_loop before its module was known as the user's",
    "threading.enumerate()": "whatever the threads do",
    "os.waitid()": "whatever the processes do",
    "sys.excepthook": "an exception that nobody catches",
    "sys.unraisablehook": "an exception in a __del__",
    "threading.excepthook": "an exception that ends a thread",
}
