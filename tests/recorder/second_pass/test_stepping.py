"""After which line a location had its final content: one case for each way in which Python gets from line to line.

In each source `# writes` marks the line that must be named, `# calls` the line in the test that led there.
"""

import gc
import sys
import textwrap
import threading
import weakref
from pathlib import Path

import pytest
from stepped_code import UsersFile, stepped, stepper_for

_CASES = {
    "a plain statement": """
        def test():
            a = 1
            X.append(a)  # writes
            a = 2
        """,
    "the last line of a function": """
        def test():
            X.append(1)  # writes
        """,
    "a return value": """
        def test():
            return X.append(1)  # writes
        """,
    "a function called": """
        def add():
            X.append(1)  # writes
        def test():
            add()  # calls
            a = 2
        """,
    "code of others": """
        import contextlib
        def test():
            stack = contextlib.ExitStack()
            stack.callback(X.append, 1)
            stack.close()  # writes
            a = 2
        """,
    "code of others that calls the user's": """
        import json
        class Encoder(json.JSONEncoder):
            def default(self, o):
                X.append(1)  # writes
                return 1
        def test():
            json.dumps(object(), cls=Encoder)  # calls
        """,
    "others before they call the user's": """
        import contextlib
        def last():
            return 0
        def test():
            stack = contextlib.ExitStack()
            stack.callback(last)
            stack.callback(X.append, 1)
            stack.close()  # writes
            a = 1
        """,
    "set, unset and set again": """
        def test():
            X.append(1)
            X.clear()
            X.append(1)  # writes
            X.append(2)
            X.pop()  # final
        """,
    "a loop": """
        def test():
            for n in range(3):
                if n == 1:
                    X.append(n)  # writes
        """,
    "a statement of many lines": """
        def test():
            X.extend(  # writes
                [
                    1,
                    2,
                ]
            )
            a = 1
        """,
    "a comprehension": """
        def test():
            a = [X.append(n) for n in range(2)]  # writes
            return a
        """,
    "a generator": """
        def numbers():
            yield 1
            X.append(1)  # writes
            yield 2
            a = 1
        def test():
            for n in numbers():  # calls
                pass
        """,
    "a value sent into a generator": """
        def keeps():
            a = 1
            X.append((yield))  # writes
            yield
        def test():
            g = keeps()
            next(g)
            g.send(7)  # calls
        """,
    "a generator that is closed by its end": """
        def numbers():
            try:
                yield 1
            finally:
                X.append(1)  # writes
        def test():
            g = numbers()
            next(g)
            del g  # calls
            a = 1
        """,
    "the end of a with block": """
        from contextlib import contextmanager
        @contextmanager
        def held():
            yield
            X.append(1)  # writes
        def test():
            with held():  # calls
                a = 1
            a = 2
        """,
    "the end of a with block of others": """
        import contextlib
        def test():
            stack = contextlib.ExitStack()
            stack.callback(X.append, 1)
            with stack:  # writes
                a = 1
            a = 2
        """,
    "a with block left by an exception": """
        from contextlib import contextmanager
        @contextmanager
        def held():
            try:
                yield
            finally:
                X.append(1)  # writes
        def test():
            with held():  # calls
                raise ValueError
        """,
    "a finally clause": """
        def test():
            try:
                raise ValueError
            finally:
                X.append(1)  # writes
        """,
    "an except clause": """
        def test():
            try:
                raise ValueError
            except ValueError:
                X.append(1)  # writes
        """,
    "a line that writes and raises": """
        def test():
            X.append(1); 1 / 0  # writes
        """,
    "a function that writes and raises": """
        def add():
            X.append(1)  # writes
            raise ValueError
        def test():
            try:
                add()  # calls
            except ValueError:
                a = 1
        """,
    "a decorator": """
        import functools
        def counted(function):
            @functools.wraps(function)
            def call():
                X.append(1)  # writes
                return function()
            return call
        @counted
        def price():
            return 3
        def test():
            price()  # calls
        """,
    "a property": """
        class Cart:
            @property
            def total(self):
                X.append(1)  # writes
                return 1
        def test():
            Cart().total  # calls
        """,
    "a class body": """
        def test():
            class Cart:
                a = 1
                X.append(1)  # writes
                b = 1
            return Cart
        """,
    "an object's end": """
        class Cart:
            def __del__(self):
                X.append(1)  # writes
        def test():
            cart = Cart()
            cart = None  # calls
            a = 1
        """,
    "a coroutine": """
        import asyncio
        async def add():
            await asyncio.sleep(0)
            X.append(1)  # writes
            await asyncio.sleep(0)
        async def main():
            await asyncio.gather(add(), asyncio.sleep(0))
        def test():
            asyncio.run(main())  # calls
        """,
    "a value that was waited for": """
        import asyncio
        async def main():
            a = 1
            X.append(await asyncio.sleep(0, 5))  # writes
            a = 2
        def test():
            asyncio.run(main())  # calls
        """,
    "an asynchronous generator": """
        import asyncio
        async def numbers():
            yield 1
            X.append(1)  # writes
            yield 2
        async def main():
            async for n in numbers():
                await asyncio.sleep(0)
        def test():
            asyncio.run(main())
        """,
    "a match statement": """
        def test():
            match [1, 2]:
                case [1, y]:
                    X.append(y)  # writes
        """,
    "recursion": """
        def down(n):
            if n == 0:
                X.append(1)  # writes
                return
            down(n - 1)
        def test():
            down(50)
        """,
    "a sort key": """
        def key(n):
            X.append(n)  # writes
            return -n
        def test():
            [1, 2, 3].sort(key=key)  # calls
            a = 1
        """,
    "code made from a string": """
        def test():
            exec("a = 1\\nX.append(1)\\nb = 2", globals())  # writes
            a = 1
        """,
}


