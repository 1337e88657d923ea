"""`python -m library DATABASE PORT`: serves the library on 127.0.0.1 until it is stopped."""

import sys
from pathlib import Path

from library.server import serving

if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    server = serving(Path(sys.argv[1]), int(sys.argv[2]))
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
