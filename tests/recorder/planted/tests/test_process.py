"""What the operating system and the C library keep for the process."""

import decimal
import locale
import os
import random
import signal
import stat
import time
from pathlib import Path
from random import randint

from shop import files

STARTED_IN = Path.cwd()


def test_go_to_var():
    os.chdir(files.VAR)  # writes: os.getcwd()


def test_where():
    assert Path(os.getcwd()) == files.VAR  # reads: os.getcwd()


def test_relative_path():
    assert open("hours.txt").read() == "9-18\n"  # reads: os.getcwd()


def test_go_back():
    os.chdir(STARTED_IN)


def test_private_files():
    os.umask(0o077)  # writes: os.umask()


def test_file_is_private(tmp_path):
    (tmp_path / "new").touch()  # reads: os.umask()
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o600


def test_files_for_all():
    os.umask(0o022)


def test_numbers_in_another_locale():
    locale.setlocale(locale.LC_TIME, "C.UTF-8")  # writes: locale.setlocale()


def test_locale():
    assert locale.setlocale(locale.LC_TIME) == "C.UTF-8"  # reads: locale.setlocale()


def test_seed():
    random.seed(7)  # writes: random.getstate()


def test_dice():
    assert random.random() == random.Random(7).random()  # reads: random.getstate()


def test_seed_again():
    random.seed(8)  # writes: random.getstate()


def test_dice_by_name():
    assert randint(1, 10**9) == random.Random(8).randint(1, 10**9)  # reads: random.getstate()


def test_less_precision():
    decimal.getcontext().prec = 6  # writes: decimal.getcontext()


def test_precision():
    assert decimal.getcontext().prec == 6  # reads: decimal.getcontext()


def test_division():
    assert str(decimal.Decimal(1) / 7) == "0.142857"  # reads: decimal.getcontext()


def test_move_east():
    os.environ["TZ"] = "EAST-9"  # writes: os.environ['TZ']
    time.tzset()  # writes: time.tzname


def test_midnight_is_later():
    assert time.localtime(0).tm_hour == 9  # reads: time.tzname


def test_zone_is_known():
    assert os.environ.get("TZ") == "EAST-9"  # reads: os.environ['TZ']


def test_move_back():
    del os.environ["TZ"]
    time.tzset()


CAUGHT = []


def caught(number, frame):
    CAUGHT.append(number)


def test_handler():
    signal.signal(signal.SIGUSR1, caught)  # writes: signal.getsignal(SIGUSR1)


def test_handler_is_there():
    assert signal.getsignal(signal.SIGUSR1) is caught  # reads: signal.getsignal(SIGUSR1)


def test_signal_is_caught():
    os.kill(os.getpid(), signal.SIGUSR1)  # reads: signal.getsignal(SIGUSR1)
    assert signal.SIGUSR1 in CAUGHT