@pytest.mark.parametrize("case", _CASES)
def test_the_writing_line_is_named(case: str, tmp_path: Path) -> None:
    users = UsersFile(tmp_path, "X = []\n" + textwrap.dedent(_CASES[case]))
    found = stepped(users, stepper_for(tmp_path), "X")
    source = _CASES[case]
    stack = users.lines(found["X"])
    assert stack[0] == users.line("# final" if "# final" in source else "# writes")
    if "# calls" in source:
        assert stack[-1] == users.line("# calls")


def test_each_location_has_its_own_line(tmp_path: Path) -> None:
    source = "A = B = C = 0\ndef test():\n    global A, B\n    A = 1\n    B = 1\n    A = 2\n    x = 3\n"
    users = UsersFile(tmp_path, source)
    found = stepped(users, stepper_for(tmp_path), "A", "B", "C")
    assert found == {"A": [(users.path, 6, "test")], "B": [(users.path, 5, "test")]}


def test_a_thread_that_begins_meanwhile_is_stepped_through(tmp_path: Path) -> None:
    source = """
        import threading
        X = []
        def work():
            a = 1
            X.append(1)  # writes
            a = 2
        def test():
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        """
    users = UsersFile(tmp_path, textwrap.dedent(source))
    assert users.lines(stepped(users, stepper_for(tmp_path), "X")["X"]) == [users.line("# writes")]
    assert threading.gettrace() is None


def test_a_thread_that_outlives_the_stepper_is_left_alone(tmp_path: Path) -> None:
    source = """
        import threading
        X = []
        go, done = threading.Event(), threading.Event()
        tracers = []
        def work():
            go.wait()
            X.append(1)
            for n in range(3):
                tracers.append(__import__("sys").gettrace())
            done.set()
        def test():
            threading.Thread(target=work, daemon=True).start()
        """
    users = UsersFile(tmp_path, textwrap.dedent(source))
    assert stepped(users, stepper_for(tmp_path), "X") == {}
    users.names["go"].set()
    assert users.names["done"].wait(10)
    assert users.names["tracers"][-1] is None


