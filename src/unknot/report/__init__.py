"""One `Report` value, many writers, one file each: text, JSON (the lock file), DOT, HTML, JUnit XML.

Imports the model and nothing else of ours. Whatever comes from a suite (test ids, output) is hostile until escaped.
"""
