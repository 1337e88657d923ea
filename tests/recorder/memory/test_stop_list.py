import pytest

from unknot.recorder.inside.memory.stop_list import BUILT_IN_NAMES, BUILT_IN_TYPES, StopList


@pytest.mark.parametrize(
    "name",
    [
        "shop.cart.__warningregistry__['x']",
        "_pytest.fixtures.x",
        "pytest_asyncio.plugin._x",
        "test_shop.test_total.pytestmark",
        "test_shop.@pytest_ar",
        "shop.Colour._value2member_map_[3]",
        "shop.show.dispatch.<closure dispatch_cache>['x']",
        "test_shop.client._mock_children['get']",
        "test_shop.client._mock_call_args",
        "re._cache",
        "linecache.cache['x']",
        "sys.stdout",
        "builtins._",
        "threading._profile_hook",
    ],
)
def test_harmless_names_are_stopped(name: str) -> None:
    assert StopList().stops(name)


@pytest.mark.parametrize(
    "name",
    [
        "shop.cart.CART['alice'].items",
        "shop.cart._cache",
        "shop.cart.CART['re._cache']",
        "shop.tree.TREE._root",
        "time.time",
        "platform.system",
        "re.compile",
        "uuid.uuid4",
        "asyncio.sleep",
        "functools.lru_cache",
        "logging.getLogger('shop').level",
        "logging.root.manager.disable",
        "sys.path",
        "sys.argv",
        "sys.modules['json']",
        "warnings.filters",
        "warnings.warn",
        "builtins.shop",
        "builtins.__import__",
        "os.environ['MODE']",
        "os.getcwd()",
        "random.getstate()",
        "random.random",
        "test_shop.client._mock_call_count",
        "test_shop.client._mock_children['get']._mock_call_count",
        "test_shop.client._mock_return_value",
        "pyramid.registry.global_registry",
        "/srv/shop/cart.db: table cart",
        "127.0.0.1:8000",
    ],
)
def test_what_counts_is_not_stopped(name: str) -> None:
    assert not StopList().stops(name)


def test_the_users_own_globs() -> None:
    stop_list = StopList(["shop.CACHE['a*']  # filled the same by all", "", "# nothing", "*/shop.log", "shop.x?"])
    assert stop_list.stops("shop.CACHE['alice']")
    assert not stop_list.stops("shop.CACHE['bob']")
    assert stop_list.stops("/srv/shop.log")
    assert stop_list.stops("shop.x1")
    assert not stop_list.stops("shop.x")
    assert not stop_list.stops("shopXx1")


def test_a_glob_matches_the_whole_name_even_on_several_lines() -> None:
    stop_list = StopList(["shop.*.end"])
    assert stop_list.stops("shop.X['a\nb'].end")
    assert not stop_list.stops("shop.X.end\nmore")
    assert not stop_list.stops("shop.X.ending")


@pytest.mark.parametrize(
    "name", ["_pytest.config.Config", "logging.Logger", "logging.StreamHandler", "threading.Thread", "_thread.lock"]
)
def test_types_that_are_not_entered(name: str) -> None:
    assert StopList().stops_type(name)


@pytest.mark.parametrize(
    "name",
    [
        "shop.cart.Cart",
        "types.SimpleNamespace",
        "collections.OrderedDict",
        "threading.Event",
        "queue.Queue",
        "asyncio.queues.Queue",
        "unittest.mock.MagicMock",
        "pathlib.PosixPath",
        "random.Random",
        "datetime.datetime",
        "_io.StringIO",
    ],
)
def test_types_that_are_entered(name: str) -> None:
    assert not StopList().stops_type(name)


def test_no_glob_is_there_twice() -> None:
    for globs in (BUILT_IN_NAMES, BUILT_IN_TYPES):
        assert len(globs) == len({*globs})
