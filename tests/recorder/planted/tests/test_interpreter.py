"""What the interpreter keeps for everybody."""

import builtins
import os
import sys
import types
import warnings

from shop import files, plugins


def test_live():
    assert plugins.mode() == "live"


def test_mode_is_set():
    os.environ["SHOP_MODE"] = "test"  # writes: os.environ['SHOP_MODE']


def test_mode():
    assert plugins.mode() == "test"


def test_region_is_removed():
    del os.environ["SHOP_REGION"]  # writes: os.environ['SHOP_REGION']


def test_region():
    assert plugins.region() == "nowhere"


def test_home_is_nobodys_business():
    assert os.environ.get("PATH") is not None


def test_search_also():
    plugins.search_also(files.VAR / "plugins")


def test_found_there():
    import shop_gift_wrap  # reads: sys.path

    assert shop_gift_wrap.PRICE == 3


def test_stub():
    sys.modules["payments_api"] = types.SimpleNamespace(pay=lambda amount: "ok")  # writes: sys.modules['payments_api']


def test_pays():
    assert plugins.pay(3) == "ok"


def test_shout():
    builtins.shout = str.upper  # writes: builtins.shout


def test_shouted():
    assert shout("hey") == "HEY"  # noqa: F821  # reads: builtins.shout


def test_warnings_are_silenced():
    warnings.filterwarnings("ignore", message="old price")  # writes: warnings.filters


def test_silence():
    with warnings.catch_warnings(record=True) as seen:  # reads: warnings.filters
        warnings.warn("old price", stacklevel=1)  # reads: warnings.filters
    assert seen == []
