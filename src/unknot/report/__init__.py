"""One `Report` value, many writers, one file each: text, JSON (the lock file), DOT, HTML, JUnit XML.

Text that comes from a suite (test ids, output, reasons) is treated as hostile until it is escaped.
"""