def test_many_threads_at_once(tmp_path: Path) -> None:
    source = """
        import threading
        X, Y = [0], []
        lock = threading.Lock()
        def work():
            for n in range(200):
                with lock:
                    X[0] += 1  # writes
                [].append(n)
        def test():
            threads = [threading.Thread(target=work) for n in range(20)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            Y.append(1)  # ends
        """
    users = UsersFile(tmp_path, textwrap.dedent(source))
    found = stepped(users, stepper_for(tmp_path), "X", "Y")
    assert users.names["X"] == [4000]
    assert users.lines(found["Y"]) == [users.line("# ends")]
    assert set(found) == {"X", "Y"}


def test_changes_while_no_function_of_the_user_runs_have_no_line(tmp_path: Path) -> None:
    users = UsersFile(tmp_path, "X = []\ndef test():\n    X.append(1)\n    return 1\n")
    stepper = stepper_for(tmp_path)
    stepper.start({"X": users.fingerprint("X")})
    users.names["test"]()
    users.names["X"].append(2)
    assert stepper.stop() == {}


def test_a_change_between_two_functions_of_the_users_is_not_put_down_to_the_second(tmp_path: Path) -> None:
    users = UsersFile(tmp_path, "X = []\nY = []\ndef test():\n    Y.append(1)\n")
    stepper = stepper_for(tmp_path)
    stepper.start({"X": users.fingerprint("X"), "Y": users.fingerprint("Y")})
    users.names["X"].append(2)
    users.names["test"]()
    assert stepper.stop() == {"Y": [(users.path, 4, "test")]}


def test_the_former_trace_function_is_put_back(tmp_path: Path) -> None:
    users = UsersFile(tmp_path, "X = []\ndef test():\n    X.append(1)\n")

    def mine(*_: object) -> None: ...

    former, former_of_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(mine)
    threading.settrace(mine)
    try:
        stepped(users, stepper_for(tmp_path), "X")
        assert sys.gettrace() is mine
        assert threading.gettrace() is mine
    finally:
        sys.settrace(former)
        threading.settrace(former_of_threads)


def test_a_test_that_traces_by_itself_keeps_its_trace_function(tmp_path: Path) -> None:
    source = "import sys\nX = []\ndef mine(*_): return None\ndef test():\n    sys.settrace(mine)\n    X.append(1)\n"
    users = UsersFile(tmp_path, source)
    former = sys.gettrace()
    stepper = stepper_for(tmp_path)
    try:
        found = stepped(users, stepper, "X")
        assert sys.gettrace() is users.names["mine"]
    finally:
        sys.settrace(former)
    assert found == {}


def test_a_test_that_traces_for_a_while_is_followed_again(tmp_path: Path) -> None:
    source = """
        import sys
        X, Y = [], []
        events = []
        def mine(frame, event, argument):
            events.append(event)
        def helper():
            X.append(1)
        def test():
            former = sys.gettrace()
            sys.settrace(mine)
            helper()
            sys.settrace(former)
            later()
            a = 1
        def later():
            Y.append(1)  # writes
            Y.append(2); Y.pop()
        """
    users = UsersFile(tmp_path, textwrap.dedent(source))
    stepper = stepper_for(tmp_path)
    found = stepped(users, stepper, "X", "Y")
    assert users.lines(found["Y"])[0] == users.line("# writes")
    assert users.names["events"] == ["call"]


def test_after_too_many_lines_functions_are_named_and_then_nothing(tmp_path: Path) -> None:
    source = """
        X, Y, Z = [], [], []
        def loop(n):
            while n: n -= 1
        def returns(n):
            return n
        def second():  # second
            a = 1
            Y.append(1)
        def test():
            X.append(1)  # first
            loop(200)
            second()
            for n in range(200): returns(n)
            Z.append(1)
        """
    users = UsersFile(tmp_path, textwrap.dedent(source))
    stepper = stepper_for(tmp_path, most_lines=100)
    found = stepped(users, stepper, "X", "Y", "Z")
    assert users.lines(found["X"]) == [users.line("# first")]
    assert users.lines(found["Y"])[0] == users.line("# second")
    assert "Z" not in found
    assert sys.gettrace() is None


