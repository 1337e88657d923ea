"""Files, sockets and processes that tests leave behind or use."""
