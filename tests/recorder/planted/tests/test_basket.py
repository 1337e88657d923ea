"""Built-in containers."""

import pytest
from shop import basket


def test_alice_has_nothing():
    assert basket.contents("alice") == []


def test_alice_buys():
    basket.add("alice", "lamp")


def test_alice_has_a_lamp():
    assert basket.contents("alice") == ["lamp"]


def test_bob_has_nothing():
    assert basket.contents("bob") == []


def test_one_customer():
    assert basket.number_of_customers() == 1


def test_alice_leaves():
    basket.CART.pop("alice", None)  # writes: shop.basket.CART['alice']


def test_alice_is_gone():
    assert "alice" not in basket.CART  # reads: shop.basket.CART['alice']


def test_mail_moves():
    basket.CONFIG["mail"]["host"] = "mail.example"  # writes: shop.basket.CONFIG['mail']['host']


def test_mail_host():
    assert basket.CONFIG["mail"]["host"] == "mail.example"  # reads: shop.basket.CONFIG['mail']['host']


def test_mail_port_and_web_host():
    assert basket.CONFIG["mail"]["port"] == 25
    assert basket.CONFIG["web"]["host"] == "localhost"


def test_append():
    basket.ITEMS.append("cup")  # writes: shop.basket.ITEMS


def test_appended():
    assert basket.ITEMS == ["cup"]  # reads: shop.basket.ITEMS


def test_sort_recent():
    basket.RECENT.sort()  # writes: shop.basket.RECENT


def test_recent_is_sorted():
    assert basket.RECENT[0] == "desk"  # reads: shop.basket.RECENT


@pytest.mark.parametrize("tag", ["red", "new"])
def test_tag(tag):
    basket.TAGS.add(tag)  # writes: shop.basket.TAGS{'red'}


def test_is_tagged():
    assert "red" in basket.TAGS  # reads: shop.basket.TAGS{'red'}


def test_bytes_grow():
    basket.BYTES.extend(b"c")  # writes: shop.basket.BYTES


def test_bytes():
    assert bytes(basket.BYTES) == b"abc"  # reads: shop.basket.BYTES


def test_weigh():
    basket.WEIGHTS.append(2.5)  # writes: shop.basket.WEIGHTS


def test_weights():
    assert sum(basket.WEIGHTS) == 3.5  # reads: shop.basket.WEIGHTS


def test_carol_puts():
    basket.put("carol", "pen")


def test_carol_counts():
    assert basket.count("carol") == 1


def test_carol_has_no_coupon():
    assert basket.BASKETS["carol"].coupon is None