def test_recursion_to_the_limit_goes_as_deep_as_without(tmp_path: Path) -> None:
    source = """
        X = []
        depth = [0]
        def down(n):
            depth[0] = n
            down(n + 1)
        def test():
            try:
                down(0)
            except RecursionError:
                X.append(1)  # writes
        """
    users = UsersFile(tmp_path, textwrap.dedent(source))
    users.names["test"]()
    (plain,) = users.names["depth"]
    stepper = stepper_for(tmp_path)
    found = stepped(users, stepper, "X")
    assert abs(users.names["depth"][0] - plain) <= 2
    assert users.lines(found["X"]) == [users.line("# writes")]


def test_nothing_of_the_suite_is_kept_alive(tmp_path: Path) -> None:
    source = """
        import weakref
        X = []
        class Cart: pass
        def test():
            cart = Cart()
            seen = weakref.ref(cart)
            del cart; X.append(seen() is None)
        """
    users = UsersFile(tmp_path, textwrap.dedent(source))
    stepped(users, stepper_for(tmp_path), "X")
    assert users.names["X"] == [True]


def test_code_that_was_stepped_through_is_let_go(tmp_path: Path) -> None:
    users = UsersFile(tmp_path, "X = []\ndef test():\n    exec(compile(made, path, 'exec'))\n")
    users.names.update(made="def f():\n    X.append(1)\nf()\nX.append(weakref.ref(f.__code__))", path=users.path)
    users.names["weakref"] = weakref
    stepped(users, stepper_for(tmp_path), "X")
    gc.collect()
    one, code = users.names["X"]
    assert (one, code()) == (1, None)


def test_a_fingerprint_that_raises_does_no_harm(tmp_path: Path) -> None:
    users = UsersFile(tmp_path, "X = []\ndef test():\n    X.append(1)\n    X.append(2)\n")
    stepper = stepper_for(tmp_path)
    stepper.start({"bad": lambda: 1 // 0, "X": users.fingerprint("X")})
    users.names["test"]()
    assert list(stepper.stop()) == ["X"]
    assert users.names["X"] == [1, 2]


def test_what_a_signal_handler_raises_reaches_the_test(tmp_path: Path) -> None:
    """The handler of a time limit may run during a check of a location."""
    source = """
        import signal
        X = []
        def late(*_):
            raise TimeoutError
        def test():
            former = signal.signal(signal.SIGALRM, late)
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            try:
                for n in range(3000):
                    a = 1
            except TimeoutError:
                X.append(1)  # writes
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, former)
        """
    users = UsersFile(tmp_path, textwrap.dedent(source))
    stepper = stepper_for(tmp_path, most_lines=10**9)
    stepper.start({"X": users.fingerprint("X"), "slow": lambda: sum(range(20_000))})
    users.names["test"]()
    assert users.lines(stepper.stop()["X"]) == [users.line("# writes")]


def test_started_and_stopped_many_times(tmp_path: Path) -> None:
    users = UsersFile(tmp_path, "X = []\ndef test():\n    X.append(1)\n    a = 1\n    X.append(2)\n")
    stepper = stepper_for(tmp_path)
    for _ in range(300):
        users.names["X"].clear()
        assert users.lines(stepped(users, stepper, "X")["X"]) == [5]
    assert stepper.stop() == {}


def test_nothing_to_watch_costs_nothing(tmp_path: Path) -> None:
    stepper = stepper_for(tmp_path)
    stepper.start({})
    assert sys.gettrace() is None
    assert stepper.stop() == {}
