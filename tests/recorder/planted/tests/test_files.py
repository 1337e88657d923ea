"""What is on the disk, and what other programs do there."""

import os
import subprocess

from shop import files


def test_no_receipt_yet():
    assert not (files.VAR / "receipt.txt").exists()  # reads: var/receipt.txt


def test_save():
    files.save("receipt.txt", "20 EUR")


def test_load():
    assert files.load("receipt.txt") == "20 EUR"


def test_receipt_is_there():
    assert os.path.exists(files.VAR / "receipt.txt")  # reads: var/receipt.txt


def test_message_of_the_day_goes():
    (files.VAR / "motd.txt").unlink()  # writes: var/motd.txt


def test_no_message():
    assert not (files.VAR / "motd.txt").is_file()  # reads: var/motd.txt


def test_send():
    files.send("letter.txt")


def test_outbox():
    assert files.outbox() == ["letter.txt"]


def test_write_by_link():
    with open(files.VAR / "latest.txt", "a") as file:  # writes: var/journal.txt
        file.write("opened\n")  # writes: var/journal.txt


def test_read_the_file_itself():
    with open(files.VAR / "journal.txt") as file:  # reads: var/journal.txt
        assert file.read() == "opened\n"


def test_lock():
    (files.VAR / "lock").mkdir()  # writes: var/lock


def test_locked():
    assert (files.VAR / "lock").is_dir()  # reads: var/lock


def test_shell_writes():
    command = ["sh", "-c", "echo hi > shell.txt"]
    subprocess.run(command, cwd=files.VAR, check=True)  # writes: sh; writes: var/shell.txt


def test_shell_reads():
    command = ["sh", "-c", "cat shell.txt"]
    assert subprocess.check_output(command, cwd=files.VAR) == b"hi\n"  # reads: sh


def test_written_by_the_shell():
    assert (files.VAR / "shell.txt").read_text() == "hi\n"  # reads: var/shell.txt
