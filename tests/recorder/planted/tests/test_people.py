"""Instances and classes."""

from shop import people


def test_nobody_signed_up():
    assert people.signed_up() == 0


def test_sign_up():
    assert people.sign_up("ann").name == "ann"


def test_one_signed_up():
    assert people.signed_up() == 1


def test_discount_for_all():
    people.User.discount = 5  # writes: shop.people.User.discount


def test_discount_for_guests():
    assert people.Guest("ben").discount == 5  # reads: shop.people.User.discount


def test_guest_is_known():
    people.Guest("cem").known["cem"] = True  # writes: shop.people.User.known['cem']


def test_known_to_all():
    assert people.User.known == {"cem": True}  # reads: shop.people.User.known['cem']


def test_move_origin():
    people.ORIGIN.x = 4  # writes: shop.people.ORIGIN.x


def test_origin():
    assert people.ORIGIN.x == 4  # reads: shop.people.ORIGIN.x


def test_origin_is_still_low():
    assert people.ORIGIN.y == 0


def test_move_home():
    people.HOME.street = "Side Street"  # writes: shop.people.HOME.street


def test_home():
    assert people.HOME.street == "Side Street"  # reads: shop.people.HOME.street


def test_more_lines():
    people.HOME.lines.append("2nd floor")  # writes: shop.people.HOME.lines


def test_lines():
    assert len(people.HOME.lines) == 1  # reads: shop.people.HOME.lines


def test_new_badge():
    people.BADGE.number = 2  # writes: shop.people.BADGE.number


def test_badge():
    assert people.BADGE.number == 2  # reads: shop.people.BADGE.number


def test_manager_opens():
    people.MANAGER.open = True  # writes: shop.people.MANAGER.open


def test_is_open():
    assert people.MANAGER.open  # reads: shop.people.MANAGER.open


def test_manager_gets_a_dog():
    people.MANAGER.dog = "Rex"  # writes: shop.people.MANAGER.dog


def test_dog():
    assert getattr(people.MANAGER, "dog", None) == "Rex"  # reads: shop.people.MANAGER.dog


def test_no_staff():
    assert people.MANAGER.staff == []
