"""What moves on when it is asked."""

from shop import queues


def test_enqueue():
    queues.PENDING.append("job")  # writes: shop.queues.PENDING


def test_dequeue():
    assert queues.PENDING[0] == "job"  # reads: shop.queues.PENDING


def test_first_number():
    assert queues.next_number() == 1


def test_second_number():
    assert queues.next_number() == 2


def test_first_customer():
    assert queues.next_customer() == "ann"


def test_second_customer():
    assert queues.next_customer() == "ben"


def test_first_code():
    assert queues.next_code() == 100


def test_second_code():
    assert queues.next_code() == 101


def test_print():
    queues.SCREEN.write("hello")  # writes: shop.queues.SCREEN.<position>


def test_printed():
    assert queues.SCREEN.getvalue() == "hello"  # reads: shop.queues.SCREEN.<position>
