"""A server that a test may need: as programs are that know nothing of each other's sockets."""

KEEPS_ITS_PORT = """
    import os, socket
    server = socket.socket()
    server.bind(("127.0.0.1", int(os.environ["UNKNOT_PORT_0"])))
    server.listen()
    while True:
        connection = server.accept()[0]
        connection.recv(1000)
        connection.sendall(b"HTTP/1.0 200 OK\\r\\n\\r\\n")
        connection.close()
"""
"""Old connections keep a server without SO_REUSEADDR from its port for a minute."""
