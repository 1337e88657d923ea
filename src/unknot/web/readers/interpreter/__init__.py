"""One abstract interpreter of test code: a small language, its machine and values. Front ends put code into it."""
